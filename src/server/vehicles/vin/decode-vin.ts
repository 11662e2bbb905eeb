import type { VinFacts } from '#contract/vehicles/vin/vin.ts'
import { completeModel, matchYear, type YearMatch } from './best-match.ts'
import { checkDigitOf, isOfOtherMarket } from '#contract/vehicles/vin/check-digit.ts'
import { rankYears, modelYears } from './model-year.ts'
import { vinTable, type Maker, type VinTable } from './table.ts'
import { valuesOf } from './values.ts'

const LENGTH = 17
/** ISO 3779 excludes these letters because they look like 1 and 0. */
const CORRECTIONS: Readonly<Record<string, string>> = { I: '1', O: '0', Q: '0' }

/** Toyota masks the fourth-to-last character of vehicles that aren't built yet with any letter. */
const MASKED = /^[^IOQ]{13}[IOQ]\d{3}$/

type ReadVin = { vin: string; refusal: string | null; suggestion: string | null }

/** Normalizes a VIN (upper case, no spaces or dashes) and checks its format. */
function readVin(written: string): ReadVin {
  const vin = written.toUpperCase().replace(/[\s\u00a0-]+/g, '')
  const refuse = (refusal: string, suggestion: string | null = null) => ({ vin, refusal, suggestion })
  if (vin.length !== LENGTH) return refuse(`A VIN has ${LENGTH} characters. This one has ${vin.length}.`)
  const strange = Array.from(vin).find((character) => !/[A-Z0-9]/.test(character))
  if (strange !== undefined) return refuse(`A VIN has only letters and digits. Remove “${strange}”.`)
  const letters = [...new Set(vin.match(/[IOQ]/g) ?? [])]
  if (letters.length === 0) return { vin, refusal: null, suggestion: null }
  const suggestion = vin.replace(/[IOQ]/g, (letter) => CORRECTIONS[letter] ?? letter)
  if (MASKED.test(vin)) return { vin, refusal: null, suggestion }
  return refuse(`A VIN can't contain the letter ${letters.join(' or ')}.`, suggestion)
}

/** In Europe and Asia, manufacturers may use the ninth character freely, often as a filler. */
const CHECK_DIGITS = /^[0-9X]$/
/** North America, where the check digit is required by law. */
const NORTH_AMERICAN = /^[1-57]/

/**
 * Decodes a VIN with the built-in vPIC patterns, without database or network. Never throws, whatever text is entered.
 * @param thisYear the latest possible model year is the year after it
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
  const isOther = isOfOtherMarket(vin)
  const verdict = isOther ? 'unused' : verdictOf(found, expected)
  const code = findMaker(table, vin)
  const match = code === null || isOther ? null : bestYear(table, code.maker, vin, thisYear)
  const years = isOther ? [] : modelYears(vin, thisYear)
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

/** Manufacturers of fewer than 1,000 vehicles a year share codes that end in 9; characters 12 to 14 identify them. */
function findMaker(table: VinTable, vin: string): { wmi: string; maker: Maker } | null {
  const short = vin.slice(0, 3)
  const codes = short.endsWith('9') ? [`${short}${vin.slice(11, 14)}`, short] : [short]
  for (const wmi of codes) {
    const maker = table.maker(wmi)
    if (maker !== null) return { wmi, maker }
  }
  return null
}

/**
 * The match in the VIN's most likely model year. A year with a known model is preferred; the likeliest year can also take
 * its model from nearby years.
 */
function bestYear(table: VinTable, maker: Maker, vin: string, thisYear: number): YearMatch | null {
  const matches = new Map<number, YearMatch>()
  const matchOf = (year: number): YearMatch => {
    const match = matches.get(year) ?? matchYear(table, maker, vin, year)
    matches.set(year, match)
    return match
  }
  const { order, isRuled } = rankYears(
    modelYears(vin, thisYear),
    maker.kind,
    (year) => matchOf(year).elements.weight?.value ?? '',
  )
  const [likeliest] = order
  if (likeliest === undefined) return null
  if (isRuled && hasModel(matchOf(likeliest))) return matchOf(likeliest)
  const known = order.map(matchOf).filter(hasModel)
  const [exact] = known
  if (exact !== undefined && !isRuled) {
    const years = known.map(({ year }) => year)
    if (years.length === 1) return exact
    return { ...exact, doubts: [...exact.doubts, `Character 10 could mean ${years.join(' or ')}.`] }
  }
  const completed = completeModel(table, maker, vin, matchOf(likeliest))
  if (hasModel(completed)) return completed
  return exact ?? order.map(matchOf).find(({ score }) => score > 0) ?? matchOf(likeliest)
}

const hasModel = ({ elements }: YearMatch): boolean => elements.model !== undefined

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
    const rest = isNorthAmerican ? '' : " Outside North America, this character isn't always a check digit."
    warnings.push(`The check digit (character 9) is ${vin[8]} but should be ${expected}.${rest}`)
  }
  // 49 CFR 565.15(d): digits only, except for low-volume manufacturers.
  if (/[A-Z]/.test(vin.slice(13)) && vin[2] !== '9') {
    warnings.push('The serial number has a letter where a digit is expected. It may be masked.')
  }
  if (years.length === 0) warnings.push(`Character 10 (${vin[9]}) isn't a valid model year.`)
  if (code === null) warnings.push(`Unknown manufacturer code ${vin.slice(0, 3)}.`)
  else if (match === null || match.score === 0) {
    warnings.push("Characters 4 to 8 don't match any pattern of this manufacturer.")
  }
  const makes = code?.maker.makes ?? []
  if (code !== null && makes.length > 1 && !match?.make) {
    warnings.push(`Manufacturer code ${code.wmi} is shared by several makes: ${makes.join(', ')}.`)
  }
  return [...warnings, ...(match?.doubts ?? [])]
}
