import { sql } from 'kysely'
import { dealerKey } from '#contract/customers/lots/lots.ts'
import { type dealerIds, MOST_UNMATCHED } from '#contract/customers/lots/dealer-ids.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { explainRefusal, readLot } from './lots.ts'

/** Numbers by which feeds name lots: which of them lead nowhere yet, and where they are to lead. */
export const dealerIdHandlers: Handlers<typeof dealerIds> = {
  unmatched: ({ db, actor }) =>
    db
      .selectFrom('unmatchedDealerIds as u')
      .select(['u.id', 'u.dealerId', 'u.source', 'u.rows', 'u.firstSeenAt', 'u.lastSeenAt'])
      .where('u.customerId', '=', actor.customerId)
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('lotDealerIds as d')
              .whereRef('d.customerId', '=', 'u.customerId')
              .whereRef('d.dealerKey', '=', 'u.dealerKey'),
          ),
        ),
      )
      .orderBy('u.rows', 'desc')
      .orderBy('u.id')
      .limit(MOST_UNMATCHED)
      .execute(),

  async assign({ db, input: { id, lotId } }) {
    const named = await db
      .selectFrom('unmatchedDealerIds')
      .select('dealerId')
      .where('id', '=', id)
      .executeTakeFirst()
    if (named === undefined) throw notFound('Dealer id')
    const lot = await explainRefusal(
      db
        .updateTable('lots')
        .set({ dealerIds: sql`dealer_ids || ${named.dealerId}::text` })
        .where('id', '=', lotId)
        .where(sql<boolean>`cardinality(dealer_ids) < 50`)
        .where(
          sql<boolean>`not exists (select from unnest(dealer_ids) one where lower(btrim(one)) = ${dealerKey(named.dealerId)})`,
        )
        .returning('id')
        .executeTakeFirst(),
    )
    const current = await readLot(db, lotId)
    if (lot === undefined) throw conflict('This lot has that dealer id already, or 50 of them.')
    return current
  },

  async release({ db, input: { lotId, dealerId } }) {
    const key = dealerKey(dealerId)
    await db
      .updateTable('lots')
      .set({
        dealerIds: sql`array(select one from unnest(dealer_ids) one where lower(btrim(one)) <> ${key})`,
      })
      .where('id', '=', lotId)
      .where(sql<boolean>`exists (select from unnest(dealer_ids) one where lower(btrim(one)) = ${key})`)
      .execute()
    return readLot(db, lotId)
  },
}

/** A lot, and the organization its vehicles belong to. */
export type DealerLot = Readonly<{ lotId: string; organizationId: string }>

/**
 * Where the dealer ids of feeds lead, over the lots that the transaction reaches: another rooftop's lead nowhere.
 * @returns undefined for an id no lot has.
 */
export async function lotsByDealerId(db: Database): Promise<(dealerId: string) => DealerLot | undefined> {
  const { rows } = await sql<DealerLot & { dealerKey: string }>`
    select d.dealer_key, l.id as lot_id, l.organization_id from lot_dealer_ids d
    join lots l on l.customer_id = d.customer_id and l.id = d.lot_id`.execute(db)
  const lots = new Map(rows.map(({ dealerKey: key, ...lot }) => [key, lot]))
  return (dealerId) => lots.get(dealerKey(dealerId))
}

/**
 * Puts dealer ids that no lot has where somebody can give them to one. `source`: what the feed is called. Rows of one run
 * add up, those of the next begin anew.
 */
export async function noteUnmatchedDealers(
  db: Database,
  { run, source }: { run: string | null; source: string | null },
  dealers: readonly { dealerId: string; rows: number }[],
): Promise<void> {
  const noted = new Map<string, { dealerId: string; dealerKey: string; rows: number }>()
  for (const { dealerId, rows } of dealers) {
    const key = dealerKey(dealerId).slice(0, 100)
    if (key === '' || rows < 1) continue
    const before = noted.get(key)
    noted.set(key, {
      dealerId: dealerId.trim().slice(0, 100),
      dealerKey: key,
      rows: rows + (before?.rows ?? 0),
    })
  }
  if (noted.size === 0) return
  await sql`
    insert into unmatched_dealer_ids as u (dealer_id, dealer_key, source, run, rows)
    select n."dealerId", n."dealerKey", ${source}::text, ${run}::text, n.rows
    from json_to_recordset(${JSON.stringify([...noted.values()])}::json) as n ("dealerId" text, "dealerKey" text, rows int)
    order by n."dealerKey"
    on conflict (customer_id, dealer_key) do update set
      rows = case when u.run = excluded.run then least(u.rows::bigint + excluded.rows, 2000000000)::int else excluded.rows end,
      dealer_id = excluded.dealer_id, source = excluded.source, run = excluded.run, last_seen_at = app_now()`.execute(
    db,
  )
}
