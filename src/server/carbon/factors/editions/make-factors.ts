import { FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { readUnit, type UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { z } from 'zod'
import { problemsOf } from '../custom-factors.ts'
import { type ActivityPaths, pathOf } from './activity-paths.ts'
import type { EditionLine, RefusedLine } from './edition-line.ts'

/** A valid factor, with its unit as in the library. */
export type EditionFactor = z.output<typeof FactorInput> & { use: EditionLine['use']; isKnown: boolean }

type KnownPaths = { units: UnitTable; gases: ReadonlySet<string>; paths: ActivityPaths }
type Edition = { year: number; region: string }

/** Combines the lines of each factor and validates it like a custom factor. */
export function makeFactors(
  lines: readonly EditionLine[],
  edition: Edition,
  known: KnownPaths,
): { factors: EditionFactor[]; refused: RefusedLine[] } {
  const hasYears = findYears(lines)
  const groups = Map.groupBy(lines, (line) => `${keyOf(line)} ${hasYears ? line.year : ''}`)
  const factors: EditionFactor[] = []
  const refused: RefusedLine[] = []
  for (const group of groups.values()) {
    const [first] = group
    if (first === undefined) continue
    const read = makeFactor(
      first,
      group,
      { ...edition, year: (hasYears && first.year) || edition.year },
      known,
    )
    if ('sentence' in read) refused.push(...group.map(({ line, name }) => ({ line, name, ...read })))
    else factors.push(read)
  }
  return { factors, refused }
}

/** Lines with the same key are gases of one factor. */
const keyOf = (line: EditionLine): string =>
  JSON.stringify([
    line.scopes,
    line.use,
    line.category,
    line.name,
    line.activity,
    line.region,
    line.unit,
    line.calorificBasis,
    line.boundary,
    line.validFrom,
    line.validTo,
  ])

/** Whether the file has the same factor for several years. Otherwise all factors are for the year of the edition. */
function findYears(lines: readonly EditionLine[]): boolean {
  const seen = new Map<string, number | null>()
  return lines.some((line) => {
    const key = `${keyOf(line)} ${line.gas} ${line.isBiogenic}`
    const year = seen.get(key)
    seen.set(key, line.year)
    return year !== undefined && year !== line.year
  })
}

function makeFactor(
  first: EditionLine,
  group: readonly EditionLine[],
  edition: Edition,
  known: KnownPaths,
): EditionFactor | { sentence: string } {
  const money = /^([A-Z]{3}) \((\d{4})\b/.exec(first.unit)
  const unit = readUnit(known.units, money?.[1] ?? first.unit.replace(/^per /, ''))
  if ('problem' in unit) return { sentence: unit.problem }
  const path =
    first.activity === null ? pathOf(known.paths, first) : { activity: first.activity, isKnown: false }
  const notes = [...new Set(group.flatMap(({ note }) => note ?? []))].join(' ')
  const input = FactorInput.safeParse({
    name: first.name,
    category: first.category.replaceAll(' / ', ' > '),
    activity: path.activity,
    scopes: first.scopes,
    region: first.region ?? edition.region,
    unit: unit.unit.code,
    calorificBasis: unit.basis ?? first.calorificBasis,
    boundary: first.boundary,
    validFrom: first.validFrom ?? `${edition.year}-01-01`,
    // Only rows with a start date of their own can be open-ended.
    validTo: first.validFrom === null ? `${edition.year}-12-31` : first.validTo,
    priceYear: money === null ? null : Number(money[2]),
    gases: group.map(({ gas, isBiogenic, basis, kg }) => ({ gas, isBiogenic, basis, kg: readFigure(kg) })),
    table: first.table,
    rows: joinRows(group),
    note: notes.slice(0, 500),
    sourceNote: 'edition',
  })
  if (!input.success) return { sentence: input.error.issues[0]?.message ?? 'The factor is incomplete.' }
  const [problem] = Object.values(problemsOf(input.data, unit, known.gases))
  return problem === undefined
    ? { ...input.data, use: first.use, isKnown: path.isKnown }
    : { sentence: problem }
}

/** Digits without an exponent. Text that isn't a number is returned unchanged and rejected later. */
function readFigure(text: string): string {
  const bare = text.replaceAll(/[\s,](?=\d{3}\b)/g, '')
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(bare)) return text
  return plain(new Figure(bare).toDecimalPlaces(20))
}

function joinRows(group: readonly EditionLine[]): string | null {
  const rows = [...new Set(group.flatMap(({ rows: one }) => one ?? []))].join(', ')
  if (rows === '') return null
  return rows.length > 200 ? `${rows.slice(0, 197)}...` : rows
}
