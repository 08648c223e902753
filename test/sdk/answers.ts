/** What openapi-fetch answers: data, or what went wrong. */
type Answer<Data, Problem> = { response: Response } & (
  | { data: Data; error?: never }
  | { data?: never; error: Problem }
);

/** What every document describes as a problem, as far as a journey looks at it. */
interface Problem {
  type: string;
  status: number;
  detail: string;
  errors?: { pointer?: string; parameter?: string; detail: string }[];
}

/** The data of an answer; throws where there was a problem. */
export function answered<Data>(answer: Answer<Data, Problem>): Data {
  if (answer.error || !answer.response.ok)
    throw new Error(`${answer.response.status}: ${answer.error?.detail}`);
  return answer.data;
}

/** The problem of an answer: the last part of its type, its status, and the faults that it names. */
export function refused(answer: Answer<unknown, Problem>) {
  if (!answer.error) throw new Error(`${answer.response.status} is not a problem.`);
  const { type, status, errors = [] } = answer.error;
  if (status !== answer.response.status) throw new Error(`${status} came as another status.`);
  return {
    status,
    type: type.split('/').at(-1),
    faults: errors.map(({ pointer, parameter }) => pointer ?? parameter),
  };
}

/** The first of a list that has one. */
export function firstOf<Item>([first]: Item[]): Item {
  if (first === undefined) throw new Error('The list is empty.');
  return first;
}
