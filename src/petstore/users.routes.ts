import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { notModified, requireMatch, sendTagged } from '../platform/http/etag.ts';
import { tagsOf } from '../platform/formats/index.ts';
import { JSON_TYPE, XML } from '../platform/formats/media-types.ts';
import { answerOnce } from '../platform/http/idempotency.ts';
import { hashPassword } from '../platform/access/passwords.ts';
import { type Fault, invalidRequest, notFound, Problem } from '../platform/problems/problems.ts';
import { addressKey } from '../platform/http/rate-limit.ts';
import { callerOf, sessionOf } from './access.ts';
import { Nothing, problemsOfAnyAccept } from './fields.ts';
import type { PetstoreRoutes } from './index.ts';
import { deleteOtherSessions } from './sessions.queries.ts';
import { throttled } from './sessions.routes.ts';
import {
  deleteUser,
  findUser,
  insertUsers,
  lockUser,
  updateUser,
  type UserRow,
  type UserToWrite,
  usernameKey,
} from './users.queries.ts';
import { type NewUser, NewUsers, User, UserParams } from './users.schemas.ts';

const noUser = (username: string) => notFound(`There is no user ${username}.`);

const toUser = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  ...(row.first_name !== null && { firstName: row.first_name }),
  ...(row.last_name !== null && { lastName: row.last_name }),
  ...(row.email !== null && { email: row.email }),
  ...(row.phone !== null && { phone: row.phone }),
  ...(row.user_status !== null && { userStatus: row.user_status }),
});

/** Names that stand for operations, or that clients take out of a path. */
const RESERVED = new Set(['login', 'logout', 'createwithlist', '.', '..']);

const reservedFaults = ({ username }: NewUser, pointer: string): Fault[] =>
  RESERVED.has(usernameKey(username))
    ? [{ pointer: `${pointer}/username`, detail: 'must not be a word that paths here begin with' }]
    : [];

/** What one list cannot have twice. */
function repetitions(users: NewUser[]): Fault[] {
  const faults: Fault[] = [];
  const firstOf = new Map<string, number>();
  users.forEach((user, index) => {
    const values = [
      ['username', usernameKey(user.username)],
      ['id', user.id],
    ] as const;
    for (const [member, value] of values) {
      if (value === undefined) continue;
      const first = firstOf.get(`${member} ${value}`);
      if (first === undefined) firstOf.set(`${member} ${value}`, index);
      else
        faults.push({
          pointer: `/${index}/${member}`,
          detail: `must differ from that of /${first}`,
        });
    }
  });
  return faults;
}

function refuse(faults: Fault[]): void {
  if (faults.length > 0) throw invalidRequest(faults);
}

const NewUserBody = Type.Unsafe<NewUser>(Type.Ref('New-User'));
const UserAnswer = Type.Unsafe<User>(
  Type.Ref('User', { description: 'The user as it is stored, without the password.' }),
);
const LastUser = Type.Unsafe<User>(
  Type.Ref('User', { description: 'The last user of the list, without the password.' }),
);
const OWN = { tags: ['user'], security: [{ session: [] }, { session_cookie: [] }] };

