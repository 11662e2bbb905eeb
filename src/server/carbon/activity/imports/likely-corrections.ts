import { type Bill, figureOf, hasOtherNumber, isNear, isOfMostDays, measureOf } from './bill-identity.ts'

/**
 * Without the names of meters, a second number for some days is a correction or the bill of another meter. Where a source has more bills
 * for some days than it usually has, the ones whose uses are closest may be corrections of each other. Deliveries of a day never are.
 * @param stored the records that count. @param lines those of the file, in its order
 * @returns by line, the record or the earlier line that it may correct
 */
export function likelyCorrections<S extends Bill, L extends Bill>(
  stored: readonly S[],
  lines: readonly L[],
): ReadonlyMap<L, S | L> {
  const isPeriod = ({ isCredit, first, last }: Bill) => !isCredit && first !== last
  const there = stored.filter(isPeriod)
  const known = new Set(there.map(keyOf))
  const fresh = lines.filter((one) => isPeriod(one) && !known.has(keyOf(one)))
  const found = new Map<L, S | L>()
  if (fresh.length === 0) return found
  const isStored = new Set<S | L>(there)
  const isLine = (one: S | L): one is L => !isStored.has(one)
  for (const own of Map.groupBy([...there, ...fresh], ({ sourceId }) => sourceId).values()) {
    const groups = groupByDays(own)
    const sizes = groups.map(({ length }) => length).toSorted((one, other) => other - one)
    for (const group of groups) {
      // Of the other days: what at least two of them have, if there are two.
      const others = sizes.toSpliced(sizes.indexOf(group.length), 1)
      const before = group.filter((one) => isStored.has(one)).length
      const usual = others[1] ?? others[0] ?? (before > 0 ? before : group.length)
      for (const [one, line] of closest(group, isStored).slice(0, Math.max(0, group.length - usual)))
        if (isLine(line)) found.set(line, one)
    }
  }
  return found
}

const keyOf = ({ sourceId, first, last, number, use }: Bill): string =>
  [sourceId, first, last, number, use].join(' ')

/** Bills that have most of their days in common. */
function groupByDays<T extends Bill>(all: readonly T[]): T[][] {
  const groups: T[][] = []
  let open: T[][] = []
  for (const one of all.toSorted((a, b) => Number(a.first > b.first) - Number(a.first < b.first))) {
    open = open.filter(([first]) => first !== undefined && first.last >= one.first)
    const own = open.find(([first]) => first !== undefined && isOfMostDays(first, one))
    if (own !== undefined) own.push(one)
    else {
      const group = [one]
      groups.push(group)
      open.push(group)
    }
  }
  return groups
}

/** Pairs of different numbers, not both stored or with names of meters, those with the closest uses first; each bill is in one. */
function closest<T extends Bill>(group: readonly T[], isStored: ReadonlySet<T>): [T, T][] {
  const pairs = group.flatMap((one, at) =>
    group.slice(at + 1).flatMap((other): [T, T][] => {
      const mayCorrect =
        hasOtherNumber(one, other) &&
        (one.meter === null || other.meter === null) &&
        measureOf(one) === measureOf(other) &&
        !isNear(one, other)
      if (!mayCorrect || (isStored.has(one) && isStored.has(other))) return []
      return [isStored.has(other) ? [other, one] : [one, other]]
    }),
  )
  const far = ([one, other]: [T, T]) => figureOf(one).minus(figureOf(other)).abs().toNumber()
  const used = new Set<T>()
  return pairs
    .toSorted((a, b) => far(a) - far(b))
    .filter((pair) => {
      if (pair.some((one) => used.has(one))) return false
      for (const one of pair) used.add(one)
      return true
    })
}
