import { TOKEN_OR_KEY } from './access.ts';
import type { Example, Examples } from '../platform/documents/examples.ts';
import { FORM, OCTETS, XML } from '../platform/formats/media-types.ts';
import type { Order } from './orders.schemas.ts';
import type { Pet } from './pets.schemas.ts';
import type { User } from './users.schemas.ts';

const PHOTO = 'https://example.com/doggie.jpg';
const CAT: Pet = {
  id: 1,
  name: 'Cat 1',
  photoUrls: ['url1', 'url2'],
  category: { id: 2, name: 'Cats' },
  tags: [
    { id: 1, name: 'tag1' },
    { id: 2, name: 'tag2' },
  ],
  status: 'available',
};
const TAGS = [
  { id: 3, name: 'tag3' },
  { id: 4, name: 'tag4' },
];
const PENDING: Pet[] = [
  { ...CAT, id: 3, name: 'Cat 3', tags: TAGS, status: 'pending' },
  {
    ...CAT,
    id: 6,
    name: 'Dog 3',
    category: { id: 1, name: 'Dogs' },
    tags: TAGS,
    status: 'pending',
  },
];
const NEW_PET = {
  name: 'doggie',
  photoUrls: [PHOTO],
  category: { id: 1, name: 'Dogs' },
  tags: [{ id: 1, name: 'tag1' }],
  status: 'available',
};
const FORM_PET = { name: 'doggie', photoUrls: [PHOTO, 'url2'], status: 'available' };
const SOLD_PET = { ...CAT, status: 'sold' };
const SOLD_FORM = { id: 1, name: 'Cat 1', photoUrls: ['url1'], status: 'sold' };

const ORDER: Order = { id: 1, petId: 1, quantity: 100, status: 'placed', complete: false };
const NEW_ORDER = { petId: 1, quantity: 2, shipDate: '2026-07-31T09:30:00.000Z' };
const FORM_ORDER = { petId: 1, quantity: 2 };
const PLACED = { status: 'placed', complete: false };

const USER: User = {
  id: 1,
  username: 'user1',
  firstName: 'first name 1',
  lastName: 'last name 1',
  email: 'email1@example.com',
  phone: '123-456-7890',
  userStatus: 1,
};
const NAMES = { username: 'theUser', firstName: 'John', email: 'john@example.com' };
const NEW_USER = { ...NAMES, password: 'correct horse' };
const MOVED = { username: 'user1', firstName: 'Jane', phone: '12345' };
const LOGGED_IN =
  'logged in user session:petstore_session_qOwnzbBuG1hRQ4DHbeVpyEQv2GKvvLrSdID_YxPU8DA';

const uploaded = (baseUrl: string) => ({
  code: 200,
  type: 'image/png',
  message: `additionalMetadata: Taken in the garden\nFile uploaded to ${baseUrl}/pets/1/images/0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e, 67 bytes`,
});

/** What the items of a list are called. */
const ITEMS: Record<string, string> = {
  photoUrls: 'photoUrl',
  tags: 'tag',
  pets: 'pet',
  users: 'user',
};

function element(name: string, value: unknown): string {
  const inner = Array.isArray(value)
    ? value.map((each) => element(ITEMS[name] ?? '', each))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).map(([member, each]) => element(member, each))
      : [String(value)];
  return `<${name}>${inner.join('')}</${name}>`;
}

