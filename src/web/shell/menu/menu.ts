import { useQuery } from '@tanstack/react-query'
import { auth, type MenuItem } from '#contract/identity/auth.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'

/** The side menu; null while it is on its way. Nothing in it decides access. */
export function useMenu(): MenuItem[] | null {
  const { permissions } = useSession()
  const { data, isPending } = useQuery(query(auth.menu, {}))
  // The static menu of specification section 2, for when the server's cannot be had. It knows every list's
  // permission and so brings many schemas: it comes only when it is needed.
  const fallback = useQuery({
    queryKey: ['static menu'],
    queryFn: async () => (await import('#contract/menu.ts')).menuFor,
    enabled: !isPending && data === undefined,
    staleTime: Infinity,
  })
  if (isPending) return null
  if (data) return withoutHidden(data)
  return fallback.data && permissions ? fallback.data(permissions) : null
}

/** Hidden entries go, and groups and sections that have nothing left to show with them. */
export function withoutHidden(items: readonly MenuItem[]): MenuItem[] {
  return items
    .filter((item) => !item.hidden)
    .map((item) => ({ ...item, children: withoutHidden(item.children) }))
    .filter((item) => item.type === 'item' || item.children.length > 0)
}

/** Every entry that leads somewhere, in the order of the menu. */
export function entriesOf(items: readonly MenuItem[]): MenuItem[] {
  return items.flatMap((item) => (item.type === 'item' ? [item] : entriesOf(item.children)))
}

/**
 * The id of the entry whose page, or a page below it, is open; of several the one with the longest address, so that
 * `/customers` is not lit up on `/customers/lots`. Null when the page is in no entry.
 */
export function activeEntry(items: readonly MenuItem[], pathname: string): string | null {
  const open = entriesOf(items)
    .map((item) => ({ id: item.id, path: pathOf(item) }))
    .filter(({ path }) => path !== '' && (pathname === path || pathname.startsWith(`${path}/`)))
  const [first, ...rest] = open
  if (!first) return null
  return rest.reduce((best, one) => (one.path.length > best.path.length ? one : best), first).id
}

/** Whether an entry stands somewhere in a group or section. */
export function holdsEntry(item: MenuItem, id: string | null): boolean {
  return item.id === id || item.children.some((child) => holdsEntry(child, id))
}

/** The address without search and hash; empty for what leads out of the product. */
function pathOf({ url, external }: MenuItem): string {
  return external ? '' : (/^[^?#]*/.exec(url ?? '')?.[0] ?? '')
}
