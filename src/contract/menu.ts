import { lots } from './customers/lots.ts'
import { dashboard } from './home/dashboard.ts'
import type { MenuItem } from './identity/auth.ts'
import { holds, type Permission, type Permissions } from './permissions.ts'

type Entry = { id: string; title: string; url: `/${string}`; icon: string; permission: Permission }
type Group = { id: string; title: string | null; entries: readonly Entry[] }

/** Every screen of the product in menu order. An entry shows to those who may open its list. Icons are Tabler names. */
const groups: readonly Group[] = [
  {
    id: 'home',
    title: null,
    entries: [
      {
        id: 'dashboard',
        title: 'Dashboard',
        url: '/dashboard',
        icon: 'layout-dashboard',
        permission: dashboard.get.allow,
      },
    ],
  },
  {
    id: 'customers',
    title: 'Customers',
    entries: [
      { id: 'lots', title: 'Lots', url: '/customers/lots', icon: 'map-pin', permission: lots.list.allow },
    ],
  },
]

/** The menu of someone who holds these permissions. A group without entries is left out. */
export function menuFor(held: Permissions): MenuItem[] {
  return groups.flatMap(({ id, title, entries }) => {
    const items = entries.filter(({ permission }) => holds(held, permission)).map(menuItem)
    if (title === null || items.length === 0) return items
    return [{ ...blank, id, title, type: 'group' as const, children: items }]
  })
}

const blank = {
  url: null,
  icon: null,
  classes: null,
  hidden: false,
  external: false,
  target: null,
  badge: null,
  children: [],
}

function menuItem({ id, title, url, icon }: Entry): MenuItem {
  return { ...blank, id, title, type: 'item', url, icon }
}
