import { seededBy } from '../../demo/chance.ts'

/** Selects `count` of some things, or all of them. The same word always selects the same ones. */
export type Draw = <T>(word: string, things: readonly T[], count: number) => readonly T[]

/** Selects everything, for the complete matrix. */
export const drawAll: Draw = (_word, things) => things

/** Selects a few, seeded by the endpoint name. */
export const drawFew: Draw = (word, things, count) => {
  const chance = seededBy(word)
  const left = [...things]
  return things.slice(0, count).flatMap(() => left.splice(chance.upTo(left.length), 1))
}

/** A quarter as many. */
export const drawQuarter: Draw = (word, things, count) => drawFew(word, things, Math.ceil(count / 4))

/** Selects three fields, and one more of each type that is not among them. */
export function drawFields(draw: Draw, word: string, fields: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(fields)
  const drawn = draw(word, names, 3)
  const typeOf = (name: string) =>
    JSON.stringify(fields[name], (key, value: unknown) => (OF_TYPE.has(key) ? value : undefined))
  const types = new Set(drawn.map(typeOf))
  const others = names.filter((name) => !types.has(typeOf(name)) && types.add(typeOf(name)))
  return [...drawn, ...others]
}

/** The JSON schema keys that decide whether two fields have the same type. Lengths, texts and choices don't matter. */
const OF_TYPE = new Set(['', 'type', 'format', 'items', 'anyOf', '0', '1', '2'])
