import { type Static, Type } from '@sinclair/typebox';
import { ignored } from '../../platform/documents/read-only.ts';
import { line, shownId, shownInstant, text } from '../texts.ts';

export const Checklist = Type.Object(
  {
    id: shownId('cklst', 'checklist'),
    name: Type.String({ description: 'Its name.', examples: ['Onboarding Part 1'] }),
    items: Type.Array(
      Type.String({ description: 'What is to be ticked.', examples: ['Meet your team'] }),
      { description: 'What is to be ticked, in its order.' },
    ),
    createdAt: shownInstant('When it was made.'),
    updatedAt: shownInstant('When it was last changed; checklists do not change.'),
  },
  { $id: 'Checklist', description: 'Things to do, each ticked by an activity.' },
);
export type Checklist = Static<typeof Checklist>;

export const NewChecklist = Type.Object(
  {
    name: line(200, {
      description:
        'Its name, which no other checklist has; case and outer space make no difference.',
      examples: ['Onboarding Part 1'],
    }),
    items: Type.Optional(
      Type.Array(
        text(1000, { description: 'What is to be ticked.', examples: ['Meet your team'] }),
        { maxItems: 100, default: [], description: 'What is to be ticked, in its order.' },
      ),
    ),
    id: ignored(Checklist.properties.id),
    createdAt: ignored(Checklist.properties.createdAt),
    updatedAt: ignored(Checklist.properties.updatedAt),
  },
  { $id: 'New-Checklist', additionalProperties: false, description: 'A checklist to make.' },
);