export const userRoutes: FastifyPluginAsyncTypebox<PetstoreRoutes> = async (
  app,
  { database, sessions, withDemo },
) => {
  const { db, reads } = database;

  /** The users with their passwords hashed, as many as the address may have hashed at this time. */
  async function toWrite(users: NewUser[], { ip }: FastifyRequest): Promise<UserToWrite[]> {
    const passwords = users.filter(({ password }) => password !== undefined).length;
    const waitSeconds = sessions.takeNewPasswords(passwords, addressKey(ip));
    if (waitSeconds > 0) throw throttled('Too many new passwords.', waitSeconds);
    const hashed: UserToWrite[] = [];
    for (const { password, ...user } of users)
      hashed.push({
        ...user,
        passwordHash: password === undefined ? null : await hashPassword(password),
      });
    return hashed;
  }

  function taken(user: NewUser | undefined, what: 'id' | 'username'): Problem {
    return what === 'id'
      ? new Problem('id-taken', `There is a user with the id ${user?.id} already.`)
      : new Problem('username-taken', `There is a user ${user?.username} already.`);
  }

  /** Which user a path means, if it is the one who is logged in; 403 or 404 for any other. */
  async function requireOwn(username: string, request: FastifyRequest) {
    const session = sessionOf(request);
    if (usernameKey(username) === session.usernameKey) return session;
    if (!(await findUser(reads, username, withDemo))) throw noUser(username);
    throw new Problem('forbidden', `You are not ${username}; users change themselves only.`);
  }

  app.post(
    '/user',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'createUser',
        summary: 'Create a user',
        description:
          'Makes another user. Only a logged-in user may do this; `POST /user/createWithList` is open to anybody and makes the first. The username must be free, whatever its case; a user without a `password` cannot log in. Passwords are stored as a slow hash and never answered.',
        ...OWN,
        body: NewUserBody,
        response: {
          200: UserAnswer,
          ...problemResponses(400, 401, 403, 'id-taken', 'username-taken', 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      refuse(reservedFaults(request.body, ''));
      return answerOnce(database, callerOf(request), request, reply, async (commit) => {
        const users = await toWrite([request.body], request);
        await commit(async (executor) => {
          const made = await insertUsers(executor, users);
          if ('taken' in made) throw taken(request.body, made.taken);
          return { status: 200, resource: toUser(made[0] as UserRow) };
        });
      });
    },
  );

  app.post(
    '/user/createWithList',
    {
      schema: {
        operationId: 'createUsersWithListInput',
        summary: 'Create a list of users',
        description:
          'Makes up to 50 users: all of them or, where one cannot be made, none. Anybody may do this. Answers the last of them. Two with the same username or id in one list are 400; one whose username or id somebody else has is 409.',
        tags: ['user'],
        security: [],
        consumes: [JSON_TYPE, XML],
        body: NewUsers,
        response: {
          200: LastUser,
          ...problemResponses(400, 401, 'id-taken', 'username-taken', 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const list = request.body;
      refuse(list.flatMap((user, index) => reservedFaults(user, `/${index}`)));
      refuse(repetitions(list));
      return answerOnce(database, callerOf(request), request, reply, async (commit) => {
        const users = await toWrite(list, request);
        await commit(async (executor) => {
          const make = async (tx: typeof executor) => {
            const made = await insertUsers(tx, users);
            if ('taken' in made) throw taken(list[made.index], made.taken);
            return made;
          };
          const made = executor.isTransaction
            ? await make(executor)
            : await db.transaction().execute(make);
          return { status: 200, resource: toUser(made.at(-1) as UserRow) };
        });
      });
    },
  );

  app.get(
    '/user/:username',
    {
      schema: {
        operationId: 'getUserByName',
        summary: 'Get a user by username',
        description:
          'Answers one user, found whatever the case of the name, and never with a password. Anybody may do this.',
        tags: ['user'],
        security: [],
        params: UserParams,
        response: { 200: UserAnswer, ...notModified, ...problemResponses(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { username } = request.params;
      const row = await findUser(reads, username, withDemo);
      if (!row) throw noUser(username);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toUser(row));
    },
  );

  app.put(
    '/user/:username',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'updateUser',
        summary: 'Update your user',
        description:
          'Replaces you, the logged-in user: a member that is left out is removed, but for the id, which never changes, and the password, which stays where none is sent. A new password ends your other sessions. Somebody else is 403.',
        ...OWN,
        params: UserParams,
        body: NewUserBody,
        response: {
          200: UserAnswer,
          ...problemResponses(400, 401, 403, 404, 'username-taken', 412, 413, 415),
        },
      },
    },
    async (request, reply) => {
      const { username } = request.params;
      const session = await requireOwn(username, request);
      refuse(reservedFaults(request.body, ''));
      const [user] = (await toWrite([request.body], request)) as [UserToWrite];
      const row = await db.transaction().execute(async (tx) => {
        const before = await lockUser(tx, session.userId);
        if (!before || usernameKey(before.username) !== session.usernameKey) throw noUser(username);
        requireMatch(request.headers['if-match'], ...tagsOf(reply, toUser(before), User));
        if (user.id !== undefined && user.id !== before.id)
          throw invalidRequest([
            { pointer: '/id', detail: `must be ${before.id}: the id of a user never changes` },
          ]);
        const updated = await updateUser(tx, before.id, user);
        if (!updated) throw taken(request.body, 'username');
        if (user.passwordHash !== null) await deleteOtherSessions(tx, session);
        return updated;
      });
      return sendTagged(request, reply, toUser(row));
    },
  );

  app.delete(
    '/user/:username',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete your user',
        description:
          'Deletes you, the logged-in user, for good and ends all of your sessions. Somebody else is 403.',
        ...OWN,
        params: UserParams,
        response: {
          200: Nothing('The user is deleted.'),
          ...problemsOfAnyAccept(400, 401, 403, 404, 412),
        },
      },
    },
    async (request, reply) => {
      const { username } = request.params;
      const session = await requireOwn(username, request);
      await db.transaction().execute(async (tx) => {
        const user = await lockUser(tx, session.userId);
        if (!user || usernameKey(user.username) !== session.usernameKey) throw noUser(username);
        requireMatch(request.headers['if-match'], ...tagsOf(reply, toUser(user), User));
        await deleteUser(tx, user.id);
      });
      return reply.send(undefined);
    },
  );
};