/** A value without special characters, as the server writes it. */
const xml = (root: string, value: unknown) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, value)}`;

type Exchange = Pick<Example, 'query' | 'type' | 'body' | 'answer'>;

const inJson = (summary: string, exchange: Exchange): Example => ({
  name: 'in-json',
  summary: `${summary}, in JSON`,
  ...exchange,
  status: 200,
});

const inXml = (
  summary: string,
  { body, answer, ...rest }: Exchange,
  root: string,
  rootOfBody = root,
): Example => ({
  name: 'in-xml',
  summary: `${summary}, in XML`,
  ...(body !== undefined && { type: XML, body: xml(rootOfBody, body) }),
  ...rest,
  accept: XML,
  status: 200,
  answer: xml(root, answer),
});

const asForm = (summary: string, exchange: Exchange): Example => ({
  name: 'as-a-form',
  summary: `${summary}, as a form`,
  type: FORM,
  ...exchange,
  status: 200,
});

const inBoth = (summary: string, exchange: Exchange, root: string, rootOfBody = root) => [
  inJson(summary, exchange),
  inXml(summary, exchange, root, rootOfBody),
];

const done = (name: string, summary: string): Example[] => [{ name, summary, status: 200 }];

/** What problems say here. */
export const PETSTORE_DETAILS = {
  unauthorized: `This operation needs credentials. ${TOKEN_OR_KEY}`,
  'not-found': 'There is no pet 404.',
  forbidden: 'The access token lacks the scope "write:pets".',
  'not-acceptable': 'This operation answers in application/json or application/xml only.',
  'unsupported-media-type':
    'Send the body as application/json, application/xml or application/x-www-form-urlencoded.',
};

/** Requests and answers that the document shows: about the pets, orders and users of the demo. */
export const petstoreExamples = (baseUrl: string): Examples => ({
  addPet: [
    ...inBoth('A dog', { body: NEW_PET, answer: { id: 11, ...NEW_PET } }, 'pet'),
    asForm('A dog', { body: FORM_PET, answer: { id: 11, ...FORM_PET } }),
  ],
  updatePet: [
    ...inBoth('The first pet, sold', { body: SOLD_PET, answer: SOLD_PET }, 'pet'),
    asForm('The first pet, without category and tags', { body: SOLD_FORM, answer: SOLD_FORM }),
  ],
  findPetsByStatus: inBoth(
    'What is pending',
    { query: { status: 'pending' }, answer: PENDING },
    'pets',
  ),
  findPetsByTags: inBoth(
    'The first two with tag4',
    { query: { tags: 'tag4', limit: 2 }, answer: PENDING },
    'pets',
  ),
  getPetById: inBoth('The first pet', { answer: CAT }, 'pet'),
  updatePetWithForm: [
    asForm('Another name and status', {
      body: { name: 'Tom', status: 'sold' },
      answer: { ...CAT, name: 'Tom', status: 'sold' },
    }),
    inXml('Another status, in the query', { query: { status: 'sold' }, answer: SOLD_PET }, 'pet'),
  ],
  deletePet: done('the-first', 'The first pet'),
  uploadFile: inBoth(
    'A PNG, as the body itself, answered',
    {
      type: OCTETS,
      query: { additionalMetadata: 'Taken in the garden' },
      answer: uploaded(baseUrl),
    },
    'apiResponse',
  ),
  getImage: [
    { name: 'whole', summary: 'The whole image', status: 200 },
    { name: 'part', summary: 'Its first bytes', headers: { range: 'bytes=0-7' }, status: 206 },
  ],
  getInventory: [inJson('All orders', { answer: { placed: 100, approved: 50, delivered: 50 } })],
  placeOrder: [
    ...inBoth(
      'Two of the first pet',
      { body: NEW_ORDER, answer: { id: 11, ...NEW_ORDER, ...PLACED } },
      'order',
    ),
    asForm('Two of the first pet', {
      body: FORM_ORDER,
      answer: { id: 11, ...FORM_ORDER, ...PLACED },
    }),
  ],
  getOrderById: inBoth('The first order', { answer: ORDER }, 'order'),
  deleteOrder: done('the-third', 'The third order'),
  loginUser: inBoth('The first user of the demo', { answer: LOGGED_IN }, 'string'),
  logoutUser: done('session', 'The session of the token'),
  createUser: [
    ...inBoth('A user who can log in', { body: NEW_USER, answer: { id: 11, ...NAMES } }, 'user'),
    asForm('A user who can log in', { body: NEW_USER, answer: { id: 11, ...NAMES } }),
  ],
  createUsersWithListInput: inBoth(
    'Two users',
    { body: [{ username: 'another' }, NEW_USER], answer: { id: 12, ...NAMES } },
    'user',
    'users',
  ),
  getUserByName: inBoth('The first user', { answer: USER }, 'user'),
  updateUser: [
    ...inBoth('A name and a number', { body: MOVED, answer: { id: 1, ...MOVED } }, 'user'),
    asForm('A name and a number', { body: MOVED, answer: { id: 1, ...MOVED } }),
  ],
  deleteUser: done('yourself', 'Yourself'),
});
