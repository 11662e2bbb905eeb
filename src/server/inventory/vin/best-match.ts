import { matchSchema, nearModels, type Match } from './match-schemas.ts'
import type { Maker, VinTable } from './table.ts'

/** What is found for a VIN in one model year, with how much of it was found, and what is not quite sure. */
export type YearMatch = Match & { year: number; score: number; doubts: string[] }

/** A model says the most. */
const MODEL_COUNTS = 3
/** A generation of a model lasts about that long, and its keys with it. */
const YEARS_AROUND = 4

/**
 * The best of the schemas that hold in a year: the one with the most that its keys say of this VIN. The others add what
 * it leaves open, if they are of the same model or of none: makers file engines and plants on their own.
 */
export function matchYear(table: VinTable, maker: Maker, vin: string, year: number): YearMatch {
  const keys = keysOf(vin)
  const matches = schemasOf(maker, year)
    .map((schema) => matchSchema(table, schema, keys))
    .map((match) => ({ ...match, score: scoreOf(match) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
  const [best] = matches
  if (best === undefined) return { year, score: 0, make: null, said: {}, doubts: [] }
  const model = best.said.model?.value
  const said = { ...best.said }
  for (const other of matches) {
    const otherModel = other.said.model?.value
    if (otherModel !== undefined && otherModel !== model) continue
    Object.assign(said, { ...other.said, ...said })
  }
  const others = matches
    .filter(({ score }) => score === best.score)
    .flatMap((match) => match.said.model?.value ?? [])
    .filter((name) => name !== model)
  const doubts =
    others.length === 0 ? [] : [`As much speaks for another model: ${[...new Set(others)].join(', ')}.`]
  return { year, score: best.score, make: best.make, said, doubts }
}

/**
 * Finds the model that no key of its year names: first among the years around it, then among the keys that differ in
 * one character, if these agree. What the year itself says stays.
 */
export function completeModel(table: VinTable, maker: Maker, vin: string, match: YearMatch): YearMatch {
  if (match.said.model !== undefined) return match
  const { year } = match
  const around = Array.from({ length: YEARS_AROUND }, (_, at) => [year - at - 1, year + at + 1]).flat()
  for (const other of around) {
    const found = matchYear(table, maker, vin, other)
    if (found.said.model === undefined) continue
    const doubt = `The patterns of ${year} do not name the model; those of ${other} do.`
    const said = { ...found.said, ...match.said }
    return {
      year,
      score: found.score,
      make: found.make,
      said,
      doubts: [...match.doubts, ...found.doubts, doubt],
    }
  }
  for (const near of [year, ...around]) {
    const models = schemasOf(maker, near).flatMap((schema) => nearModels(table, schema, keysOf(vin)))
    const [first] = models
    if (first === undefined) continue
    if (models.some(({ model, make }) => model !== first.model || make !== first.make)) return match
    const doubt = `No pattern names the model; those of ${near} that differ in one character do.`
    const said = { ...match.said, model: { value: first.model, key: first.key } }
    return { ...match, make: first.make, said, doubts: [...match.doubts, doubt] }
  }
  return match
}

const keysOf = (vin: string): Uint8Array => Buffer.from(`${vin.slice(3, 8)}|${vin.slice(9)}`)

function schemasOf(maker: Maker, year: number): number[] {
  return maker.schemas
    .filter(({ from, to }) => from <= year && (to === null || to >= year))
    .map(({ schema }) => schema)
}

function scoreOf({ said }: Match): number {
  return Object.keys(said).length + (said.model === undefined ? 0 : MODEL_COUNTS)
}
