import { similarity } from '#server/inventory/index.ts'
import type { ImportFacility } from './import-context.ts'

type Type = { id: string; title: string }
/** The most that are proposed for a name. */
const MOST_NEAR = 3
/** Below this a name is another name. */
const NEAR = 0.5

export const foldName = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')

/** What bills and tables call kinds of sources. */
const CALLED: Readonly<Record<string, string>> = {
  gas: 'natural_gas',
  'nat gas': 'natural_gas',
  'natural gas': 'natural_gas',
  erdgas: 'natural_gas',
  electric: 'electricity',
  power: 'electricity',
  'grid electricity': 'electricity',
  strom: 'electricity',
}

/** By number of the record, code or name; null where several have it or none. */
export function findFacility(text: string, facilities: readonly ImportFacility[]): string | null {
  const wanted = foldName(text)
  const byCode = facilities.filter(({ code }) => foldName(code) === wanted)
  const found = byCode.length > 0 ? byCode : facilities.filter(({ name }) => foldName(name) === wanted)
  return found.length === 1 ? (found[0]?.id ?? null) : null
}

/** By id, title or what bills call it. */
export function findType(text: string, types: readonly Type[]): string | null {
  const wanted = foldName(text)
  const called = CALLED[wanted]
  return (
    types.find(({ id, title }) => id === wanted || foldName(title) === wanted || id === called)?.id ?? null
  )
}

export const nearFacilities = (text: string, facilities: readonly ImportFacility[]): string[] =>
  nearest(text, facilities, ({ code, name }) => [code, name])

export const nearTypes = (text: string, types: readonly Type[]): string[] =>
  nearest(text, types, ({ id, title }) => [id, title])

/** The most alike first. */
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
