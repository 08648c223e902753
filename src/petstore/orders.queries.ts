import { sql } from 'kysely';
import type { Db, Tx } from '../platform/database/database.ts';
import type { NewOrder, OrderStatus } from './orders.schemas.ts';

export interface OrderRow {
  id: number;
  pet_id: number;
  quantity: number;
  ship_date: Date | null;
  status: OrderStatus;
  complete: boolean;
}

const columns = sql`o.id, o.pet_id, o.quantity, o.ship_date, o.status, o.complete`;

export async function findOrders(db: Db, ids: readonly number[]): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select ${columns} from petstore.orders o where o.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

/**
 * Inserts the order, with a free id where it brings none, unless the pet is not there or the id is
 * taken. The pet's row is locked against deletion: there is no order for a pet that was gone.
 */
export async function insertOrder(
  db: Db,
  order: NewOrder,
): Promise<OrderRow | 'no-pet' | 'id-taken'> {
  const { id = null, petId, quantity = 1, shipDate = null, status = 'placed' } = order;
  const { complete = false } = order;
  for (;;) {
    const { rows } = await sql<OrderRow & { has_pet: boolean }>`
      with pet as materialized (
        select p.id from petstore.pets p where p.id = ${petId} for key share
      ), made as (
        insert into petstore.orders (id, pet_id, quantity, ship_date, status, complete)
        select coalesce(${id}::bigint, petstore.next_id('orders')), pet.id, ${quantity}::integer,
               ${shipDate}::timestamptz, ${status}::text, ${complete}::boolean
        from pet
        on conflict (id) do nothing
        returning id, pet_id, quantity, ship_date, status, complete
      )
      select exists (select from pet) as has_pet, ${columns}
      from (select) as once left join made o on true`.execute(db);
    const [row] = rows;
    if (!row?.has_pet) return 'no-pet';
    if (row.id !== null) return row;
    if (id !== null) return 'id-taken';
    // A client took the id that was free a moment ago; the next one is another.
  }
}

export async function lockOrder(tx: Tx, id: number): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`
    select ${columns} from petstore.orders o where o.id = ${id} for update`.execute(tx);
  return rows[0];
}

/** False where there is no such order. */
export async function deleteOrder(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from petstore.orders where id = ${id} returning 1`.execute(db);
  return rows.length === 1;
}

/** Quantities ordered, by status; every status is there. Sums beyond int32 are its maximum. */
export async function countInventory(db: Db): Promise<Record<OrderStatus, number>> {
  const { rows } = await sql<{ status: OrderStatus; quantity: number }>`
    select status, least(sum(quantity), 2147483647)::integer as quantity
    from petstore.orders group by status`.execute(db);
  return {
    placed: 0,
    approved: 0,
    delivered: 0,
    ...Object.fromEntries(rows.map(({ status, quantity }) => [status, quantity])),
  };
}
