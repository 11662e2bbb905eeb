import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import type { TotalLine, Totals } from '#contract/carbon/results/ledger-schema.ts'

export type Method = 'location' | 'market'

/** Tonnes of a sum in kg, rounded once, here: three digits behind the point under one tonne, one above. */
export function tonnes(kg: string): string {
  const t = new Figure(kg).div(1000)
  if (t.isZero()) return '0'
  const places = t.abs().lt(1) ? 3 : 1
  // The sign apart: of -0.5 the whole part alone would have none.
  const [whole = '', rest = ''] = t.abs().toFixed(places).split('.')
  return `${t.isNegative() ? '-' : ''}${showFigure(whole, 40)}.${rest}`
}

/** "at least 12.4": a sum that lacks a result is never told as if it were whole. */
export const atLeast = (line: Pick<TotalLine, Method | 'missing'>, method: Method): string =>
  `${line.missing > 0 ? 'at least ' : ''}${tonnes(line[method])}`

/** The mark of a sum that was imported, or holds something that was; null for the others. */
export function importedOf(
  line: Pick<TotalLine, Method | 'imported' | 'importedMarket'>,
  method: Method,
): string | null {
  const imported = method === 'market' ? line.importedMarket : line.imported
  if (Number(imported) === 0) return null
  return imported === line[method] ? 'Imported' : `Of it imported: ${tonnes(imported)}`
}

const DENOMINATOR_WORDS = {
  revenue: 'revenue',
  floor_area: 'floor area',
  staff: 'people',
  vehicles_sold: 'vehicles sold',
  own: 'own',
} as const

/** What emissions are divided by, in the midst of a sentence. */
export const denominatorName = ({
  kind,
  name,
}: Pick<Totals['intensities'][number], 'kind' | 'name'>): string => name ?? DENOMINATOR_WORDS[kind]

/** Which rows of the ledger a number stands for, as it stands in the URL: "scope:3.1", "facility:12", "all:". */
export type LineRef = Readonly<{ by: 'all' | 'scope' | 'facility' | 'source' | 'month'; key: string }>

export const lineText = ({ by, key }: LineRef): string => `${by}:${key}`

/** Reads what `lineText` wrote; null for anything else. */
export function readLine(text: string | undefined): LineRef | null {
  const [by, ...rest] = (text ?? '').split(':')
  const kind = KINDS.find((one) => one === by)
  return kind === undefined ? null : { by: kind, key: rest.join(':') }
}

const KINDS = ['all', 'scope', 'facility', 'source', 'month'] as const

/** What the server is asked for. */
export function ledgerInput({ by, key }: LineRef) {
  if (by === 'scope') return { scope: key }
  if (by === 'facility') return { facilityId: key }
  if (by === 'source') return { sourceId: key }
  return by === 'month' ? { month: key } : {}
}
