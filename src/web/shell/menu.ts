import { useQuery } from '@tanstack/react-query'
import { lots } from '#contract/customers/lots.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { auth, type MenuItem } from '#contract/identity/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { wantedBy } from '#web/ui/permission-of.ts'

const blank = {
  icon: null,
  classes: null,
  hidden: false,
  external: false,
  target: null,
  badge: null,
  children: [],
}

/** The static menu of specification section 2, as far as its pages exist: for when the server's cannot be had. */
const ENTRIES: readonly { item: MenuItem; endpoint: Endpoint }[] = [
  {
    item: {
      ...blank,
      id: 'dashboard',
      title: 'Dashboard',
      type: 'item',
      url: '/dashboard',
      icon: 'layout-dashboard',
    },
    endpoint: dashboard.get,
  },
  {
    item: { ...blank, id: 'lots', title: 'Lots', type: 'item', url: '/customers/lots', icon: 'map-pin' },
    endpoint: lots.list,
  },
]

/** The side menu; null while it is on its way. Nothing in it decides access. */
export function useMenu(): MenuItem[] | null {
  const holds = useHolds()
  const { data, isPending } = useQuery(query(auth.menu, {}))
  if (isPending) return null
  if (data) return withoutHidden(data)
  return ENTRIES.filter(({ endpoint }) =>
    wantedBy(endpoint.allow).some((wanted) => holds(wanted) === true),
  ).map(({ item }) => item)
}

/** Hidden entries go, and groups and sections that have nothing left to show with them. */
export function withoutHidden(items: readonly MenuItem[]): MenuItem[] {
  return items
    .filter((item) => !item.hidden)
    .map((item) => ({ ...item, children: withoutHidden(item.children) }))
    .filter((item) => item.type === 'item' || item.children.length > 0)
}

/** Whether an entry's page, or one below it, is open. */
export function isHere(item: MenuItem, pathname: string): boolean {
  if (item.url !== null && (pathname === item.url || pathname.startsWith(`${item.url}/`))) return true
  return item.children.some((child) => isHere(child, pathname))
}
