import { sql } from 'kysely'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isNear, SOME_USE } from './apart-bills.ts'
import { type Bill, billOf, isOfMostDays, isSameMeter, type LineBill, measureOf } from './bill-identity.ts'
import type { KeptBill } from './left-bills.ts'

/** Whether two bills are of two meters or accounts of which a user said before, for other days, that they bill one use. */
export type BilledTwice = (one: Bill, other: Bill) => boolean

type Row = { sourceId: string; out: Omit<KeptBill, 'sourceId'>; held: Omit<KeptBill, 'sourceId'> }

/**
 * The meters and accounts of the sources of lines whose bills were left out beside, or replaced by, one of another meter or account for the
 * same days: in any year, at the same facility.
 */
export async function readBilledTwice(
  db: Database,
  lines: readonly LineBill[],
  units: UnitTable,
): Promise<BilledTwice> {
  const named = lines.filter(({ meter, first, last }) => meter !== null && first !== last)
  if (named.length === 0) return () => false
  const { rows } = await sql<Row>`
    with own as (
      select o.id::text as source_id, s.customer_id, s.id from emission_sources o
      join emission_sources s on s.customer_id = o.customer_id and s.facility_id = o.facility_id and s.source_type = o.source_type
      where o.id = any(${[...new Set(named.map(({ sourceId }) => sourceId))]}::bigint[])),
    held as (
      select own.source_id, own.customer_id, own.id as held_source_id, r.id, r.period_start, r.period_end,
        jsonb_build_object('reference', r.reference, 'quantity', trim_scale(r.quantity)::text, 'unit', r.unit,
          'first', r.period_start::text, 'last', r.period_end::text) as held
      from own join activity_records r on r.customer_id = own.customer_id and r.source_id = own.id
      where r.replaced_at is null and r.reference is not null and r.unit is not null and r.quantity > 0)
    select h.source_id, l.left_bill as out, h.held from held h
    join activity_import_lines l on l.customer_id = h.customer_id and l.left_source_id = h.held_source_id
      and (l.left_bill ->> 'first')::date between h.period_start - 6 and h.period_start + 6
      and (l.left_bill ->> 'last')::date between h.period_end - 6 and h.period_end + 6
    join activity_imports i on i.customer_id = l.customer_id and i.id = l.import_id and i.undone_at is null
    union all
    select h.source_id, jsonb_build_object('reference', r.reference, 'quantity', trim_scale(r.quantity)::text, 'unit', r.unit,
      'first', r.period_start::text, 'last', r.period_end::text), h.held from held h
    join activity_records r on r.customer_id = h.customer_id and r.id = h.id and r.replaced_how = 'changed'
      and r.reference is not null and r.unit is not null and r.quantity > 0`.execute(db)
  const pairs = rows.flatMap(({ sourceId, out, held }) => {
    const [one, other] = [out, held].map((bill) => billOf({ ...bill, sourceId }, units))
    if (one === undefined || other === undefined || one.isCredit) return []
    const isPair = isOther(one, other) && isOfMostDays(one, other) && measureOf(one) === measureOf(other)
    return isPair && isNear(one, other, SOME_USE) ? [[one, other] as const] : []
  })
  const found = new Map(pairs.map((pair) => [keyOf(...pair), pair]))
  const known = Map.groupBy(found.values(), ([{ sourceId }]) => sourceId)
  return (one, other) =>
    isOther(one, other) &&
    (known.get(one.sourceId) ?? []).some(
      ([a, b]) => (isOf(one, a) && isOf(other, b)) || (isOf(one, b) && isOf(other, a)),
    )
}

const isOther = (one: Bill, other: Bill): boolean =>
  one.meter !== null && other.meter !== null && !isSameMeter(one.meter, other.meter)
const isOf = (one: Bill, other: Bill): boolean => isSameMeter(one.meter ?? '', other.meter ?? '')
const keyOf = (one: Bill, other: Bill): string =>
  [one.sourceId, ...[one.meter ?? '', other.meter ?? ''].toSorted()].join('\u001F')
