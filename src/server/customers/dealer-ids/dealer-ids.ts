import { sql } from 'kysely'
import { dealerKey } from '#contract/customers/lots/lots.ts'
import { type dealerIds, MAX_UNMATCHED } from '#contract/customers/dealer-ids/dealer-ids.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { lotTable } from '../lots/lots.ts'

/** Dealer IDs in feeds that aren't linked to a lot, and linking them. */
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
      .limit(MAX_UNMATCHED)
      .execute(),

  async assign({ db, input: { id, lotId } }) {
    const unmatched = await db
      .selectFrom('unmatchedDealerIds')
      .select('dealerId')
      .where('id', '=', id)
      .executeTakeFirst()
    if (unmatched === undefined) throw notFound('Dealer ID')
    const lot = await lotTable.explain(
      db
        .updateTable('lots')
        .set({ dealerIds: sql`dealer_ids || ${unmatched.dealerId}::text` })
        .where('id', '=', lotId)
        .where(sql<boolean>`cardinality(dealer_ids) < 50`)
        .where(
          sql<boolean>`not exists (select from unnest(dealer_ids) one where lower(btrim(one)) = ${dealerKey(unmatched.dealerId)})`,
        )
        .returning('id')
        .executeTakeFirst(),
    )
    const current = await lotTable.read(db, lotId)
    if (lot === undefined) throw conflict('This lot already has this dealer ID, or the maximum of 50.')
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
    return lotTable.read(db, lotId)
  },
}

/** A lot, and the organization its vehicles belong to. */
export type DealerLot = Readonly<{ lotId: string; organizationId: string }>

/**
 * Looks up lots by dealer ID among the lots visible to the transaction; other rooftops' lots are not found.
 * @returns a function that returns undefined for an unknown ID.
 */
export async function lotsByDealerId(db: Database): Promise<(dealerId: string) => DealerLot | undefined> {
  const { rows } = await sql<DealerLot & { dealerKey: string }>`
    select d.dealer_key, l.id as lot_id, l.organization_id from lot_dealer_ids d
    join lots l on l.customer_id = d.customer_id and l.id = d.lot_id`.execute(db)
  const lots = new Map(rows.map(({ dealerKey: key, ...lot }) => [key, lot]))
  return (dealerId) => lots.get(dealerKey(dealerId))
}

/**
 * Records dealer IDs that aren't linked to a lot, for users to link. `source`: the feed's name. Row counts add up within a run
 * and restart with the next.
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
