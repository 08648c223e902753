import { type Static, Type } from '@sinclair/typebox';
import { ignored, instant, line, shownId, text } from '../texts.ts';

export const Checklist = Type.Object(
  {
    id: shownId('cklst', 'checklist'),
    name: Type.String({ description: 'Its name.', examples: ['Onboarding Part 1'] }),
    items: Type.Array(Type.String(), { description: 'What is to be ticked, in its order.' }),
    createdAt: Type.Readonly(instant('When it was made.')),
    updatedAt: Type.Readonly(instant('When it was last changed; checklists do not change.')),
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
    id: ignored(),
    createdAt: ignored(),
    updatedAt: ignored(),
  },
  { $id: 'New-Checklist', additionalProperties: false, description: 'A checklist to make.' },
);
