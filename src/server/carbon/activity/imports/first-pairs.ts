import type { ColumnRole } from './column-roles.ts'
import { figureOf, type LineBill, type StoredBill } from './bill-identity.ts'
import { closest, groupByDays } from './likely-corrections.ts'
import type { ReadingPlan } from './read-line.ts'

/**
 * Bills of a first file that names no meter, several for some days: of several meters, or corrected, also if all days have several. Bills
 * of earlier files show what is usual.
 * @param lines bills without a meter, of one source. @param stored its bills that count
 * @returns by line, the earlier lines that it may correct
 */
export function firstPairs(
  lines: readonly LineBill[],
  { stored, plan }: { stored: readonly StoredBill[]; plan: Pick<ReadingPlan, 'proposal'> },
): ReadonlyMap<LineBill, ReadonlySet<LineBill>> {
  const found = new Map<LineBill, Set<LineBill>>()
  const isUsual = groupByDays(stored.filter(({ isCredit, first, last }) => !isCredit && first !== last)).some(
    ({ length }) => length > 1,
  )
  const groups = groupByDays(lines)
  const several = groups.filter(({ length }) => length > 1)
  if (isUsual || several.length === 0) return found
  const names = plan.proposal.evidence.filter(
    ({ role, isNumeric, isDate, isTime, isUnits }) =>
      !isNumeric && !isDate && !isTime && !isUnits && !(role !== null && NO_NAME.includes(role)),
  )
  const areNamedApart = (...pair: LineBill[]) =>
    names.some(({ place }) => {
      const cells = pair.map(({ read }) => (read.raw[place] ?? '').trim())
      return cells[0] !== cells[1] && cells.every((cell) => /\p{L}/u.test(cell) && !OF_READING.test(cell))
    })
  for (const group of several) {
    for (const [one, other] of closest(group, new Set())) {
      if (areNear(one, other) && !areNamedApart(one, other))
        found.set(other, (found.get(other) ?? new Set()).add(one))
    }
  }
  return found
}

/** A correction changes a bill, and has some of its use. */
function areNear(one: LineBill, other: LineBill): boolean {
  const [low, high] = [one, other].map(figureOf).toSorted((a, b) => a.comparedTo(b))
  return low !== undefined && high !== undefined && low.gte(high.times('0.5'))
}
/** Roles of columns whose words name no meter. */
const NO_NAME: readonly ColumnRole[] = ['comment', 'quality', 'reference', 'identifier']

/** How a meter was read, a bill came about, or whether something is so; no name of one. */
const OF_READING =
  /^(a|e|r|x|y|n|yes|no|true|false|ja|nein|oui|non|s[ií])$|estim|actual|read|correct|revis|adjust|rebill|prelim|provis|true.?up|amend|final|initial|original/i
