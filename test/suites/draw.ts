import { madeBy } from '../../demo/chance.ts'

/** Takes `count` of some things, or all of them. The same word always takes the same ones. */
export type Draw = <T>(word: string, things: readonly T[], count: number) => readonly T[]

/** All of them: for the complete matrix. */
export const drawAll: Draw = (_word, things) => things

/** A few of them, spread over all calls by their names. */
export const drawFew: Draw = (word, things, count) => {
  const chance = madeBy(word)
  const left = [...things]
  return things.slice(0, count).flatMap(() => left.splice(chance.upTo(left.length), 1))
}

/** Three fields, and one more of every type that is not among them. */
export function drawFields(draw: Draw, word: string, fields: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(fields)
  const drawn = draw(word, names, 3)
  const typeOf = (name: string) =>
    JSON.stringify(fields[name], (key, value: unknown) => (OF_TYPE.has(key) ? value : undefined))
  const types = new Set(drawn.map(typeOf))
  const others = names.filter((name) => !types.has(typeOf(name)) && types.add(typeOf(name)))
  return [...drawn, ...others]
}

/** What makes two fields of one kind in a JSON schema; lengths, words and choices do not. */
const OF_TYPE = new Set(['', 'type', 'format', 'items', 'anyOf', '0', '1', '2'])
