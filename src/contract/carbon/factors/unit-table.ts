import { z } from 'zod'
import { Figure } from './figure.ts'

/** Fuel energy by gross (higher) or net (lower) calorific value: two different amounts for the same bill. */
export const CALORIFIC_BASES = ['gross', 'net'] as const
export type CalorificBasis = (typeof CALORIFIC_BASES)[number]

export const Unit = z.object({
  code: z.string(),
  name: z.string(),
  dimension: z.string(),
  base: z.string(),
  /** Number of base units in one of it, exactly. */
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
  publisher: z.string(),
  year: z.number().int(),
  netGjPerTonne: z.string(),
  grossGjPerTonne: z.string(),
  /** Null: not sold by volume. */
  kgPerM3: z.string().nullable(),
})
export type FuelProperty = z.infer<typeof FuelProperty>

/** The units of this installation, and their aliases. */
export const UnitRows = z.object({ units: z.array(Unit), aliases: z.array(UnitAlias) })
export type UnitRows = z.infer<typeof UnitRows>

/** A recognized unit, with the calorific basis if its name includes one. */
export type ReadUnit = { unit: Unit; basis: CalorificBasis | null }

export type UnitTable = {
  byCode: ReadonlyMap<string, Unit>
  /** By the exact text. */
  exact: ReadonlyMap<string, ReadUnit>
  /** By the text without case and spaces; several units if they differ only by case (Mt, mt). */
  folded: ReadonlyMap<string, readonly ReadUnit[]>
  names: readonly string[]
}

/** Names that mean different units to different people. They are rejected with a list of the possible meanings. */
const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  ton: ['short ton', 't', 'long ton'],
  tons: ['short ton', 't', 'long ton'],
  mt: ['t', 'Mt'],
  // M is a thousand to gas engineers, and a million to everybody else.
  mbtu: ['kBtu', 'mmBtu'],
}

/** Whether a name means different units to different people: "tons". */
export const isVagueUnit = (name: string): boolean => Object.hasOwn(AMBIGUOUS, name.trim().toLowerCase())

const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1_000,
  million: 1_000_000,
  billion: 1_000_000_000,
}
/** What units are called in words, with the units that can be meant. */
const IN_WORDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^watt hours?$/, ['Wh']],
  [/^(btus?|british thermal units?)$/, ['Btu']],
  [/^(cubic|cu) (feet|foot|ft)$/, ['scf', 'ft3']],
  [/^cubic (meters?|metres?)$/, ['m3']],
  [/^(us )?gal(lon)?s?( us)?$/, ['gallon']],
  [
    /^((uk|imp|imperial|british) gal(lon)?s?|gal(lon)?s? (uk|imp|imperial|british)|igs?)$/,
    ['imperial gallon'],
  ],
  [/^((us|short) tons?|tons? (us|short))$/, ['short ton']],
  [/^((uk|imp|imperial|long) tons?|tons? (uk|imp|imperial|long))$/, ['long ton']],
  [/^(metric tons?|tons? metric)$/, ['t']],
  [/^(liters?|litres?)$/, ['L']],
  [/^(pounds?|lbs?)$/, ['lb']],
  [/^joules?$/, ['J']],
  [/^therms?( us)?$/, ['therm']],
  [/^(kl|kilo ?lit(er|re)s?)$/, ['m3']],
]

/**
 * "kcf (thousand cubic feet)", as ENERGY STAR Portfolio Manager and others write units: the words say what the letters mean,
 * which differ between countries and trades. Null: no such words.
 */
function readWords(table: UnitTable, text: string): ReadUnit | null {
  const bracketed = /\(([^()]+)\)/.exec(text)?.[1]
  return (bracketed === undefined ? null : wordsAsUnit(table, bracketed)) ?? wordsAsUnit(table, text)
}

function wordsAsUnit(table: UnitTable, inside: string): ReadUnit | null {
  // "100 cubic feet" is no cubic foot.
  const counted = /^\s*[x×]?\s*(\d[\d.,'’ ]*?)\s*[x×]?\s+(.*\p{L}.*)$/u.exec(inside)
  const times = counted === null ? 1 : Number((counted[1] ?? '').replaceAll(/\D/g, ''))
  const words = (counted?.[2] ?? inside)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()
  const [first = '', ...others] = words.split(' ')
  const scale = (SCALES[first] ?? 1) * times
  const name = first in SCALES ? others.join(' ') : words
  const codes = IN_WORDS.find(([is]) => is.test(name))?.[1] ?? []
  for (const code of codes) {
    const base = table.byCode.get(code)
    if (base === undefined) continue
    const size = new Figure(base.toBase).times(scale)
    const same = [...table.byCode.values()].filter(
      (one) => one.dimension === base.dimension && size.equals(one.toBase),
    )
    // A million Btu is also a dekatherm.
    const unit = same.find((one) => one.code.toLowerCase().includes(code.toLowerCase())) ?? same[0]
    if (unit !== undefined) return { unit, basis: null }
  }
  return null
}

/** Builds the lookup table for `readUnit` and `convert`. */
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
 * The unit that a user entered: `gal`, `therms`, `kWh (Gross CV)`, `mmbtu`.
 * @returns an error sentence with suggestions if it is unknown or ambiguous.
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
      problem: `\u201c${typed}\u201d is ambiguous. Enter ${join(meanings)}.`,
      suggestions: [...meanings],
    }
  }
  if (exact !== undefined) return exact
  const inWords = table.folded.has(fold(typed)) ? null : readWords(table, typed)
  if (inWords !== null) return inWords
  const found = table.folded.get(fold(typed)) ?? []
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  if (found.length > 1) {
    const codes = found.map(({ unit }) => unit.code)
    return {
      problem: `\u201c${typed}\u201d is ambiguous. Enter ${join(codes)}.`,
      suggestions: codes,
    }
  }
  const near = suggest(table, typed)
  const hint = near.length === 0 ? '' : ` Did you mean ${join(near)}?`
  return { problem: `Unknown unit \u201c${typed}\u201d.${hint}`, suggestions: near }
}

const join = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Case, spaces, hyphens and superscripts don't distinguish units. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('\u00b2', '2')
    .replaceAll('\u00b3', '3')
    .replaceAll(/[\s._^-]+/g, '')
}

/** The codes of up to three units with the most similar names. */
function suggest(table: UnitTable, typed: string): string[] {
  const target = fold(typed)
  if (target === '') return []
  const ranked = table.names
    .map((name) => ({ name, distance: distanceOf(target, fold(name)) }))
    .filter(
      ({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(target.length, name.length) / 2)),
    )
    .toSorted((one, other) => one.distance - other.distance)
  const codes = ranked.flatMap(({ name }) => table.exact.get(name)?.unit.code ?? [])
  return [...new Set(codes)].slice(0, 3)
}

/** The edit distance (Levenshtein) between two words. */
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
