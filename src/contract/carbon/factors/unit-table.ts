import { z } from 'zod'

/** Energy of a fuel by its gross (higher) or net (lower) calorific value: two different amounts of the same bill. */
export const CALORIFIC_BASES = ['gross', 'net'] as const
export type CalorificBasis = (typeof CALORIFIC_BASES)[number]

export const Unit = z.object({
  code: z.string(),
  name: z.string(),
  dimension: z.string(),
  base: z.string(),
  /** How many of the base one of it is, exactly. */
  toBase: z.string(),
})
export type Unit = z.infer<typeof Unit>

export const UnitAlias = z.object({
  alias: z.string(),
  unit: z.string(),
  basis: z.enum(CALORIFIC_BASES).nullable(),
})

export const FuelProperty = z.object({
  fuel: z.string(),
  name: z.string(),
  year: z.number().int(),
  netGjPerTonne: z.string(),
  grossGjPerTonne: z.string(),
  /** Null: it is not sold by volume. */
  kgPerM3: z.string().nullable(),
})
export type FuelProperty = z.infer<typeof FuelProperty>

/** Units and what people write for them, as the installation has them. */
export const UnitRows = z.object({ units: z.array(Unit), aliases: z.array(UnitAlias) })
export type UnitRows = z.infer<typeof UnitRows>

/** A unit as it was meant, with the calorific basis where its name says one. */
export type ReadUnit = { unit: Unit; basis: CalorificBasis | null }

export type UnitTable = {
  byCode: ReadonlyMap<string, Unit>
  /** By what is typed, to the letter. */
  exact: ReadonlyMap<string, ReadUnit>
  /** By what is typed without case and spaces; several where the letters differ (Mt, mt). */
  folded: ReadonlyMap<string, readonly ReadUnit[]>
  names: readonly string[]
}

/** Words that mean different units to different people: refused, with what they may mean. */
const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  ton: ['short ton', 't', 'long ton'],
  tons: ['short ton', 't', 'long ton'],
  mt: ['t', 'Mt'],
}

/** Makes the table that `readUnit` and `convert` look things up in. */
export function makeUnitTable({ units, aliases }: UnitRows): UnitTable {
  const byCode = new Map(units.map((unit) => [unit.code, unit]))
  const named = [
    ...units.map((unit) => ({ name: unit.code, unit, basis: null })),
    ...aliases.flatMap(({ alias, unit, basis }) => {
      const found = byCode.get(unit)
      return found === undefined ? [] : [{ name: alias, unit: found, basis }]
    }),
    ...units.map((unit) => ({ name: unit.name, unit, basis: null })),
  ]
  const exact = new Map<string, ReadUnit>()
  const folded = new Map<string, ReadUnit[]>()
  for (const { name, unit, basis } of named) {
    if (!exact.has(name)) exact.set(name, { unit, basis })
    const key = fold(name)
    const there = folded.get(key) ?? []
    if (!there.some((one) => one.unit === unit && one.basis === basis))
      folded.set(key, [...there, { unit, basis }])
  }
  return { byCode, exact, folded, names: [...new Set(named.map(({ name }) => name))] }
}

/**
 * The unit somebody typed: `gal`, `therms`, `kWh (Gross CV)`, `mmbtu`.
 * @returns a sentence, with the units it may be, where it is unknown or could be several.
 */
export function readUnit(
  table: UnitTable,
  text: string,
): ReadUnit | { problem: string; suggestions: string[] } {
  const typed = text.trim().replaceAll(/\s+/g, ' ')
  const meanings = AMBIGUOUS[typed.toLowerCase()]
  const exact = table.exact.get(typed)
  if (exact !== undefined && meanings === undefined) return exact
  if (meanings !== undefined && meanings.length > 1 && !table.byCode.has(typed)) {
    return {
      problem: `\u201c${typed}\u201d may be ${join(meanings)}. Write which one it is.`,
      suggestions: [...meanings],
    }
  }
  if (exact !== undefined) return exact
  const found = table.folded.get(fold(typed)) ?? []
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  if (found.length > 1) {
    const codes = found.map(({ unit }) => unit.code)
    return {
      problem: `\u201c${typed}\u201d may be ${join(codes)}. Write which one it is.`,
      suggestions: codes,
    }
  }
  const near = suggest(table, typed)
  const hint = near.length === 0 ? '' : ` Did you mean ${join(near)}?`
  return { problem: `There is no unit \u201c${typed}\u201d.${hint}`, suggestions: near }
}

const join = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Case, spaces, hyphens and signs of a power do not make another unit. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('\u00b2', '2')
    .replaceAll('\u00b3', '3')
    .replaceAll(/[\s._^-]+/g, '')
}

/** The codes of at most three units whose names are nearest to what was typed. */
function suggest(table: UnitTable, typed: string): string[] {
  const wanted = fold(typed)
  if (wanted === '') return []
  const ranked = table.names
    .map((name) => ({ name, distance: distanceOf(wanted, fold(name)) }))
    .filter(
      ({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(wanted.length, name.length) / 2)),
    )
    .toSorted((one, other) => one.distance - other.distance)
  const codes = ranked.flatMap(({ name }) => table.exact.get(name)?.unit.code ?? [])
  return [...new Set(codes)].slice(0, 3)
}

/** How many letters must be typed anew to get from one word to the other. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
