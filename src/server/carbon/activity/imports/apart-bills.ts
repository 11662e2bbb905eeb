import { type Bill, type LineBill, figureOf } from './bill-identity.ts'
import type { ColumnEvidence } from './column-evidence.ts'
import { type ColumnRole, plainHeading } from './column-roles.ts'
import { isDevice } from './meters.ts'
import { isTariff } from './other-columns.ts'
import type { ReadingPlan } from './read-line.ts'
import { isTariffWord } from './tariff-words.ts'

/**
 * Whether columns tell two bills for the same days apart as those of two places, or as two tariffs. Other words, such as a status or a
 * supplier, may stand beside one bill that is there twice, and so may another price or the code of another tariff.
 * @param isOfCompanies whether their uses are those of two companies that bill one use: each has its price, and its name of the meter
 */
export function tellApart(
  { proposal }: Pick<ReadingPlan, 'proposal'>,
  { isOfCompanies = false } = {},
): (one: LineBill, other: LineBill) => boolean {
  const columns = proposal.evidence.flatMap(
    (column): { place: number; kind: 'place' | 'tariff' | 'words' }[] => {
      const { role, isNumeric, isDate, isTime, isUnits } = column
      if (isDate || isTime || isUnits) return []
      const { place } = column
      if (isOfCompanies && role === 'identifier' && isDevice(column)) return []
      if (isOfPlace(column)) return [{ place, kind: 'place' }]
      if (isTariff(column)) return [{ place, kind: 'tariff' }]
      return isNumeric || (role !== null && NO_NAME.includes(role)) ? [] : [{ place, kind: 'words' }]
    },
  )
  return (one, other) =>
    columns.some(({ place, kind }) => {
      const cells = [one, other].map(({ read }) => (read.raw[place] ?? '').trim())
      const [own = '', its = ''] = cells
      if (own === its || own === '' || its === '') return false
      if (kind === 'place' || cells.every(isTariffWord)) return true
      return (
        kind === 'tariff' &&
        !isOfCompanies &&
        one.use !== other.use &&
        areOtherTariffs(own, its, isNear(one, other, '0.8'))
      )
    })
}

/** Whether a bill has at least a share of the use of another one. */
export function isNear(one: Bill, other: Bill, share: string): boolean {
  const [low, high] = [one, other].map(figureOf).toSorted((a, b) => a.comparedTo(b))
  return low !== undefined && high !== undefined && low.gte(high.times(share))
}

/** How much of a bill another one for the same days has at least, if it was estimated or corrected. */
export const SOME_USE = '0.5'

/** Prices of day and night are far apart; those of a bill and its correction are not. A correction may have the code of another tariff. */
function areOtherTariffs(own: string, its: string, areNear: boolean): boolean {
  const prices = [own, its].map((text) => Number(text.replaceAll(/[^\d.,-]/g, '').replace(',', '.')))
  const [low = Number.NaN, high = Number.NaN] = prices.toSorted((a, b) => a - b)
  const arePrices = [own, its].every((text) => /^[^\p{L}]*\d[.,]?\d*[^\d]*$/u.test(text))
  return arePrices && low > 0 ? low < high * 0.8 : !areNear
}

/** Roles of columns whose words name no meter. */
const NO_NAME: readonly ColumnRole[] = ['comment', 'quality', 'reference', 'identifier']

/** Columns that say where or by whom energy is used. */
const PLACE =
  /(^| )(sites?|buildings?|bldg|propert(y|ies)|locations?|facilit(y|ies)|stores?|stations?|floors?|rooms?|suites?|tenants?|areas?|zones?|halls?|depots?|departments?|cost cent(er|re)s?|plants?|warehouses?|shops?|houses?|address|street|premises?|service (id|point)|equipment|machines?|devices?|tanks?|pumps?|boilers?|panels?|circuits?|containers?|bins?|skips?|sizes?|load type|usage type|standort|gebaude|objekt|filiale|halle|abteilung|kostenstelle|batiment|edificio|sede|local|lieu|vehicles?|drivers?|cards?|nicknames?|meters?|zahler|compteur|contador|contatore)( |$)/
const isOfPlace = ({ title, role }: ColumnEvidence): boolean =>
  role === 'facility' || PLACE.test(plainHeading(title))
