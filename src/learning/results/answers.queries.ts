import { sql } from 'kysely';

/** A subquery: the answer to item `i` of task `t` that counts in attempt `c`, the last one in it. */
export const countedAnswer = sql`(
  select x.answer, x.occurred_at from learning.activities x
  where x.topic = t.topic and x.user_id = c.user_id and x.item_digest = i.digest
    and (x.occurred_at, x.id) > (c.after_at, c.after_id)
    and (x.occurred_at, x.id)
        <= (coalesce(c.ended_at, 'infinity'),
            coalesce(c.ended_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  order by x.occurred_at desc, x.id desc limit 1
)`;
