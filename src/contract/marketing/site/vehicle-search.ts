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
  store: 'Store',
} as const
export type Facet = keyof typeof FACETS
export const FACET_NAMES = Object.keys(FACETS).filter(isFacet)

export const CONDITION_LABELS: Readonly<Record<(typeof CONDITIONS)[number], string>> = {
  new: 'New',
  used: 'Used',
  cpo: 'Certified pre-owned',
  demo: 'Demo',
}

/** A buyer's search. Everything is optional, and what can't be read is ignored: a link never fails because of it. */
export type VehicleSearch = Readonly<{
  text: string
  /** The chosen values by facet; a store is the lot's code. */
  chosen: Readonly<Record<Facet, readonly string[]>>
  /** In currency units. */
  maxPrice: number | null
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
  return {
    text: plainText(query.get('q') ?? ''),
    chosen: {
      condition: chosen('condition'),
      make: chosen('make'),
      model: chosen('model'),
      body: chosen('body'),
      fuel: chosen('fuel'),
      store: chosen('store'),
    },
    maxPrice: wholeNumber(query.get('maxPrice'), 10_000_000),
    sort: isSort(sort) ? sort : 'newest',
    page: wholeNumber(query.get('page'), MAX_PAGE) ?? 1,
  }
}

/** Whether an address asks for a search, also for one without conditions. */
export const isSearch = (query: Readonly<{ has: (name: string) => boolean }>): boolean =>
  ['q', 'maxPrice', 'sort', 'page', ...FACET_NAMES].some((name) => query.has(name))

/** The list of all vehicles. `/` shows it too, unless the site has a home page. */
export const ALL_VEHICLES = '/vehicles'

/** The address of a search, without what is the default. */
export function searchPath(search: VehicleSearch): string {
  const query: [string, string][] = []
  if (search.text !== '') query.push(['q', search.text])
  for (const facet of FACET_NAMES) for (const value of search.chosen[facet]) query.push([facet, value])
  if (search.maxPrice !== null) query.push(['maxPrice', String(search.maxPrice)])
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

/** Whether anything narrows the list. */
export function isNarrowed({ text, chosen, maxPrice }: VehicleSearch): boolean {
  return text !== '' || maxPrice !== null || FACET_NAMES.some((facet) => chosen[facet].length > 0)
}

/** Without control characters, which the database can't store. */
function plainText(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
}

function wholeNumber(text: string | null, most: number): number | null {
  const number = Number((text ?? '').replaceAll(/[$,\s]/g, ''))
  return text !== null && Number.isInteger(number) && number > 0 && number <= most ? number : null
}

/** Whether this is the name of an order. */
export function isSort(name: string): name is Sort {
  return Object.hasOwn(SORTS, name)
}

function isFacet(name: string): name is Facet {
  return Object.hasOwn(FACETS, name)
}
