import { canonicalValue } from '#contract/vehicles/vin/canonical.ts'
import type { FeedTarget } from './mapping.ts'
import { readNumber } from './read-feed-number.ts'
import { type FeedRow, textOf } from './source-row.ts'

/** A column that could fill a field. `rank`: the place of its name among the names of the field; 50 if found by values. */
export type Candidate = {
  target: FeedTarget
  column: string
  at: number
  score: number
  rank: number
  reason: string
}

type Table = { columns: readonly string[]; rows: readonly FeedRow[]; candidates: readonly Candidate[] }
type Numbers = { column: string; values: (number | null)[] }

/**
 * Fields that columns without a known name are recognized by through other columns: the model by the make and the headline, the
 * price by its parts, and mileage by the model year.
 * @param unnamed the columns whose names say nothing.
 */
export function relatedCandidates(unnamed: readonly string[], table: Table): Candidate[] {
  if (table.rows.length < MIN_ROWS) return []
  const candidate = (target: FeedTarget, column: string, score: number, reason: string): Candidate => ({
    target,
    column,
    at: table.columns.indexOf(column),
    score,
    rank: 50,
    reason,
  })
  const model = findModel(unnamed, table)
  return [
    ...(model === null ? [] : [candidate('model', model, 0.62, 'Values (one make each)')]),
    ...findAmounts(unnamed, table).map(({ target, column, score, seen }) =>
      candidate(target, column, score, `Values (${seen})`),
    ),
  ]
}

/** Fewer rows show no relation. */
const MIN_ROWS = 8

/** The best column of a field among the candidates. */
function bestOf(target: string, candidates: readonly Candidate[]): string | null {
  const [best] = candidates
    .filter((one) => one.target === target)
    .toSorted((one, other) => other.score - one.score)
  return best?.column ?? null
}

/** The column whose values each belong to one make, have several for a make, and repeat. Null if the file has only one make. */
function findModel(unnamed: readonly string[], { rows, candidates }: Table): string | null {
  const make = bestOf('make', candidates)
  if (make === null) return null
  const taken = new Set(
    ['vin', 'year', 'make', 'condition', 'photos'].flatMap((target) => takenBy(target, candidates)),
  )
  const makes = rows.map((row) => squeeze(canonicalValue('make', textOf(row, make)) ?? textOf(row, make)))
  const found = unnamed
    .filter((column) => column !== make && !taken.has(column))
    .map((column) => ({
      column,
      ...modelSimilarity(
        rows.map((row) => textOf(row, column)),
        makes,
      ),
    }))
    .filter(({ purity, lift }) => purity >= 0.9 && lift >= 0.15)
    .toSorted((one, other) => other.lift - one.lift)
  return found[0]?.column ?? null
}

const takenBy = (target: string, candidates: readonly Candidate[]): string[] =>
  candidates.filter((one) => one.target === target && one.score >= 0.6).map(({ column }) => column)

