import { readNumber, readText } from '#web/api/read-json.ts'

/** What every list keeps in the URL, so that reload, back and a shared link show the same rows. */
export type ListSearch = {
  page?: number | undefined
  size?: number | undefined
  sort?: string | undefined
  search?: string | undefined
}

/** Reads it by hand, because the map of routes is loaded before any schema. What makes no sense is left out. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  return {
    ...readWhole(search, 'page', 1_000_000),
    ...readWhole(search, 'size', 200),
    ...readTexts(search, ['sort', 'search']),
  }
}

/** The named parameters that are there and not empty. */
export function readTexts<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const found: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text = readText(search, name)
    if (text !== '') found[name] = text
  }
  return found
}

/** The named parameter where it is one of the choices. */
export function readChoice<Name extends string, const Value extends string>(
  search: Record<string, unknown>,
  name: Name,
  choices: readonly Value[],
) {
  const found: Partial<Record<Name, Value>> = {}
  const value = choices.find((choice) => choice === search[name])
  if (value !== undefined) found[name] = value
  return found
}

function readWhole<Name extends string>(search: Record<string, unknown>, name: Name, most: number) {
  const found: Partial<Record<Name, number>> = {}
  const value = Number(readText(search, name)) || readNumber(search, name)
  if (Number.isInteger(value) && value >= 1 && value <= most) found[name] = value
  return found
}
