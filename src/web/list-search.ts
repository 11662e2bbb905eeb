import { readNumber, readText } from '#web/api/read-json.ts'

/**
 * What every list keeps in the URL, so that reload, back and a shared link show the same rows. `size` 0: all rows,
 * scrolled. `columns`: their names in order, with commas. `view`: the number of a saved view, or `all` for the list as
 * it is. A view that stands there alone is still to be opened; opened, the URL says everything it holds, and its sort
 * in any case.
 */
export type ListSearch = {
  page?: number | undefined
  size?: number | undefined
  sort?: string | undefined
  search?: string | undefined
  filter?: string | undefined
  columns?: string | undefined
  view?: string | undefined
}

/** Reads it by hand, because the map of routes is loaded before any schema. What makes no sense is left out. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  return {
    ...readWhole(search, 'page', { least: 1, most: 1_000_000 }),
    ...readWhole(search, 'size', { least: 0, most: 200 }),
    ...readTexts(search, ['sort', 'search', 'filter', 'columns', 'view']),
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

function readWhole<Name extends string>(
  search: Record<string, unknown>,
  name: Name,
  { least, most }: { least: number; most: number },
) {
  const found: Partial<Record<Name, number>> = {}
  const text = readText(search, name)
  const value = text === '' ? readNumber(search, name) : Number(text)
  const isThere = text !== '' || typeof search[name] === 'number'
  if (isThere && Number.isInteger(value) && value >= least && value <= most) found[name] = value
  return found
}
