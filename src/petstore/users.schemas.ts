import { type Static, Type } from '@sinclair/typebox';
import { Id, Line, Name } from './fields.ts';

/** Users of one list: their passwords are hashed one after another. */
const USERS_A_LIST = 50;

const GREATEST_INT32 = 2_147_483_647;

const line = (description: string) => Type.Optional(Line({ maxLength: 200, description }));

const username = Name({
  maxLength: 50,
  description: 'What the user logs in with. Case does not make it another one.',
});
const names = { firstName: line('First name.'), lastName: line('Last name.') };
const email = line('E-mail address.');
const phone = line('Phone number.');
const userStatus = Type.Optional(
  Type.Integer({
    format: 'int32',
    minimum: -GREATEST_INT32 - 1,
    maximum: GREATEST_INT32,
    description: 'A number of your own.',
  }),
);

const USER = { additionalProperties: false, xml: { name: 'user' } };
const EXAMPLE = {
  username: 'theUser',
  firstName: 'John',
  lastName: 'James',
  email: 'john@example.com',
};

/** Without the password: no answer can have it. */
export const User = Type.Object(
  { id: Id('Number of the user.'), username, ...names, email, phone, userStatus },
  {
    $id: 'User',
    ...USER,
    description: 'Somebody who can log in.',
    examples: [{ id: 11, ...EXAMPLE, phone: '12345', userStatus: 1 }],
  },
);
export type User = Static<typeof User>;

export const NewUser = Type.Object(
  {
    id: Type.Optional(
      Id('Number that a new user is to have, else a free one; of an old one it never changes.'),
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
      }),
    ),
    phone,
    userStatus,
  },
  {
    $id: 'New-User',
    ...USER,
    description: 'A user as it is to be.',
    examples: [{ ...EXAMPLE, password: '12345', phone: '12345', userStatus: 1 }],
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
  username: Line({ minLength: 1, maxLength: 100, description: 'Name of the user.' }),
});

export const LoginQuery = Type.Object({
  username: Line({ minLength: 1, maxLength: 200, description: 'The username.' }),
  password: Line({ minLength: 1, maxLength: 200, description: 'The password.' }),
});
