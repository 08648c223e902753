import { type Static, Type } from '@sinclair/typebox';
import { Id, Line, Name } from './fields.ts';

/** Users of one list: their passwords are hashed one after another. */
const USERS_A_LIST = 50;

const GREATEST_INT32 = 2_147_483_647;

const line = (description: string, example: string) =>
  Type.Optional(Line({ maxLength: 200, description, examples: [example] }));

const username = Name({
  maxLength: 50,
  description: 'What the user logs in with. Case does not make it another one.',
  examples: ['theUser'],
});
const names = { firstName: line('First name.', 'John'), lastName: line('Last name.', 'James') };
const email = line('E-mail address.', 'john@example.com');
const phone = line('Phone number.', '12345');
const userStatus = Type.Optional(
  Type.Integer({
    format: 'int32',
    minimum: -GREATEST_INT32 - 1,
    maximum: GREATEST_INT32,
    description: 'A number of your own.',
    examples: [1],
  }),
);

const USER = { additionalProperties: false, xml: { name: 'user' } };

/** Without the password: no answer can have it. */
export const User = Type.Object(
  { id: Id('Number of the user.', 1), username, ...names, email, phone, userStatus },
  {
    $id: 'User',
    ...USER,
    description: 'Somebody who can log in.',
  },
);
export type User = Static<typeof User>;

export const NewUser = Type.Object(
  {
    id: Type.Optional(
      Id(
        'Number that a new user is to have, else a free one; of an old one it never changes.',
        198_774,
      ),
    ),
    username,
    ...names,
    email,
    password: Type.Optional(
      Line({
        minLength: 1,
        maxLength: 200,
        writeOnly: true,
        description: 'Never answered. A user without one cannot log in.',
        examples: ['correct horse'],
      }),
    ),
    phone,
    userStatus,
  },
  {
    $id: 'New-User',
    ...USER,
    description: 'A user as it is to be.',
  },
);
export type NewUser = Static<typeof NewUser>;

export const NewUsers = Type.Array(Type.Unsafe<NewUser>(Type.Ref('New-User')), {
  minItems: 1,
  maxItems: USERS_A_LIST,
  xml: { name: 'users', wrapped: true },
  description: 'Users to make: all of them, or none.',
});

export const UserParams = Type.Object({
  username: Line({
    minLength: 1,
    maxLength: 100,
    description: 'Name of the user; case makes no difference.',
    examples: ['user1'],
  }),
});

export const LoginQuery = Type.Object({
  username: Line({
    minLength: 1,
    maxLength: 200,
    description: 'The username.',
    examples: ['user1'],
  }),
  password: Line({
    minLength: 1,
    maxLength: 200,
    description: 'The password.',
    examples: ['demo'],
  }),
});
