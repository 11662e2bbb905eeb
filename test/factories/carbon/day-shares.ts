import { expect } from 'vitest'
import { dayAfter, daysOf } from '#contract/days.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import type { TestApp } from '#test/app.ts'

/** When a facility was open and its ownership from each date on, in percent of the facility above it. */
export type Dated = {
  openedOn: string | null
  closedOn: string | null
  ownership: { from: string; percent: string }[]
}
type Bounds = {
  first: string
  last: string
  /** For each facility by ID: the facility and those above it. */
  chains: Readonly<Record<string, readonly Dated[]>>
}
type CurrentRecord = {
  id: string
  facility_id: string
  quantity: string
  period_start: string
  period_end: string
  kind: string
  source_id: string
}

/** An estimate counts only for the days without a bill: its period shrinks to them, and its quantity by as many days. */
function shrunk(one: CurrentRecord, all: readonly CurrentRecord[]): CurrentRecord | null {
  if (one.kind !== 'estimate') return one
  const bills = all.filter(({ source_id: id, kind }) => id === one.source_id && kind !== 'estimate')
  const count = daysOf(one.period_start, one.period_end)
  const free = Array.from({ length: count }, (_, at) => dayAfter(one.period_start, at)).filter((day) =>
    bills.every(({ period_start: from, period_end: to }) => day < from || day > to),
  )
  const [from] = free
  if (from === undefined) return null
  const quantity =
    free.length === count ? one.quantity : new Figure(one.quantity).times(free.length).div(count).toFixed(12)
  return { ...one, period_start: from, period_end: free.at(-1) ?? from, quantity }
}

/** The inclusion of a facility on a day by equity share, from 0 to 1: 0 before it opened and after it closed. */
function partOf(chain: readonly Dated[], day: string): Figure {
  const isOpen = chain.every(
    ({ openedOn, closedOn }) =>
      (openedOn === null || day >= openedOn) && (closedOn === null || day <= closedOn),
  )
  if (!isOpen) return new Figure(0)
  return chain.reduce((part, { ownership }) => {
    const [latest] = ownership
      .filter(({ from }) => from <= day)
      .toSorted((one, other) => (one.from < other.from ? 1 : -1))
    return part.times(latest?.percent ?? 0).div(100)
  }, new Figure(1))
}

/**
 * Spreads every current record of an inventory day by day, independently of the engine, and compares the results: each
 * month's share and the counted part. @returns the number of shares.
 */
export async function expectShares(
  owner: TestApp['owner'],
  { inventoryId }: { inventoryId: string },
  { first, last, chains }: Bounds,
): Promise<{ expected: number }> {
  const { rows } = await owner.query<CurrentRecord>(
    `select r.id::text, s.facility_id::text, coalesce(r.quantity, 1)::text as quantity, r.period_start::text, r.period_end::text, r.kind,
      s.id::text as source_id from activity_records r join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    where s.inventory_id = $1 and r.replaced_at is null`,
    [inventoryId],
  )
  const current = rows.flatMap((one) => shrunk(one, rows) ?? [])
  const expected = current.flatMap(
    ({ id, facility_id: facilityId, quantity, period_start: from, period_end: to }) => {
      const count = daysOf(from, to)
      const whole = new Figure(quantity)
      const aDay = whole.div(count).toDecimalPlaces(12, Figure.ROUND_DOWN)
      const months = new Map<string, { share: Figure; counted: Figure }>()
      for (let at = 0; at < count; at += 1) {
        const day = dayAfter(from, at)
        if (day < first || day > last) continue
        const month = `${day.slice(0, 7)}-01`
        const own = at === count - 1 ? whole.minus(aDay.times(count - 1)) : aDay
        const { share, counted } = months.get(month) ?? { share: new Figure(0), counted: new Figure(0) }
        const part = own.times(partOf(chains[facilityId] ?? [], day))
        months.set(month, { share: share.plus(own), counted: counted.plus(part) })
      }
      return [...months].map(([month, { share, counted }]) => ({
        id,
        month,
        share: plain(share),
        counted: plain(counted),
      }))
    },
  )
  const { rows: wrong } = await owner.query(
    `with expected as (select * from jsonb_to_recordset($2::jsonb) as e(id bigint, month date, share numeric, counted numeric))
    select coalesce(x.record_id, e.id) as record, coalesce(x.month, e.month) as month, x.part, x.method, x.quantity, e.share,
      x.amount, e.counted * w.multiplier as expected_amount
    from (select * from calculation_results where inventory_id = $1) x
    left join calculation_lines w on w.customer_id = x.customer_id and w.id = x.line_id
    full join expected e on e.id = x.record_id and e.month = x.month
    where x.id is null or e.id is null or x.quantity is distinct from e.share
      or abs(x.amount - e.counted * w.multiplier) > 1e-20`,
    [inventoryId, JSON.stringify(expected)],
  )
  expect(wrong).toEqual([])
  return { expected: expected.length }
}
