import { isNear, SOME_USE } from './apart-bills.ts'
import type { LineBill, StoredBill } from './bill-identity.ts'
import { closest, groupByDays } from './likely-corrections.ts'

/**
 * Bills of a first file, several for some days: of several meters, or corrected, also if all days have several. Bills of earlier files
 * show what is usual.
 * @param lines bills of one meter of a source, or those without a name of one. An account with several meters has several bills, too:
 * they are asked about only if all of them are as near as corrections are. @param stored its bills that count
 * @param areApart whether columns tell two bills apart
 * @returns by line, the earlier lines that it may correct
 */
export function firstPairs(
  lines: readonly LineBill[],
  {
    stored,
    hasMeter,
    areApart,
  }: {
    stored: readonly StoredBill[]
    hasMeter: boolean
    areApart: (one: LineBill, other: LineBill) => boolean
  },
): ReadonlyMap<LineBill, ReadonlySet<LineBill>> {
  const found = new Map<LineBill, Set<LineBill>>()
  const isUsual = groupByDays(stored.filter(({ isCredit, first, last }) => !isCredit && first !== last)).some(
    ({ length }) => length > 1,
  )
  const several = groupByDays(lines).filter(({ length }) => length > 1)
  if (isUsual || several.length === 0) return found
  // A correction changes a bill, and has some of its use.
  const share = hasMeter ? '0.8' : SOME_USE
  for (const group of several) {
    const near = closest(group, new Set()).filter(([one, other]) => isNear(one, other, share))
    if (hasMeter && near.length === 0) return new Map()
    for (const [one, other] of near)
      if (!areApart(one, other)) found.set(other, (found.get(other) ?? new Set()).add(one))
  }
  return found
}
