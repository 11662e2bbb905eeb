import type pg from 'pg'
import { median } from './load.ts'
import type { Row } from './run.ts'

const ROUNDS = 15

/**
 * The latest vehicles across 50 customers, as platform staff could request them: the first ones of each customer by
 * index, then the first of those. Compared with one statement over all customers. SQL only, because no screen needs it yet.
 */
export async function measureManyCustomers(client: pg.Client): Promise<Row> {
  const found = await client.query<{ ids: string[] }>(
    `select array_agg(id) as ids from (select id from customers where name like 'Bench %' order by id limit 50) c`,
  )
  const ids = [found.rows[0]?.ids ?? []]
  const latest = `select v.customer_id, v.id, v.updated_at from vehicles v where v.customer_id = `
  const lateral = `select f.* from unnest($1::bigint[]) c (id)
    cross join lateral (${latest} c.id order by v.updated_at desc, v.id desc limit 50) f
    order by f.updated_at desc, f.id desc limit 50`
  const plain = `${latest} any($1::bigint[]) order by v.updated_at desc, v.id desc limit 50`
  const timeOf = async (text: string) => {
    const startedAt = performance.now()
    await client.query(text, ids)
    return performance.now() - startedAt
  }
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    pairs.push({ ours: await timeOf(lateral), theirs: await timeOf(plain) })
  }
  const ours = median(pairs.map((pair) => pair.ours))
  return {
    what: 'latest 50 vehicles across 50 customers, SQL only',
    measured: `${ours.toFixed(1)} ms`,
    comparison: `= any() ${median(pairs.map((pair) => pair.theirs)).toFixed(1)} ms; goal 5 ms`,
    ratio: (ours / 5).toFixed(2),
  }
}
