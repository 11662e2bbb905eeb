import { SCOPE3_CATEGORIES } from '#contract/carbon/inventories/inventory-schema.ts'
import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import type { TotalLine, Totals } from '#contract/carbon/activity/ledger-schema.ts'

export type Method = 'location' | 'market'

/**
 * A total in kg as tonnes, rounded only here: three decimal places below one tonne, otherwise one. What rounds to zero has
 * no sign and no decimal places.
 */
export function tonnes(kg: string): string {
  const t = new Figure(kg).div(1000)
  const places = t.abs().lt(1) ? 3 : 1
  if (t.toDecimalPlaces(places).isZero()) return '0'
  // The sign is added separately: the integer part of -0.5 has none.
  const [whole = '', rest = ''] = t.abs().toFixed(places).split('.')
  return `${t.isNegative() ? '\u2212' : ''}${showFigure(whole, 40)}.${rest}`
}

/**
 * A total, and what may be missing in it: results, expected data points, and relevant scope 3 categories without figures,
 * as far as the total covers them.
 */
type Incomplete = Pick<TotalLine, Method | 'missing'> & { points?: number; categories?: number }

/** "at least 12.4" if anything is missing, so that the total isn't taken for complete. */
export const atLeast = (line: Incomplete, method: Method): string =>
  `${isMinimum(line) ? 'at least ' : ''}${tonnes(line[method])}`

const isMinimum = ({ missing, points = 0, categories = 0 }: Incomplete): boolean =>
  missing + points + categories > 0

/** The total of an inventory with everything that may be missing in it. */
export const wholeTotal = ({ total, gaps }: Pick<Totals, 'total' | 'gaps'>): TotalLine & Incomplete => ({
  ...total,
  points: gaps.points,
  categories: gaps.categories.length,
})

/** A note for a total that was imported in full or in part; null for others. */
export function importedOf(
  line: Pick<TotalLine, Method | 'imported' | 'importedMarket'>,
  method: Method,
): string | null {
  const imported = method === 'market' ? line.importedMarket : line.imported
  if (Number(imported) === 0) return null
  return imported === line[method] ? 'Imported' : `Including imported: ${tonnes(imported)}`
}

/** "Published in CO2e: 12.3 t CO2e with AR5 GWPs. This inventory uses AR6."; null: all figures use the inventory's GWPs. */
export function otherGwpsNote(
  { otherGwps, inventory }: Pick<Totals, 'otherGwps'> & { inventory: Pick<Totals['inventory'], 'gwpSet'> },
  method: Method,
): string | null {
  const parts = otherGwps
    .filter((one) => Number(one[method]) !== 0)
    .map((one) => {
      const set = one.gwpSet === null ? 'a GWP set that the source does not state' : `${one.gwpSet} GWPs`
      return `${tonnes(one[method])} t CO2e with ${set}`
    })
  if (parts.length === 0) return null
  return `Published in CO2e: ${parts.join(', ')}. This inventory uses ${inventory.gwpSet}.`
}

/** "3 of 11 relevant categories with data, 1 not assessed": what is assessed isn't necessarily calculated. */
export function categoryCounts({
  scope3,
  scopes,
}: Pick<Totals, 'scope3'> & { scopes: readonly { key: string }[] }): string {
  const of = (wanted: string) => scope3.filter(({ relevance }) => relevance === wanted)
  const relevant = of('relevant')
  const withData = relevant.filter(({ category }) => scopes.some(({ key }) => key === `3.${category}`))
  const rated = relevant.length + of('not_relevant').length
  const open = SCOPE3_CATEGORIES.length - rated
  const words = `${withData.length} of ${relevant.length} relevant categories with data`
  return open === 0 ? words : `${words}, ${open} not assessed`
}

const DENOMINATOR_NOUNS = {
  revenue: 'revenue',
  floor_area: 'floor area',
  staff: 'employees',
  vehicles_sold: 'vehicles sold',
  own: 'custom',
} as const

/** The denominator of an intensity, within a sentence. */
export const denominatorName = ({
  kind,
  name,
}: Pick<Totals['intensities'][number], 'kind' | 'name'>): string => name ?? DENOMINATOR_NOUNS[kind]

/** The denominator after "per": "employee", "vehicle sold", or the unit. */
export function perUnit({ kind, unit }: Pick<Totals['intensities'][number], 'kind' | 'unit'>): string {
  if (kind === 'staff') return 'employee'
  return kind === 'vehicles_sold' ? 'vehicle sold' : unit
}
