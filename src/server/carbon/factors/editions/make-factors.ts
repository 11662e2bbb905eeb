import { FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { readUnit, type UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { z } from 'zod'
import { problemsOf } from '../custom-factors.ts'
import { type ActivityPaths, pathOf } from './activity-paths.ts'
import type { FigureLine, RefusedLine } from './figure-line.ts'

/** A factor that may be kept, with its unit as the library calls it. */
export type EditionFactor = z.output<typeof FactorInput> & { use: FigureLine['use']; isKnown: boolean }

type KnownPaths = { units: UnitTable; gases: ReadonlySet<string>; paths: ActivityPaths }
type Edition = { year: number; region: string }

/** Puts the lines of each factor together and holds each against what an own factor has to be. */
export function makeFactors(
  lines: readonly FigureLine[],
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

/** What makes two lines gases of one factor. */
const keyOf = (line: FigureLine): string =>
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

/** Whether the file is a series: one factor for several years. Else all of it is the edition's year's. */
function findYears(lines: readonly FigureLine[]): boolean {
  const seen = new Map<string, number | null>()
  return lines.some((line) => {
    const key = `${keyOf(line)} ${line.gas} ${line.isBiogenic}`
    const year = seen.get(key)
    seen.set(key, line.year)
    return year !== undefined && year !== line.year
  })
}

function makeFactor(
  first: FigureLine,
  group: readonly FigureLine[],
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
    // A day without an end is written by rows of their own alone.
    validTo: first.validFrom === null ? `${edition.year}-12-31` : first.validTo,
    priceYear: money === null ? null : Number(money[2]),
    gases: group.map(({ gas, isBiogenic, basis, kg }) => ({ gas, isBiogenic, basis, kg: readFigure(kg) })),
    table: first.table,
    rows: joinRows(group),
    note: notes.slice(0, 500),
    sourceNote: 'edition',
  })
  if (!input.success) return { sentence: input.error.issues[0]?.message ?? 'It is not whole.' }
  const [problem] = Object.values(problemsOf(input.data, unit, known.gases))
  return problem === undefined
    ? { ...input.data, use: first.use, isKnown: path.isKnown }
    : { sentence: problem }
}

/** Digits without an exponent; what is no figure comes back as it is, to be refused. */
function readFigure(text: string): string {
  const bare = text.replaceAll(/[\s,](?=\d{3}\b)/g, '')
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(bare)) return text
  return plain(new Figure(bare).toDecimalPlaces(20))
}

function joinRows(group: readonly FigureLine[]): string | null {
  const rows = [...new Set(group.flatMap(({ rows: one }) => one ?? []))].join(', ')
  if (rows === '') return null
  return rows.length > 200 ? `${rows.slice(0, 197)}...` : rows
}
