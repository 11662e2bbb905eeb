import { readNumber, readText } from '#web/api/read-json.ts'

/** Search parameters of the URL. */
export type Search = Record<string, unknown>

/**
 * The list state in the URL, so that reload, back and a shared link show the same rows. `size` 0: all rows, scrolled.
 * `columns`: names in order, separated by commas. `view`: the ID of a saved view, or `all` for the plain list. A URL
 * with only `view` still has to be opened; an open view has all of its settings in the URL, always including the sort.
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

/** Parsed by hand, because routes load before any schema. Invalid parameters are ignored. */
export function readListSearch(search: Search): ListSearch {
  return {
    ...readPage(search),
    ...readWhole(search, 'size', { least: 0, most: 200 }),
    ...readTexts(search, ['sort', 'search', 'filter', 'columns', 'view']),
  }
}

/** The named parameters that are present and not empty. */
export function readTexts<const Name extends string>(search: Search, names: readonly Name[]) {
  const found: Partial<Record<Name, string | undefined>> = {}
  for (const name of names) {
    const text = readText(search, name)
    if (text !== '') found[name] = text
  }
  return found
}

/** The named parameter if it is one of the choices. */
export function readChoice<const Name extends string, const Value extends string>(
  search: Search,
  name: Name,
  choices: readonly Value[],
) {
  const found: Partial<Record<Name, Value | undefined>> = {}
  const value = choices.find((choice) => choice === search[name])
  if (value !== undefined) found[name] = value
  return found
}

function readWhole<const Name extends string>(
  search: Search,
  name: Name,
  { least, most }: { least: number; most: number },
) {
  const found: Partial<Record<Name, number | undefined>> = {}
  const text = readText(search, name)
  const value = text === '' ? readNumber(search, name) : Number(text)
  const isThere = text !== '' || typeof search[name] === 'number'
  if (isThere && Number.isInteger(value) && value >= least && value <= most) found[name] = value
  return found
}

/** The page of a list, from 1. */
export const readPage = (search: Search) => readWhole(search, 'page', { least: 1, most: 1_000_000 })
