import type { ColumnEvidence } from './column-evidence.ts'
import { type ColumnRole, plainHeading } from './column-roles.ts'
import { figureOf, type LineBill, type StoredBill } from './bill-identity.ts'
import { closest, groupByDays } from './likely-corrections.ts'
import { isTariff } from './other-columns.ts'
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
  const names = plan.proposal.evidence.filter(({ role, isNumeric, isDate, isTime, isUnits }) => {
    const isWords = !isNumeric && !isDate && !isTime && !isUnits
    return isWords && !(role !== null && NO_NAME.includes(role))
  })
  /** Two places or two tariffs. Other words, such as a status or a supplier, may stand beside one bill that is there twice. */
  const areNamedApart = (...pair: LineBill[]) =>
    names.some((column) => {
      const cells = pair.map(({ read }) => (read.raw[column.place] ?? '').trim())
      if (cells[0] === cells[1] || !cells.every((cell) => /\p{L}/u.test(cell))) return false
      return (
        isTariff(column) || isOfPlace(column) || cells.every((cell) => IS_TARIFF.test(plainHeading(cell)))
      )
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

/** Columns that say where or by whom energy is used. */
const PLACE =
  /(^| )(sites?|buildings?|propert(y|ies)|locations?|facilit(y|ies)|stores?|stations?|floors?|rooms?|suites?|tenants?|areas?|zones?|halls?|depots?|departments?|plants?|warehouses?|shops?|houses?|address|street|premises?|equipment|machines?|devices?|tanks?|pumps?|boilers?|standort|gebaude|objekt|filiale|halle|abteilung|batiment|edificio|sede|local|lieu|vehicles?|drivers?|cards?|meters?|zahler|compteur|contador|contatore)( |$)/
const isOfPlace = ({ title, role }: ColumnEvidence): boolean =>
  role === 'facility' || PLACE.test(plainHeading(title))

/** The parts of a day or of a price. */
const IS_TARIFF =
  /^((on|off|mid|super off|part|partial) ?peak|peak|shoulder|day|night|weekend|evening|economy ?\d*|high|low|normal|[hnpt][tcpb]?\d?|hoch|niedertarif|hochtarif|tag|nacht|heures? (pleines?|creuses?)( .*)?|punta|llano|valle|tier ?\d+|tranche ?\d+|baseline|fascia ?f?\d|f\d)$/
