import { conventions } from '../platform/documents/conventions.ts';
import type { OpenApi } from '../platform/documents/documents.ts';

const introduction = (
  publicUrl: string,
) => `Record what learners do, and see what follows from it: attempts, scores, badges, progress and reports are computed from activities, and nobody sets them.

All operations but \`GET /\` take an API key in the header \`IMF-KEY\`. That of the demo is \`demo-imf-key\`, and \`abc123\` is a learner who has done something already; neither is there in production. The operator makes others, with \`quartet keys add learning <name>\`. Bodies and answers are JSON.

## How activities count

An activity \`{type: quiz, name, item, answer}\` answers a question of a quiz, \`{type: checklist, name, item}\` ticks an item of a checklist, and one of any other type (a lesson, an exercise) says that it was done.

- **Order.** Activities count in the order of their \`timestamp\`, not of their arrival. One that arrives late takes its place, and everything after it is computed anew.
- **Definitions may come later.** What is answered, ticked or done before its quiz, checklist or badge exists is kept, and counts once it does.
- **Names** of quizzes, checklists and badges, questions, items and types are compared without case and outer space. Users are compared to the letter.
- **Attempts.** An attempt at a quiz ends when every question has an answer; the next answer opens another. Within an attempt the last answer to a question counts.
- **Right answers.** A choice is right to the letter; a blank without case and outer space. An answer of \`null\` says that the question was seen, and answers nothing.

${conventions({
  publicUrl,
  paging:
    'Lists are arrays, `limit` items (10, at most 100) on the `page` that you ask for. The header `Link` (RFC 8288) leads to the next and the previous page, where there is one.',
  isFixed: true,
})}`;

/** What the OpenAPI document says of the service as a whole. */
export const learningDocument = (publicUrl: string, basePath: string): OpenApi => ({
  info: { title: 'Learning', version: 'v1', description: introduction(publicUrl) },
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
          'A key that the operator makes with `quartet keys add learning <name>`; outside production `demo-imf-key` is one. All keys see the same learners.',
      },
    },
  },
});
