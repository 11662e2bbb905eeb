import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import type { TotalLine, Totals } from '#contract/carbon/results/ledger-schema.ts'

export type Method = 'location' | 'market'

/** A total in kg as tonnes, rounded only here: three decimal places below one tonne, otherwise one. */
export function tonnes(kg: string): string {
  const t = new Figure(kg).div(1000)
  if (t.isZero()) return '0'
  const places = t.abs().lt(1) ? 3 : 1
  // The sign is added separately: the integer part of -0.5 has none.
  const [whole = '', rest = ''] = t.abs().toFixed(places).split('.')
  return `${t.isNegative() ? '-' : ''}${showFigure(whole, 40)}.${rest}`
}

/** "at least 12.4" if results are missing, so that the total isn't taken for complete. */
export const atLeast = (line: Pick<TotalLine, Method | 'missing'>, method: Method): string =>
  `${line.missing > 0 ? 'at least ' : ''}${tonnes(line[method])}`

/** A note for a total that was imported in full or in part; null for others. */
export function importedOf(
  line: Pick<TotalLine, Method | 'imported' | 'importedMarket'>,
  method: Method,
): string | null {
  const imported = method === 'market' ? line.importedMarket : line.imported
  if (Number(imported) === 0) return null
  return imported === line[method] ? 'Imported' : `Including imported: ${tonnes(imported)}`
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

/** The ledger rows behind a total. In the URL: "scope:3.1", "facility:12", "all:". */
export type LineRef = Readonly<{ by: 'all' | 'scope' | 'facility' | 'source' | 'month'; key: string }>

export const lineText = ({ by, key }: LineRef): string => `${by}:${key}`

/** Parses the text of `lineText`; null for anything else. */
export function readLine(text: string | undefined): LineRef | null {
  const [by, ...rest] = (text ?? '').split(':')
  const kind = KINDS.find((one) => one === by)
  return kind === undefined ? null : { by: kind, key: rest.join(':') }
}

const KINDS = ['all', 'scope', 'facility', 'source', 'month'] as const

/** The filter of a line for the ledger endpoint. */
export function ledgerInput({ by, key }: LineRef) {
  if (by === 'scope') return { scope: key }
  if (by === 'facility') return { facilityId: key }
  if (by === 'source') return { sourceId: key }
  return by === 'month' ? { month: key } : {}
}
