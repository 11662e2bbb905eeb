import {
  type Bill,
  figureOf,
  hasOtherNumber,
  isOfMostDays,
  mayBeOfMeter,
  measureOf,
} from './bill-identity.ts'

/**
 * A second number for some days is a correction, or another bill, such as that of a meter whose name is missing. Where a source has more
 * bills for some days than it usually has, the ones whose uses are closest may be corrections of each other. Deliveries of a day never are.
 * @param stored the records that count. @param lines those of the file, in its order
 * @param hasMeter all are of one meter that is named: several bills for some days are usual only if three other groups show it. Without
 * names, those of a first file are usual, and a later file may have the bills of another meter: only the user knows.
 * @param isKnown whether a line repeats a record: it shows what is usual as that does.
 * @param isEstimate whether a bill is called an estimate; null if it doesn't say. Beside one that was read, it is corrected.
 * @returns by line, the records or the earlier lines that it may correct
 */
export function likelyCorrections<S extends Bill, L extends Bill>(
  stored: readonly S[],
  lines: readonly L[],
  {
    hasMeter,
    isKnown = () => false,
    isEstimate = () => null,
  }: {
    hasMeter: boolean
    isKnown?: (line: L) => boolean
    isEstimate?: (one: S | L) => boolean | null
  },
): ReadonlyMap<L, ReadonlySet<S | L>> {
  const isPeriod = ({ isCredit, first, last }: Bill) => !isCredit && first !== last
  const there = stored.filter(isPeriod)
  const known = new Set(there.map(keyOf))
  const fresh = lines.filter((one) => isPeriod(one) && !known.has(keyOf(one)))
  const found = new Map<L, Set<S | L>>()
  if (fresh.length === 0) return found
  const isStored = new Set<S | L>(there)
  const isLine = (one: S | L): one is L => !isStored.has(one)
  const isThere = (one: S | L) => !isLine(one) || isKnown(one)
  for (const own of Map.groupBy([...there, ...fresh], ({ sourceId }) => sourceId).values()) {
    const groups = groupByDays(own)
    // What is there was asked about before.
    const sizes = groups.map((group) => group.filter(isThere).length)
    const shown = sizes.some((size) => size > 1) ? 1 : 3
    // What a file adds to days that are there shows nothing, and without names, neither does what it adds after them.
    const isFirst = hasMeter || sizes.every((size) => size === 0)
    const usualOf = usualSizes(
      groups.map((group, at) => sizes[at] || (isFirst ? group.length : null)),
      hasMeter ? shown : 2,
    )
    const usuals = wholeRuns(
      groups.map((group) => ({ size: group.length, isNew: group.some((one) => !isThere(one)) })),
      groups.map((group, at) => usualOf(at) ?? (hasMeter ? 1 : sizes[at] || group.length)),
    )
    for (const [at, group] of groups.entries()) {
      const usual = usuals[at] ?? 1
      if (group.length <= usual) {
        for (const [one, line] of estimatesIn(group, isEstimate))
          if (isLine(line)) found.set(line, (found.get(line) ?? new Set()).add(one))
        // Most groups are as usual, and pairs are many in a large one.
        continue
      }
      for (const [one, line] of closest(group, isStored, isThere).slice(0, group.length - usual))
        if (isLine(line)) found.set(line, (found.get(line) ?? new Set()).add(one))
    }
  }
  return found
}

/** An estimate and a bill that was read, in the order of the file. */
function estimatesIn<T extends Bill>(group: readonly T[], isEstimate: (one: T) => boolean | null): [T, T][] {
  const said = group.filter((one) => isEstimate(one) !== null)
  if (new Set(said.map(isEstimate)).size < 2) return []
  return said.flatMap((one, at) =>
    said
      .slice(at + 1)
      .filter((other) => isEstimate(other) !== isEstimate(one) && mayBeOfMeter(one, other))
      .slice(0, 1)
      .map((other): [T, T] => [one, other]),
  )
}

/**
 * Groups beside one that has more bills than usual, and that have more than it has usually, are as unusual: a run is asked about whole.
 * What is there shows nothing about the others.
 */
function wholeRuns(
  groups: readonly Readonly<{ size: number; isNew: boolean }>[],
  usual: readonly number[],
): number[] {
  const all = [...usual]
  const spread = (at: number, beside: number) => {
    const [own, other] = [groups[at], groups[beside]]
    const limit = all[beside] ?? 0
    if (own === undefined || other === undefined) return
    if (other.isNew && other.size > limit && own.size > limit) all[at] = Math.min(all[at] ?? own.size, limit)
  }
  for (let at = 1; at < all.length; at += 1) spread(at, at - 1)
  for (let at = all.length - 2; at >= 0; at -= 1) spread(at, at + 1)
  return all
}

/**
 * How many bills are usual for some days: not more than on `enough` others, and not more than around them, where a meter may begin or
 * end. @param sizes of the groups, by day; null: it shows nothing. @returns null if there is no other group
 */
function usualSizes(sizes: readonly (number | null)[], enough: 1 | 2 | 3): (at: number) => number | null {
  return (at) => {
    const shownBy = (from: number, to?: number) => sizes.slice(from, to).filter((size) => size !== null)
    const others = [...shownBy(0, at), ...shownBy(at + 1)].toSorted((one, other) => other - one)
    const around = [shownBy(Math.max(0, at - 2), at), shownBy(at + 1, at + 3)]
    const most = around.filter(({ length }) => length > 0).map((near) => Math.max(...near))
    const shown = others[enough - 1] ?? (enough === 3 ? 1 : (others[0] ?? 1))
    return others.length === 0 ? null : Math.min(shown, ...most)
  }
}

const keyOf = ({ sourceId, first, last, number, use }: Bill): string =>
  [sourceId, first, last, number, use].join(' ')

/** Bills that have most of their days in common. */
export function groupByDays<T extends Bill>(all: readonly T[]): T[][] {
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

/** Pairs of different numbers or without any, not both stored or of different meters, those with the closest uses first; none closes a circle. */
export function closest<T extends Bill>(
  group: readonly T[],
  isStored: ReadonlySet<T>,
  isThere = (one: T): boolean => isStored.has(one),
): [T, T][] {
  const pairs = group.flatMap((one, at) =>
    group.slice(at + 1).flatMap((other): [T, T][] => {
      const mayCorrect =
        (hasOtherNumber(one, other) || (one.number === '' && other.number === '')) &&
        mayBeOfMeter(one, other) &&
        measureOf(one) === measureOf(other)
      if (!mayCorrect || (isThere(one) && isThere(other))) return []
      return [isStored.has(other) ? [other, one] : [one, other]]
    }),
  )
  const far = ([one, other]: [T, T]) => figureOf(one).minus(figureOf(other)).abs().toNumber()
  const joined = new Map(group.map((one, at) => [one, at]))
  return pairs
    .toSorted((a, b) => far(a) - far(b))
    .filter(([one, other]) => {
      const [a, b] = [joined.get(one), joined.get(other)]
      if (a === undefined || b === undefined || a === b) return false
      for (const [each, at] of joined) if (at === b) joined.set(each, a)
      return true
    })
}
