import type { SEARCH_KINDS, SearchResult } from '#contract/home/search.ts'
import type { Result, ResultGroup } from './results.ts'

/** How each kind of record is called and drawn. */
const KINDS: Record<(typeof SEARCH_KINDS)[number], { title: string; icon: string }> = {
  vehicle: { title: 'Vehicles', icon: 'car' },
  lot: { title: 'Lots', icon: 'map-pin' },
  person: { title: 'People', icon: 'user' },
  organization: { title: 'Organizations', icon: 'building' },
  customer: { title: 'Customers', icon: 'building-community' },
}

/** The lists that show records, the longer path first: `/customers` begins many. */
const LISTS = [
  { path: '/inventory/vehicle-data', title: 'Vehicle data' },
  { path: '/customers/people', title: 'Find people' },
  { path: '/customers/lots', title: 'Lots' },
  { path: '/administration/users', title: 'Users' },
  { path: '/customers', title: 'All customers' },
] as const

/**
 * Found records by kind, in the server's order. Where a kind has as many results as one answer brings, there may be more:
 * then its last entry leads to the list, searched for the same.
 */
export function groupRecords(
  found: readonly SearchResult[],
  { typed, most }: { typed: string; most: number },
): ResultGroup[] {
  return [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, records]) => {
    const { title, icon } = KINDS[kind]
    const results = records.map((record) => ({
      id: `found ${kind} ${record.id}`,
      title: record.title,
      about: record.about,
      icon,
      leads: { to: record.path },
    }))
    const more = records.length < most ? null : seeAll(records[0]?.path ?? '', typed)
    return { title, results: more ? [...results, more] : results }
  })
}

function seeAll(path: string, typed: string): Result | null {
  const list = LISTS.find((one) => path.startsWith(one.path))
  if (!list) return null
  return {
    id: `found all ${list.path}`,
    title: `See all in ${list.title}`,
    about: '',
    icon: 'list-details',
    leads: { to: `${list.path}?search=${encodeURIComponent(typed)}` },
  }
}
