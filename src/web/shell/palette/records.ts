import type { SEARCH_KINDS, SearchResult } from '#contract/home/search.ts'
import type { Result, ResultGroup } from './results.ts'

/** Title and icon of each kind of record. */
const KINDS: Record<(typeof SEARCH_KINDS)[number], { title: string; icon: string }> = {
  vehicle: { title: 'Vehicles', icon: 'car' },
  lead: { title: 'Leads', icon: 'message-2' },
  buyer: { title: 'Buyers', icon: 'user' },
  lot: { title: 'Lots', icon: 'map-pin' },
  person: { title: 'Users', icon: 'user' },
  organization: { title: 'Organizations', icon: 'building' },
  customer: { title: 'Customers', icon: 'building-community' },
}

/** The lists that show records, longer paths first: `/customers` is a prefix of many. */
const LISTS = [
  { path: '/inventory/vehicle-data', title: 'Vehicle data' },
  { path: '/customers/people', title: 'Find users' },
  { path: '/customers/leads', title: 'Leads' },
  { path: '/customers/lots', title: 'Lots' },
  { path: '/administration/users', title: 'Users' },
  { path: '/customers', title: 'All customers' },
] as const

/**
 * Groups the records found by kind, in the server's order. If a kind has the maximum number of results, there may
 * be more: its last entry opens the list with the same search.
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
