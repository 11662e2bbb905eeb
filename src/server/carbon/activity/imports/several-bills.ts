import { type Bill, hasOtherNumber, isOfMostDays, isSameMeter } from './bill-identity.ts'

/**
 * Whether a source usually has several bills for the same days, such as one of each meter: without the names of meters, a second number
 * for some days may also be a correction.
 * @param all the bills of all sources that count, stored or in the file.
 */
export function severalBills(all: readonly Bill[]): (one: Bill) => boolean | null {
  const bySource = Map.groupBy(
    all.filter(({ isCredit, first, last }) => !isCredit && first !== last),
    ({ sourceId }) => sourceId,
  )
  const counted = new Map<string, ReadonlyMap<Bill, boolean>>()
  const partnersIn = (sourceId: string) => {
    const own = (bySource.get(sourceId) ?? []).toSorted(
      (a, b) => Number(a.first > b.first) - Number(a.first < b.first),
    )
    const found = new Map(own.map((one) => [one, false]))
    for (const [at, one] of own.entries())
      for (let next = at + 1; next < own.length; next += 1) {
        const other = own[next]
        if (other === undefined || other.first > one.last) break
        if (!isBesideOther(one, other)) continue
        found.set(one, true)
        found.set(other, true)
      }
    return found
  }
  const known = new Map<string, boolean | null>()
  /** Of the days that aren't those of the bill; null: there are none. */
  return (one) => {
    const key = `${one.sourceId} ${one.first} ${one.last}`
    const before = known.get(key)
    if (before !== undefined) return before
    const partners = counted.get(one.sourceId) ?? partnersIn(one.sourceId)
    counted.set(one.sourceId, partners)
    const others = [...partners].filter(([other]) => !isOfMostDays(one, other))
    const several = others.filter(([, hasPartner]) => hasPartner).length
    const found = others.length === 0 ? null : several * 2 > others.length
    known.set(key, found)
    return found
  }
}

const isBesideOther = (one: Bill, other: Bill): boolean =>
  isOfMostDays(one, other) &&
  (hasOtherNumber(one, other) ||
    (one.meter !== null && other.meter !== null && !isSameMeter(one.meter, other.meter)))
