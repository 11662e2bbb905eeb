import type { VinFacts } from '#contract/inventory/vin/vin.ts'
import { completeModel, matchYear, type YearMatch } from './best-match.ts'
import { checkDigitOf } from './check-digit.ts'
import { believedYears, modelYears } from './model-year.ts'
import { readVin } from './read-vin.ts'
import { vinTable, type Maker, type VinTable } from './table.ts'
import { valuesOf } from './values.ts'

/** In the European Union and Asia the ninth character is free, and often a filler. */
const CHECK_DIGITS = /^[0-9X]$/
/** North America, where the check digit is law. */
const NORTH_AMERICAN = /^[1-57]/

/**
 * What a VIN says, by the patterns of vPIC alone: no database, no network. Never throws for a VIN, whatever is written.
 * @param thisYear models of the year after it are the latest there can be
 */
export function decodeVin(written: string, thisYear: number): VinFacts {
  const table = vinTable()
  const { vin, refusal, suggestion } = readVin(written)
  if (refusal !== null) {
    const checkDigit = { verdict: 'unused', found: vin[8] ?? '', expected: '' } as const
    return { vin, refusal, suggestion, checkDigit, values: {}, warnings: [], edition: table.edition }
  }
  const found = vin[8] ?? ''
  const expected = checkDigitOf(vin)
  const verdict = verdictOf(found, expected)
  const code = makersCode(table, vin)
  const match = code === null ? null : bestYear(table, code.maker, vin, thisYear)
  const years = modelYears(vin, thisYear)
  return {
    vin,
    refusal,
    suggestion,
    checkDigit: { verdict, found, expected },
    values: valuesOf({ vin, table, code, match, years }),
    warnings: warningsOf({ vin, verdict, expected, code, match, years }),
    edition: table.edition,
  }
}

function verdictOf(found: string, expected: string): 'right' | 'wrong' | 'unused' {
  if (found === expected) return 'right'
  return expected !== '' && CHECK_DIGITS.test(found) ? 'wrong' : 'unused'
}

/** Makers of fewer than 1,000 vehicles a year share a code that ends in 9; characters 12 to 14 tell them apart. */
function makersCode(table: VinTable, vin: string): { wmi: string; maker: Maker } | null {
  const short = vin.slice(0, 3)
  const codes = short.endsWith('9') ? [`${short}${vin.slice(11, 14)}`, short] : [short]
  for (const wmi of codes) {
    const maker = table.maker(wmi)
    if (maker !== null) return { wmi, maker }
  }
  return null
}

/**
 * What is known in the year that a VIN means. A year in which its model is known goes before one in which it is not; the
 * likeliest one may also take it from the years around it.
 */
function bestYear(table: VinTable, maker: Maker, vin: string, thisYear: number): YearMatch | null {
  const matches = new Map<number, YearMatch>()
  const matchOf = (year: number): YearMatch => {
    const match = matches.get(year) ?? matchYear(table, maker, vin, year)
    matches.set(year, match)
    return match
  }
  const { order, isRuled } = believedYears(
    modelYears(vin, thisYear),
    maker.kind,
    (year) => matchOf(year).said.weight?.value ?? '',
  )
  const [likeliest] = order
  if (likeliest === undefined) return null
  if (isRuled && hasModel(matchOf(likeliest))) return matchOf(likeliest)
  const known = order.map(matchOf).filter(hasModel)
  const [exact] = known
  if (exact !== undefined && !isRuled) {
    const years = known.map(({ year }) => year)
    if (years.length === 1) return exact
    return { ...exact, doubts: [...exact.doubts, `Character 10 can mean ${years.join(' or ')}.`] }
  }
  const completed = completeModel(table, maker, vin, matchOf(likeliest))
  if (hasModel(completed)) return completed
  return exact ?? order.map(matchOf).find(({ score }) => score > 0) ?? matchOf(likeliest)
}

const hasModel = ({ said }: YearMatch): boolean => said.model !== undefined

function warningsOf(of: {
  vin: string
  verdict: 'right' | 'wrong' | 'unused'
  expected: string
  code: { wmi: string; maker: Maker } | null
  match: YearMatch | null
  years: readonly number[]
}): string[] {
  const { vin, verdict, expected, code, match, years } = of
  const isNorthAmerican = NORTH_AMERICAN.test(vin)
  const warnings: string[] = []
  if (verdict === 'wrong' || (verdict === 'unused' && isNorthAmerican && expected !== '')) {
    const rest = isNorthAmerican ? '' : ' Outside North America it need not be a check digit.'
    warnings.push(`The check digit, character 9, is ${vin[8]} and should be ${expected}.${rest}`)
  }
  // 49 CFR 565.15(d): digits, but for makers of few vehicles.
  if (/[A-Z]/.test(vin.slice(13)) && vin[2] !== '9') {
    warnings.push('The serial number has a letter where there are digits: it may be masked.')
  }
  if (years.length === 0) warnings.push(`Character 10, ${vin[9]}, is no model year.`)
  if (code === null) warnings.push(`No maker is known by the code ${vin.slice(0, 3)}.`)
  else if (match === null || match.score === 0) {
    warnings.push('No pattern of the maker fits characters 4 to 8.')
  }
  const makes = code?.maker.makes ?? []
  if (code !== null && makes.length > 1 && !match?.make) {
    warnings.push(`The code ${code.wmi} stands for ${makes.join(', ')}: which one is not sure.`)
  }
  return [...warnings, ...(match?.doubts ?? [])]
}
