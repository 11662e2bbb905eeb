import { sql } from 'kysely'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { type Bill, billOf, CREDITED_WITHIN, type LineBill, type StoredBill } from './bill-identity.ts'

type Row = Omit<StoredBill, keyof Bill> & Pick<Bill, 'sourceId' | 'first' | 'last'> & { isTyped?: boolean }

const columns = sql`r.id::text, r.version, ${instant(sql`r.created_at`)} as at, r.source_id::text, r.reference,
  trim_scale(r.quantity)::text as quantity, r.unit, r.period_start::text as first, r.period_end::text as last`
const counts = sql`(r.reference is not null or r.kind <> 'estimate') and r.replaced_at is null and r.unit is not null
  and r.quantity is not null`
function toBill({ isTyped = false, ...row }: Row, units: UnitTable): StoredBill {
  const bill = billOf({ ...row, reference: row.reference ?? '' }, units)
  // What a person called it, such as "waiting for the bill".
  return { ...row, ...bill, ...(isTyped && !/\d/.test(bill.number) && { number: '' }) }
}

/** How many days a bill may be away from its invoice. */
const INVOICED_WITHIN = 100

/** The current bills of the sources of lines, around their days. */
export async function readStored(
  db: Database,
  lines: readonly Pick<Bill, 'sourceId' | 'first' | 'last'>[],
  units: UnitTable,
): Promise<StoredBill[]> {
  if (lines.length === 0) return []
  const days = lines.flatMap(({ first, last }) => [first, last]).toSorted()
  const { rows } = await sql<Row>`select ${columns},
      not exists (select from activity_import_lines l where l.customer_id = r.customer_id and l.record_id = r.id) as is_typed
    from activity_records r
    where r.source_id = any(${[...new Set(lines.map(({ sourceId }) => sourceId))]}::bigint[]) and ${counts}
      and r.period_start <= ${days.at(-1)}::date + ${INVOICED_WITHIN}::int
      and r.period_end >= ${days[0]}::date - ${INVOICED_WITHIN}::int order by r.id`.execute(db)
  return rows.map((row) => toBill(row, units))
}

/** The bills at the end of the year before, in other inventories, of the same facility and type as the sources of lines, whose IDs they have. */
export async function readBefore(
  db: Database,
  lines: readonly LineBill[],
  { units, periodStart }: { units: UnitTable; periodStart: string },
): Promise<StoredBill[]> {
  if (lines.length === 0) return []
  const { rows } = await sql<Row & { ownId: string }>`select ${columns}, own.id::text as own_id
    from emission_sources own join emission_sources s on s.customer_id = own.customer_id and s.facility_id = own.facility_id
      and s.source_type = own.source_type and s.inventory_id <> own.inventory_id
    join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id
    where own.id = any(${[...new Set(lines.map(({ sourceId }) => sourceId))]}::bigint[]) and ${counts} and r.quantity > 0
      and r.period_start < ${periodStart}::date and r.period_end >= ${periodStart}::date - ${CREDITED_WITHIN}::int
    order by r.id`.execute(db)
  return rows.map(({ ownId, ...row }) => ({ ...toBill(row, units), sourceId: ownId }))
}

/** A bill as it was before a correction, which has its ID, or before it was deleted. `isDeletedByHand`: not with its import. */
export type FormerBill = StoredBill & Readonly<{ isDeletedByHand: boolean }>

/** Former bills in the sources of lines and around their days. */
export async function readFormer(
  db: Database,
  lines: readonly LineBill[],
  units: UnitTable,
): Promise<FormerBill[]> {
  if (lines.length === 0) return []
  const days = lines.flatMap(({ first, last }) => [first, last]).toSorted()
  const { rows } = await sql<Row & { isDeletedByHand: boolean }>`select ${columns},
      r.replaced_how = 'deleted' and not exists (select from activity_import_lines l
        join activity_imports i on i.customer_id = l.customer_id and i.id = l.import_id
        where l.customer_id = r.customer_id and l.record_id = r.id and i.undone_at is not null) as is_deleted_by_hand
    from activity_records r
    where r.source_id = any(${[...new Set(lines.map(({ sourceId }) => sourceId))]}::bigint[])
      and r.replaced_how in ('changed', 'deleted') and r.unit is not null and r.quantity is not null
      and r.period_start <= ${days.at(-1)}::date and r.period_end >= ${days[0]}::date - ${CREDITED_WITHIN}::int
    order by r.id, r.version`.execute(db)
  return rows.map((row) => ({ ...toBill(row, units), isDeletedByHand: row.isDeletedByHand }))
}

/** The current bills of these sources for exactly the days of lines. */
export async function readOfDays(
  db: Database,
  lines: readonly LineBill[],
  { sourceIds, units }: { sourceIds: readonly string[]; units: UnitTable },
): Promise<StoredBill[]> {
  if (lines.length === 0 || sourceIds.length === 0) return []
  const days = [...new Set(lines.map(({ first, last }) => `${first} ${last}`))].map((one) => one.split(' '))
  const { rows } = await sql<Row>`select ${columns} from activity_records r
    join unnest(${days.map(([first]) => first)}::date[], ${days.map(([, last]) => last)}::date[]) d (first, last)
      on r.period_start = d.first and r.period_end = d.last
    where r.source_id = any(${[...sourceIds]}::bigint[]) and ${counts} order by r.id`.execute(db)
  return rows.map((row) => toBill(row, units))
}
