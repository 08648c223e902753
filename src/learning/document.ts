import type { OpenApi } from '../platform/documents/documents.ts';

const DESCRIPTION = `Record what learners do, and see what follows from it.

Activities are the only input. An activity \`{type: quiz, name, item, answer}\` answers a question of a quiz, \`{type: checklist, name, item}\` ticks an item of a checklist, and one of any other type (a lesson, an exercise) says that it was done. Attempts, scores, badges, progress and reports are computed from them:

- **Order.** Activities count in the order of their \`timestamp\`, not of their arrival; those of the same millisecond in the order of arrival. One that arrives late takes its place, and everything after it is computed anew.
- **Definitions may come later.** A quiz, checklist or badge that is made after its activities counts them too.
- **Names** of quizzes, checklists and badges, questions, items and types are compared without case and outer space. Users are compared to the letter.
- **Attempts.** An attempt at a quiz ends when every question has an answer; the next answer opens another. Within an attempt the last answer to a question counts. A repeated answer is an activity of its own; to repeat a request safely, send an \`Idempotency-Key\`.
- **Right answers.** A choice is right to the letter; a blank without case and outer space. An answer of \`null\` says that the question was seen: it is recorded, and answers nothing.
- **Unknown names.** An answer to a question or quiz that does not exist is recorded as an activity, and counts once it exists.`;

/** What the OpenAPI document says of the service as a whole. */
export const learningDocument = (publicUrl: string, basePath: string): OpenApi => ({
  info: { title: 'Learning', version: 'v1', description: DESCRIPTION },
  servers: [{ url: publicUrl + basePath, description: 'This server' }],
  security: [{ imfKey: [] }],
  tags: [
    { name: 'Activities', description: 'Lessons and exercises: what learners do.' },
    { name: 'Quizzes', description: 'Questions with their right answers.' },
    { name: 'Scores', description: "Learners' scores." },
    { name: 'Reports', description: 'What learners have done, each and all together.' },
    { name: 'Other', description: 'Badges, assignments, checklists, and what this service is.' },
  ],
  components: {
    securitySchemes: {
      imfKey: {
        type: 'apiKey',
        in: 'header',
        name: 'IMF-KEY',
        description:
          'An API key, made by the operator. Without a good one the answer is 401, with the challenge `ApiKey realm="learning", header="IMF-KEY"`.',
      },
    },
  },
});
