import { type Static, Type } from '@sinclair/typebox';
import { Id, Line, Name } from './fields.ts';

const STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof STATUSES)[number];

const Status = (options: object) =>
  Type.Unsafe<PetStatus>({
    type: 'string',
    enum: [...STATUSES],
    examples: ['available'],
    ...options,
  });

/** Entries of photoUrls; those of uploaded images count. */
export const MAX_PHOTOS = 100;
const MAX_TAGS = 100;

export const Category = Type.Object(
  {
    id: Type.Optional(Id('Number of the category.', 1)),
    name: Type.Optional(
      Line({ maxLength: 100, description: 'Name of the category.', examples: ['Dogs'] }),
    ),
  },
  {
    $id: 'Category',
    additionalProperties: false,
    xml: { name: 'category' },
    description: 'What kind of animal it is.',
  },
);

export const Tag = Type.Object(
  {
    id: Type.Optional(Id('Number of the tag.', 1)),
    name: Type.Optional(
      Line({ maxLength: 100, description: 'What pets are found by.', examples: ['tag1'] }),
    ),
  },
  {
    $id: 'Tag',
    additionalProperties: false,
    xml: { name: 'tag' },
    description: 'A word that pets are found by.',
  },
);

const petProperties = {
  name: Name({ maxLength: 200, description: 'What the pet is called.', examples: ['doggie'] }),
  photoUrls: Type.Array(
    Line({
      minLength: 1,
      maxLength: 2048,
      xml: { name: 'photoUrl' },
      description: 'The address of a picture.',
      examples: ['https://example.com/doggie.jpg'],
    }),
    {
      maxItems: MAX_PHOTOS,
      xml: { wrapped: true },
      description: 'Where pictures of the pet are. Uploaded images add theirs.',
    },
  ),
  category: Type.Optional(Type.Unsafe<Static<typeof Category>>(Type.Ref('Category'))),
  tags: Type.Optional(
    Type.Array(Type.Unsafe<Static<typeof Tag>>(Type.Ref('Tag')), {
      maxItems: MAX_TAGS,
      xml: { wrapped: true },
      description: 'Words that the pet is found by.',
    }),
  ),
  status: Type.Optional(Status({ description: 'Where the pet is on its way to a new home.' })),
};

const PET = { additionalProperties: false, xml: { name: 'pet' } };

export const Pet = Type.Object(
  { id: Id('Number of the pet.', 1), ...petProperties },
  {
    $id: 'Pet',
    ...PET,
    description: 'An animal of the store.',
  },
);
export type Pet = Static<typeof Pet>;

export const NewPet = Type.Object(
  {
    id: Type.Optional(
      Id(
        'Number that the pet is to have. Without one, it is given a free one, from 11 on.',
        198_772,
      ),
    ),
    ...petProperties,
  },
  {
    $id: 'New-Pet',
    ...PET,
    description: 'A pet to add to the store.',
  },
);
export type NewPet = Static<typeof NewPet>;

/** Pets of one answer: published clients know no pages, so this is many, and yet bounded. */
const PETS_A_PAGE = 100;

const ListQuery = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      default: 1,
      examples: [1],
      description: 'The page, from 1; the header Link leads to the next one.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PETS_A_PAGE,
      default: PETS_A_PAGE,
      examples: [2],
      description: 'Pets a page, at most.',
    }),
  ),
};

export const StatusQuery = Type.Object({
  status: Type.Optional(
    Type.Array(Status({}), {
      minItems: 1,
      maxItems: 100,
      default: ['available'],
      examples: [['pending']],
      description: 'Statuses to find, separated by commas or as repeated parameters.',
    }),
  ),
  ...ListQuery,
});

export const TagsQuery = Type.Object({
  tags: Type.Array(Line({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: 100,
    description:
      'Names of tags, separated by commas or as repeated parameters; pets with any of them are found.',
    examples: [['tag4']],
  }),
  ...ListQuery,
});

export const PetParams = Type.Object({ petId: Id('Number of the pet.', 1) });

const Change = (where: string) => ({
  name: Type.Optional(
    Name({ maxLength: 200, description: `The new name${where}.`, examples: ['Cat 1'] }),
  ),
  status: Type.Optional(Status({ description: `The new status${where}.`, examples: ['sold'] })),
});

export const PetChangeQuery = Type.Object(Change(', where the form has none'));

export const PetChange = Type.Object(Change(''), {
  $id: 'Pet-Change',
  additionalProperties: false,
  description: 'What is to change; the rest stays.',
});
