import type { SentFields } from '../forms/form-body.ts'
import type { CONDITIONS } from '#contract/vehicles/vehicles/vehicle-choices.ts'

/** Orders of the vehicle list, with their labels. The first is the default. */
export const SORTS = {
  newest: 'Newest arrivals',
  priceUp: 'Lowest price',
  priceDown: 'Highest price',
  mileage: 'Lowest mileage',
  year: 'Newest model year',
} as const
export type Sort = keyof typeof SORTS

/** What buyers filter by, with the label of each. A vehicle matches if it has one of the values of each facet. */
export const FACETS = {
  condition: 'Condition',
  make: 'Make',
  model: 'Model',
  body: 'Body style',
  fuel: 'Fuel',
  drivetrain: 'Drivetrain',
  transmission: 'Transmission',
  color: 'Color',
  store: 'Store',
} as const
export type Facet = keyof typeof FACETS
export const FACET_NAMES = Object.keys(FACETS).filter(isFacet)
/** What `of` returns for each facet. */
export const eachFacet = <T>(of: (facet: Facet) => T): Readonly<Record<Facet, T>> => ({
  condition: of('condition'),
  make: of('make'),
  model: of('model'),
  body: of('body'),
  fuel: of('fuel'),
  drivetrain: of('drivetrain'),
  transmission: of('transmission'),
  color: of('color'),
  store: of('store'),
})

export const CONDITION_LABELS: Readonly<Record<(typeof CONDITIONS)[number], string>> = {
  new: 'New',
  used: 'Used',
  cpo: 'Certified pre-owned',
  demo: 'Demo',
}

/** Limits of numbers with their labels, the most that each may be. Prices are in currency units, mileages as the lots enter them. */
export const LIMITS = {
  minPrice: { label: 'Price from', most: 10_000_000 },
  maxPrice: { label: 'Price up to', most: 10_000_000 },
  minYear: { label: 'Year from', most: 9_999 },
  maxYear: { label: 'Year up to', most: 9_999 },
  maxMileage: { label: 'Mileage up to', most: 10_000_000 },
} as const
export type Limit = keyof typeof LIMITS
export const LIMIT_NAMES = Object.keys(LIMITS).filter(isLimit)

/** A buyer's search. Everything is optional, and what can't be read is ignored: a link never fails because of it. */
export type VehicleSearch = Readonly<{
  text: string
  /** The chosen values by facet; a store is the lot's code. */
  chosen: Readonly<Record<Facet, readonly string[]>>
  limits: Readonly<Record<Limit, number | null>>
  /** Limits that couldn't be read, as they were written. */
  unread: Readonly<Partial<Record<Limit, string>>>
  sort: Sort
  /** From 1. */
  page: number
}>

export const PAGE_SIZE = 24
const MAX_TEXT = 80
const MAX_VALUES = 20
const MAX_PAGE = 500

/** Reads the search from a query string. */
export function readSearch(query: SentFields): VehicleSearch {
  const chosen = (facet: Facet) =>
    [...new Set(query.getAll(facet))]
      .map(plainText)
      .filter((value) => value !== '')
      .slice(0, MAX_VALUES)
  const sort = query.get('sort') ?? ''
  const { text, limits: said } = readPhrases(plainText(query.get('q') ?? ''))
  const limits: Record<Limit, number | null> = { ...NO_LIMITS }
  const unread: Partial<Record<Limit, string>> = {}
  for (const name of LIMIT_NAMES) {
    const written = plainText(query.get(name) ?? '')
    limits[name] = readAmount(written, LIMITS[name].most) ?? said[name] ?? null
    if (written !== '' && readAmount(written, LIMITS[name].most) === null) unread[name] = written
  }
  return {
    text,
    chosen: eachFacet(chosen),
    limits,
    unread,
    sort: isSort(sort) ? sort : 'newest',
    page: readAmount(query.get('page') ?? '', MAX_PAGE) ?? 1,
  }
}

const NO_LIMITS: Readonly<Record<Limit, null>> = {
  minPrice: null,
  maxPrice: null,
  minYear: null,
  maxYear: null,
  maxMileage: null,
}

