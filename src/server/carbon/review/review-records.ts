import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import { recalculateStale } from '../calculation/recalculate.ts'
import { lockOpenInventoryRow } from '../staleness/lock-inventory-row.ts'
import { resultOfRecord } from '../calculation/changed-approvals.ts'

type ChosenRecords = readonly {
  id: string
  version: number
  /** The result that the reviewer saw. */
  seen?: { kg: string | null; marketKg: string | null } | undefined
}[]
type Move = 'submit' | 'approve' | 'return'
type ReviewedRecord = {
  id: string
  version: number
  status: string
  submittedBy: string | null
  inventoryId: string
}

const FROM: Readonly<Record<Move, { statuses: readonly string[]; otherwise: string }>> = {
  submit: { statuses: ['draft', 'returned'], otherwise: 'This record is already in review or approved.' },
  approve: { statuses: ['submitted'], otherwise: 'This record has not been submitted for review.' },
  return: {
    statuses: ['submitted', 'approved'],
    otherwise: 'This record has not been submitted for review.',
  },
}
const TO = { submit: 'submitted', approve: 'approved', return: 'returned' } as const

/**
 * Changes the review status of records. Records that changed since the caller loaded them are skipped and listed.
 * @throws Failure 404 and 409 for the inventory.
 */
export async function changeReviewStatus(
  db: Database,
  { effectiveUserId }: { effectiveUserId: string },
  {
    inventoryId,
    records,
    move,
    comment,
  }: { inventoryId: string; records: ChosenRecords; move: Move; comment: string | null },
): Promise<{ moved: number; refused: { id: string; message: string }[] }> {
  const inventory = await lockOpenInventoryRow(db, inventoryId)
  const { rows } = await sql<ReviewedRecord>`
    select r.id::text, r.version, r.status, r.submitted_by::text, s.inventory_id::text from activity_records r
    join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    where r.id = any(${records.map(({ id }) => id)}::bigint[]) and r.replaced_at is null for update of r`.execute(
    db,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const changed = move === 'approve' ? await findChangedResults(db, inventoryId, records) : new Map()
  const checked = records.map(({ id, version }) => ({
    id,
    message:
      refusalOf(byId.get(id), version, { move, inventory, effectiveUserId }) ?? changed.get(id) ?? null,
  }))
  const ids = checked.filter(({ message }) => message === null).map(({ id }) => id)
  await writeStatus(db, ids, { move, comment, effectiveUserId })
  return {
    moved: ids.length,
    refused: checked.flatMap(({ id, message }) => (message === null ? [] : [{ id, message }])),
  }
}

/** An approval keeps the result that was approved; every other move takes it back. */
async function writeStatus(
  db: Database,
  ids: readonly string[],
  { move, comment, effectiveUserId }: { move: Move; comment: string | null; effectiveUserId: string },
): Promise<void> {
  if (ids.length === 0) return
  const name = sql`nullif(current_setting('app.actor_name', true), '')`
  const submitter =
    move === 'submit' ? sql`${effectiveUserId}::bigint, ${name}` : sql`r.submitted_by, r.submitted_by_name`
  const approval =
    move === 'approve'
      ? sql`x.location, x.market, app_now(), ${name}`
      : sql`null::numeric, null::numeric, null::timestamptz, null`
  await sql`update activity_records r set status = ${TO[move]}, review_comment = ${comment},
      (submitted_by, submitted_by_name) = (select ${submitter}),
      (approved_location, approved_market, approved_at, approved_by) = (select ${approval} from (${resultOfRecord(sql`r`)}) x)
    where r.id = any(${[...ids]}::bigint[]) and r.replaced_at is null`.execute(db)
}

/**
 * Recalculates what is stale, so that records are approved with the result they keep.
 * @returns why records can't be approved, by ID: their result is another one than the reviewer saw, or isn't known yet.
 */
async function findChangedResults(
  db: Database,
  inventoryId: string,
  records: ChosenRecords,
): Promise<Map<string, string>> {
  const ids = records.map(({ id }) => id)
  const before = await readShownResults(db, ids)
  await recalculateStale(db, inventoryId)
  const after = await readShownResults(db, ids)
  return new Map(
    records.flatMap(({ id, seen = before.get(id) }): [string, string][] => {
      const now = after.get(id)
      if (now === undefined || seen === undefined) return []
      if (now.isStale) return [[id, 'The result is being recalculated. Review the record again in a minute.']]
      if (isSame(seen.kg, now.kg) && isSame(seen.marketKg, now.marketKg)) return []
      const [was, is] = isSame(seen.kg, now.kg) ? [seen.marketKg, now.marketKg] : [seen.kg, now.kg]
      return [[id, `The result is ${show(is)} now, not ${show(was)}. Review the record again.`]]
    }),
  )
}

const isSame = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : new Figure(one).equals(other)
const show = (kg: string | null): string => (kg === null ? 'missing' : `${showFigure(kg, 9)} kg CO2e`)

type ShownResult = { id: string; kg: string | null; marketKg: string | null; isStale: boolean }

/** The results as the review shows them: without upstream emissions. */
async function readShownResults(db: Database, ids: readonly string[]): Promise<Map<string, ShownResult>> {
  const { rows } = await sql<ShownResult>`
    select r.id::text, trim_scale(x.location)::text as kg, trim_scale(x.market)::text as market_kg,
      exists (select from stale_sources d where d.customer_id = r.customer_id and d.source_id = r.source_id) as is_stale
    from activity_records r cross join lateral (${resultOfRecord(sql`r`, { isMainOnly: true })}) x
    where r.id = any(${[...ids]}::bigint[]) and r.replaced_at is null`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

function refusalOf(
  found: ReviewedRecord | undefined,
  version: number,
  {
    move,
    inventory,
    effectiveUserId,
  }: { move: Move; inventory: { id: string; twoPersonApproval: boolean }; effectiveUserId: string },
): string | null {
  if (found === undefined || found.inventoryId !== inventory.id) return 'This record has been deleted.'
  if (found.version !== version) return 'Someone else changed this record in the meantime.'
  const { statuses, otherwise } = FROM[move]
  if (!statuses.includes(found.status)) return otherwise
  const isSubmitter =
    move === 'approve' && inventory.twoPersonApproval && found.submittedBy === effectiveUserId
  return isSubmitter ? 'You submitted this record, so someone else must approve it.' : null
}
