export interface Answer {
  /** When it was given; of the same moment the one recorded first comes first. */
  at: number;
  question: string;
  answer: string | null;
}
interface Attempt {
  answers: Map<string, { answer: string; at: number }>;
  ended: boolean;
}

const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** What a stream of answers, in the order of recording, comes to: the rule in twenty lines. */
export function play(questions: ReadonlyMap<string, string>, stream: readonly Answer[]) {
  const attempts: Attempt[] = [];
  for (const { at, question: asked, answer } of stream.toSorted((a, b) => a.at - b.at)) {
    const question = [...questions.keys()].find((each) => same(each, asked));
    if (question === undefined || answer === null) continue;
    if (attempts.at(-1)?.ended !== false) attempts.push({ answers: new Map(), ended: false });
    const current = attempts.at(-1) as Attempt;
    current.answers.set(question, { answer, at });
    current.ended = current.answers.size === questions.size;
  }
  const counted = attempts.findLast(({ ended }) => ended) ?? attempts.at(-1);
  if (!counted) return undefined;
  const right = [...counted.answers].filter(([question, { answer }]) =>
    same(answer, questions.get(question) ?? ''),
  );
  return { attempts: attempts.length, score: right.length / questions.size, counted };
}
