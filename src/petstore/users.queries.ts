import { sql } from 'kysely';
import type { Db, Tx } from '../platform/database/database.ts';
import type { NewUser } from './users.schemas.ts';

/** A user without the password, which no query of this file answers but `findLogin`. */
export interface UserRow {
  id: number;
  username: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  user_status: number | null;
}

/** A user to write: `password_hash` is what became of the password. */
export type UserToWrite = Omit<NewUser, 'password'> & { passwordHash: string | null };

const columns = sql`
  u.id, u.username, u.first_name, u.last_name, u.email, u.phone, u.user_status`;

/**
 * What usernames are compared by, on every database alike: without case, and with the forms that
 * Unicode calls compatible taken for the same (a full-width A is an a).
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFKC').toLowerCase().normalize('NFKC');

/** Demonstration users do not exist unless `withDemo`. */
const exists = (withDemo: boolean) => sql`(${withDemo}::boolean or not u.is_demo)`;

export async function findUser(
  db: Db,
  username: string,
  withDemo: boolean,
): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select ${columns} from petstore.users u
    where u.username_key = ${usernameKey(username)} and ${exists(withDemo)}`.execute(db);
  return rows[0];
}

export async function findLogin(
  db: Db,
  username: string,
  withDemo: boolean,
): Promise<{ id: number; password_hash: string | null } | undefined> {
  const { rows } = await sql<{ id: number; password_hash: string | null }>`
    select u.id, u.password_hash from petstore.users u
    where u.username_key = ${usernameKey(username)} and ${exists(withDemo)}`.execute(db);
  return rows[0];
}

/** Why a user could not be written. */
export type UserRefusal = { taken: 'id' | 'username'; index: number };

/**
 * Inserts the users, with free ids where they bring none. Answers them in their order; or, where an
 * id or a username is taken, the first that is, having inserted the others: the transaction has to
 * be given up.
 */
export async function insertUsers(
  tx: Db,
  users: UserToWrite[],
  { isDemo = false }: { isDemo?: boolean } = {},
): Promise<UserRow[] | UserRefusal> {
  const wanted = users.map((user, index) => ({
    ...user,
    index,
    key: usernameKey(user.username),
  }));
  const made = new Map<number, UserRow>();
  for (;;) {
    const missing = wanted.filter(({ index }) => !made.has(index));
    // In the order of their names, so that two lists with the same ones wait, and do not deadlock.
    const { rows } = await sql<UserRow & { index: number }>`
      with wanted as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(missing)}::jsonb) as w
          (index integer, id bigint, username text, key text, "firstName" text, "lastName" text,
           email text, phone text, "userStatus" integer, "passwordHash" text)
      ), made as (
        insert into petstore.users as u
          (id, username, username_key, first_name, last_name, email, phone, user_status,
           password_hash, is_demo)
        select coalesce(w.id, petstore.next_id('users')), w.username, w.key, w."firstName",
               w."lastName", w.email, w.phone, w."userStatus", w."passwordHash", ${isDemo}::boolean
        from (select * from wanted order by key) w
        on conflict do nothing
        returning ${columns}, u.username_key
      )
      select w.index, ${columns} from made u join wanted w on w.key = u.username_key`.execute(tx);
    for (const { index, ...row } of rows) made.set(index, row);
    const taken = await findTaken(
      tx,
      wanted.filter(({ index }) => !made.has(index)),
    );
    if (taken) return taken;
    if (made.size === wanted.length) return wanted.map(({ index }) => made.get(index) as UserRow);
    // Only ids of ours were taken meanwhile; the next ones are others.
  }
}

/** Which of these users, that were not inserted, never can be; undefined where all may yet. */
async function findTaken(
  tx: Db,
  users: { index: number; id?: number; key: string }[],
): Promise<UserRefusal | undefined> {
  if (users.length === 0) return undefined;
  const { rows } = await sql<UserRefusal>`
    select w.index, case when u.username_key = w.key then 'username' else 'id' end as taken
    from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as w (index integer, id bigint, key text)
      join petstore.users u on u.username_key = w.key or u.id = w.id
    order by w.index
    limit 1`.execute(tx);
  return rows[0];
}

/** Locks the user against everybody else who changes it. */
export async function lockUser(tx: Tx, id: number): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select ${columns} from petstore.users u where u.id = ${id} for update`.execute(tx);
  return rows[0];
}

/**
 * Writes everything but the id over the user, who is locked; a password only where there is one.
 * Undefined where the username is somebody else's: the transaction has to be given up.
 */
export async function updateUser(
  tx: Tx,
  id: number,
  user: UserToWrite,
): Promise<UserRow | undefined> {
  try {
    const { rows } = await sql<UserRow>`
      update petstore.users u
      set username = ${user.username}, username_key = ${usernameKey(user.username)},
          first_name = ${user.firstName ?? null}, last_name = ${user.lastName ?? null},
          email = ${user.email ?? null}, phone = ${user.phone ?? null},
          user_status = ${user.userStatus ?? null},
          password_hash = coalesce(${user.passwordHash}, u.password_hash)
      where u.id = ${id}
      returning ${columns}`.execute(tx);
    return rows[0];
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'users_username_key_key')
      return undefined;
    throw error;
  }
}

export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await sql`delete from petstore.users where id = ${id}`.execute(tx);
}
