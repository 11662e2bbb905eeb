import { matchSchema, nearModels, type Match } from './match-schemas.ts'
import type { Maker, VinTable } from './table.ts'

/** The match for a VIN in one model year. `score`: how many values were found; `doubts`: sentences about uncertain ones. */
export type YearMatch = Match & { year: number; score: number; doubts: string[] }

/** Extra score for a model, the most valuable element. */
const MODEL_SCORE = 3
/** A model generation, and so its keys, lasts about this many years. */
const YEARS_AROUND = 4

/**
 * The best-scoring schema for a year. Other schemas fill in missing elements if they have the same model or none, because
 * manufacturers file engines and plants separately.
 */
export function matchYear(table: VinTable, maker: Maker, vin: string, year: number): YearMatch {
  const keys = keysOf(vin)
  const matches = schemasOf(maker, year)
    .map((schema) => matchSchema(table, schema, keys))
    .map((match) => ({ ...match, score: scoreOf(match) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
  const [best] = matches
  if (best === undefined) return { year, score: 0, make: null, elements: {}, doubts: [] }
  const model = best.elements.model?.value
  const elements = { ...best.elements }
  for (const other of matches) {
    const otherModel = other.elements.model?.value
    if (otherModel !== undefined && otherModel !== model) continue
    Object.assign(elements, { ...other.elements, ...elements })
  }
  const others = matches
    .filter(({ score }) => score === best.score)
    .flatMap((match) => match.elements.model?.value ?? [])
    .filter((name) => name !== model)
  const doubts =
    others.length === 0 ? [] : [`Other models match equally well: ${[...new Set(others)].join(', ')}.`]
  return { year, score: best.score, make: best.make, elements, doubts }
}

/**
 * Finds the model if no key of the year has it: first in nearby years, then among keys that differ in one character, if
 * they agree. Elements found for the year itself are kept.
 */
export function completeModel(table: VinTable, maker: Maker, vin: string, match: YearMatch): YearMatch {
  if (match.elements.model !== undefined) return match
  const { year } = match
  const around = Array.from({ length: YEARS_AROUND }, (_, at) => [year - at - 1, year + at + 1]).flat()
  for (const other of around) {
    const found = matchYear(table, maker, vin, other)
    if (found.elements.model === undefined) continue
    const doubt = `No ${year} pattern has the model. It comes from the ${other} patterns.`
    const elements = { ...found.elements, ...match.elements }
    return {
      year,
      score: found.score,
      make: found.make,
      elements,
      doubts: [...match.doubts, ...found.doubts, doubt],
    }
  }
  for (const near of [year, ...around]) {
    const models = schemasOf(maker, near).flatMap((schema) => nearModels(table, schema, keysOf(vin)))
    const [first] = models
    if (first === undefined) continue
    if (models.some(({ model, make }) => model !== first.model || make !== first.make)) return match
    const doubt = `No pattern matches exactly. The model comes from ${near} patterns that differ in one character.`
    const elements = { ...match.elements, model: { value: first.model, key: first.key } }
    return { ...match, make: first.make, elements, doubts: [...match.doubts, doubt] }
  }
  return match
}

const keysOf = (vin: string): Uint8Array => Buffer.from(`${vin.slice(3, 8)}|${vin.slice(9)}`)

function schemasOf(maker: Maker, year: number): number[] {
  return maker.schemas
    .filter(({ from, to }) => from <= year && (to === null || to >= year))
    .map(({ schema }) => schema)
}

function scoreOf({ elements }: Match): number {
  return Object.keys(elements).length + (elements.model === undefined ? 0 : MODEL_SCORE)
}
