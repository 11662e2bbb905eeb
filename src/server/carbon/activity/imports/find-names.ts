import { similarity } from '#contract/parsing/similarity.ts'
import { ELECTRIC, GAS } from './energy-units.ts'
import type { ImportFacility, ImportSource } from './import-context.ts'

type Type = { id: string; title: string }
/** The most suggestions for a name. */
const MOST_NEAR = 3
/** Names below this similarity aren't suggested. */
const NEAR = 0.5

export const normalizeName = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')

/** What bills and spreadsheets call source types. */
const TYPE_ALIASES: Readonly<Record<string, string>> = {
  gas: 'natural_gas',
  ng: 'natural_gas',
  ngas: 'natural_gas',
  natgas: 'natural_gas',
  'nat gas': 'natural_gas',
  'natural gas': 'natural_gas',
  erdgas: 'natural_gas',
  electric: 'electricity',
  electrical: 'electricity',
  elec: 'electricity',
  elect: 'electricity',
  electr: 'electricity',
  el: 'electricity',
  pwr: 'electricity',
  power: 'electricity',
  'grid electricity': 'electricity',
  strom: 'electricity',
}

/** By ID, code or name; null if none or several match. */
export function findFacility(text: string, facilities: readonly ImportFacility[]): string | null {
  const normalized = normalizeName(text)
  const byCode = facilities.filter(({ code }) => normalizeName(code) === normalized)
  const found =
    byCode.length > 0 ? byCode : facilities.filter(({ name }) => normalizeName(name) === normalized)
  return found.length === 1 ? (found[0]?.id ?? null) : null
}

/** By the meter, account or asset on the bill, at one facility; null if no source has it, or several do. */
export function findByLabel(
  text: string,
  facilityId: string | null,
  sources: readonly ImportSource[],
): ImportSource | null {
  const normalized = normalizeName(text)
  const found = sources.filter(
    (one) =>
      one.facilityId === facilityId &&
      one.sourceLabel !== null &&
      normalizeName(one.sourceLabel) === normalized,
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Whether any source has this meter, account or asset. */
export const hasLabel = (text: string, sources: readonly ImportSource[]): boolean =>
  sources.some(
    ({ sourceLabel }) => sourceLabel !== null && normalizeName(sourceLabel) === normalizeName(text),
  )

/** "Electric Service", "Elec." */
const bareCarrier = (normalized: string): string =>
  normalized
    .replace(/[ -](service|services|serv|svc)\.?$/, '')
    .replaceAll(/[\s._-]+/g, ' ')
    .trim()

/** Letters that say which energy a line has, if it is in a unit of that energy. */
const CODES: Readonly<Record<string, readonly [type: string, unit: RegExp]>> = {
  e: ['electricity', ELECTRIC],
  g: ['natural_gas', GAS],
}

/** Whether a column has these letters, and several of them. */
export const areCodesOfTypes = (values: readonly string[]): boolean => {
  const found = new Set(values.map(normalizeName))
  return found.size > 1 && [...found].every((value) => value in CODES)
}

/** By ID, title or alias; `unit`: that of the line, if one letter may say what it is. */
export function findType(text: string, types: readonly Type[], unit = ''): string | null {
  const normalized = normalizeName(text)
  const code = CODES[normalized]
  const isCode = code !== undefined && code[1].test(unit.trim())
  const alias = isCode ? code[0] : (TYPE_ALIASES[normalized] ?? TYPE_ALIASES[bareCarrier(normalized)])
  return (
    types.find(({ id, title }) => id === normalized || normalizeName(title) === normalized || id === alias)
      ?.id ?? null
  )
}

export const nearFacilities = (text: string, facilities: readonly ImportFacility[]): string[] =>
  nearest(text, facilities, ({ code, name }) => [code, name])

export const nearTypes = (text: string, types: readonly Type[]): string[] =>
  nearest(text, types, ({ id, title }) => [id, title])

/** The type of the only sources that are billed in the units of lines, such as kWh or therms. */
export function typesOfUnits(units: readonly string[], sources: readonly ImportSource[]): string[] {
  const areIn = (is: RegExp) => units.length > 0 && units.every((unit) => is.test(unit.trim()))
  const isOf = [[ELECTRIC, /^electricity/] as const, [GAS, /natural-gas/] as const].find(([unit]) =>
    areIn(unit),
  )?.[1]
  if (isOf === undefined) return []
  const found = new Set(
    sources.filter(({ activity }) => isOf.test(activity)).map(({ sourceType }) => sourceType),
  )
  return found.size === 1 ? [...found] : []
}

/** Most similar first. */
function nearest<T extends { id: string }>(
  text: string,
  all: readonly T[],
  namesOf: (one: T) => string[],
): string[] {
  return all
    .map((one) => ({ id: one.id, by: Math.max(...namesOf(one).map((name) => similarity(text, name))) }))
    .filter(({ by }) => by >= NEAR)
    .toSorted((one, other) => other.by - one.by)
    .slice(0, MOST_NEAR)
    .map(({ id }) => id)
}
