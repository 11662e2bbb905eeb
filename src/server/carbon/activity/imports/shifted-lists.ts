import { dayAfter } from '#contract/days.ts'
import { type LineBill, mayBeOfMeter, type StoredBill } from './bill-identity.ts'

/** How many days a bill, or a delivery of one day, may be away from itself in another list. */
const WITHIN = { period: 20, day: 7 }
/** How many different uses the lines of a list must have that is found by its uses alone, and how much of its new lines they are. */
export const LEAST = 2
export const SHARE = 0.6

/**
 * Lines of a list that has bills which are stored for other days, as a statement has the day of posting, and receipts that of the
 * purchase: most of its new lines have the use of a record nearby, each of another one, and not all the same use. Uses alone are often
 * equal, so single lines are never found.
 */
export function findShifted(
  lines: readonly LineBill[],
  stored: readonly StoredBill[],
): ReadonlyMap<LineBill, StoredBill> {
  const bills = lines.filter(({ isCredit }) => !isCredit)
  const keyOf = ({ sourceId, use }: LineBill | StoredBill) => `${sourceId} ${use}`
  const byUse = Map.groupBy(
    stored.filter(({ isCredit }) => !isCredit),
    keyOf,
  )
  const taken = new Set<StoredBill>()
  const found = new Map<LineBill, StoredBill>()
  for (const line of bills) {
    const near = (byUse.get(keyOf(line)) ?? []).find((one) => !taken.has(one) && isNearby(line, one))
    if (near === undefined) continue
    taken.add(near)
    found.set(line, near)
  }
  const uses = new Set([...found.keys()].map(({ use }) => use))
  return uses.size < LEAST || found.size < bills.length * SHARE ? new Map() : found
}

function isNearby(line: LineBill, one: StoredBill): boolean {
  const isDay = line.first === line.last
  if (isDay !== (one.first === one.last) || !mayBeOfMeter(line, one)) return false
  const days = isDay ? WITHIN.day : WITHIN.period
  return line.first <= dayAfter(one.first, days) && one.first <= dayAfter(line.first, days)
}