const AMOUNT = String.raw`\$?\s?(\d[\d,]*(?:\.\d+)?\s?k?)\b`
const UP_TO = new RegExp(
  String.raw`(?:\b(?:under|below|less than|up to|at most|max(?:imum)?)|<)\s*${AMOUNT}(?:\s?(dollars|miles|mi|km)\b)?`,
  'i',
)
/** "trucks under 20k" and "less than 50,000 miles" are limits, written as words. Smaller numbers are names of models. */
function readPhrases(text: string): { text: string; limits: Partial<Record<Limit, number>> } {
  const found = UP_TO.exec(text)
  const amount = readAmount(found?.[1] ?? '', LIMITS.maxPrice.most)
  if (found === null || amount === null || amount < 1_000) return { text, limits: {} }
  const isMileage = found[2] !== undefined && found[2].toLowerCase() !== 'dollars'
  const rest = plainText(`${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`)
  return { text: rest, limits: { [isMileage ? 'maxMileage' : 'maxPrice']: amount } }
}

/** Whether an address asks for a search, also for one without conditions. */
export const isSearch = (query: Readonly<{ has: (name: string) => boolean }>): boolean =>
  ['q', 'sort', 'page', ...LIMIT_NAMES, ...FACET_NAMES].some((name) => query.has(name))

/** The list of all vehicles. `/` shows it too, unless the site has a home page. */
export const ALL_VEHICLES = '/vehicles'

/** The address of a search, without what is the default. */
export function searchPath(search: VehicleSearch): string {
  const query: [string, string][] = []
  if (search.text !== '') query.push(['q', search.text])
  for (const facet of FACET_NAMES) for (const value of search.chosen[facet]) query.push([facet, value])
  for (const name of LIMIT_NAMES) {
    const limit = search.limits[name]
    if (limit !== null) query.push([name, String(limit)])
  }
  if (search.sort !== 'newest') query.push(['sort', search.sort])
  if (search.page > 1) query.push(['page', String(search.page)])
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')
  return text === '' ? ALL_VEHICLES : `/?${text}`
}

/** The search without one value of a facet, from its first page. */
export function withoutValue(search: VehicleSearch, facet: Facet, value: string): VehicleSearch {
  const chosen = { ...search.chosen, [facet]: search.chosen[facet].filter((one) => one !== value) }
  return { ...search, chosen, page: 1 }
}

/** The search without one of its limits, from its first page. */
export const withoutLimit = (search: VehicleSearch, name: Limit): VehicleSearch => ({
  ...search,
  limits: { ...search.limits, [name]: null },
  page: 1,
})

/** Whether anything narrows the list. */
export function isNarrowed({ text, chosen, limits }: VehicleSearch): boolean {
  return (
    text !== '' ||
    LIMIT_NAMES.some((name) => limits[name] !== null) ||
    FACET_NAMES.some((facet) => chosen[facet].length > 0)
  )
}

/** Without control characters, which the database can't store, and with single spaces. */
function plainText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
}

/** A whole number as people write it: "25000", "$25,000", "25k", "50,000 miles"; null if it is none. */
function readAmount(text: string, most: number): number | null {
  const found =
    /^\s*\$?\s*(\d{1,3}(?:[ ,]?\d{3})*|\d+)(?:\.(\d+))?\s*(k)?\s*(?:\$|dollars|miles|mi|km)?\s*$/i.exec(text)
  if (found === null) return null
  const [, whole = '', decimals = '0', thousands] = found
  const number =
    Number(`${whole.replaceAll(/[ ,]/g, '')}.${decimals}`) * (thousands === undefined ? 1 : 1_000)
  return number >= 1 && number <= most ? Math.floor(number) : null
}

/** Whether this is the name of an order. */
export function isSort(name: string): name is Sort {
  return Object.hasOwn(SORTS, name)
}

function isLimit(name: string): name is Limit {
  return Object.hasOwn(LIMITS, name)
}

function isFacet(name: string): name is Facet {
  return Object.hasOwn(FACETS, name)
}