/** `purity`: the share of rows whose value goes with the usual make of that value. `lift`: how much of that is not chance. */
function modelSimilarity(
  values: readonly string[],
  makes: readonly string[],
): { purity: number; lift: number } {
  const counts = new Map<string, Map<string, number>>()
  let full = 0
  for (const [at, value] of values.entries()) {
    const text = squeeze(value)
    const make = makes[at] ?? ''
    // Numbers and long texts are no models; a headline is different in every row.
    if (text === '' || value.length > 40 || value.includes('//')) continue
    full += 1
    const own = counts.get(text) ?? new Map<string, number>()
    own.set(make, (own.get(make) ?? 0) + 1)
    counts.set(text, own)
  }
  // Values that occur once go with one make by necessity, so they don't count.
  const repeated = [...counts.values()].map((own) => [...own.values()]).filter((own) => sum(own) > 1)
  const rows = sum(repeated.flat())
  if (full < values.length * 0.6 || rows < full * 0.4) return { purity: 0, lift: 0 }
  const purity = sum(repeated.map((own) => Math.max(...own))) / rows
  const usual = Math.max(...countOf(makes).values()) / makes.length
  const isFiner = counts.size > new Set(makes).size
  return { purity, lift: isFiner ? (purity - usual) * (rows / full) : 0 }
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const squeeze = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

type Amount = { target: FeedTarget; column: string; score: number; seen: string }

/** The price and mileage among the columns with plain numbers. */
function findAmounts(unnamed: readonly string[], { rows, candidates }: Table): Amount[] {
  // Any column of different numbers could be the stock number, so only the best one is.
  const taken = new Set(['vin', 'year', 'stock'].map((target) => bestOf(target, candidates)))
  const all: Numbers[] = unnamed
    .filter((column) => !taken.has(column))
    .map((column) => ({ column, values: rows.map((row) => numberIn(textOf(row, column))) }))
  const amounts = all.filter(({ values }) => shareOf(values, (one) => one >= 1_000 && one <= 500_000) >= 0.6)
  const total = amounts.find((one) => isTotal(one, all))
  if (total !== undefined) {
    const base = amounts.find((one) => one !== total)
    return [
      { target: 'price', column: total.column, score: 0.6, seen: 'the sum of two amounts' },
      ...(base === undefined
        ? []
        : [{ target: 'msrp' as const, column: base.column, score: 0.55, seen: 'amounts' }]),
    ]
  }
  const year = bestOf('year', candidates)
  const years = rows.map((row) => (year === null ? null : numberIn(textOf(row, year))))
  const trends = amounts.map((one) => ({ ...one, trend: correlation(one.values, years) }))
  const [price] = trends.filter(({ trend }) => trend > -0.1).toSorted((one, other) => other.trend - one.trend)
  const [mileage] = trends
    .filter(({ trend }) => trend <= -0.1)
    .toSorted((one, other) => one.trend - other.trend)
  return [
    ...(price === undefined
      ? []
      : [{ target: 'price' as const, column: price.column, score: 0.5, seen: 'amounts' }]),
    ...(mileage === undefined
      ? []
      : [
          {
            target: 'mileage' as const,
            column: mileage.column,
            score: 0.5,
            seen: 'numbers that fall with the model year',
          },
        ]),
  ]
}

function numberIn(text: string): number | null {
  const read = readNumber(text)
  return read === null ? null : Number(read.digits)
}

const shareOf = (values: Numbers['values'], test: (value: number) => boolean): number =>
  values.filter((value) => value !== null && test(value)).length / Math.max(values.length, 1)

/** Whether a column is the sum of two others in nearly all rows, and not always equal to one of them. */
function isTotal(total: Numbers, all: readonly Numbers[]): boolean {
  const others = all.filter((one) => one !== total)
  return others.some((one, at) =>
    others.slice(at + 1).some((other) => {
      const isSum = (row: number): boolean => {
        const [a, b, c] = [one.values[row], other.values[row], total.values[row]]
        return (
          typeof a === 'number' &&
          typeof b === 'number' &&
          typeof c === 'number' &&
          Math.abs(a + b - c) < 0.01
        )
      }
      const rows = total.values.map((_, row) => row)
      const isAdded = (row: number): boolean => isSum(row) && one.values[row] !== 0 && other.values[row] !== 0
      return rows.filter(isSum).length >= rows.length * 0.9 && rows.some(isAdded)
    }),
  )
}

/** The correlation coefficient of two columns, from -1 to 1. */
function correlation(values: Numbers['values'], years: Numbers['values']): number {
  const pairs = values.flatMap((value, at) => {
    const year = years[at]
    return value === null || value === 0 || typeof year !== 'number' ? [] : [[value, year] as const]
  })
  if (pairs.length < MIN_ROWS) return 0
  const [x, y] = [
    sum(pairs.map(([one]) => one)) / pairs.length,
    sum(pairs.map(([, one]) => one)) / pairs.length,
  ]
  const both = sum(pairs.map(([a, b]) => (a - x) * (b - y)))
  const spread = Math.sqrt(sum(pairs.map(([a]) => (a - x) ** 2)) * sum(pairs.map(([, b]) => (b - y) ** 2)))
  return spread === 0 ? 0 : both / spread
}
