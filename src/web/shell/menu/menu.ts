import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { auth, type MenuItem } from '#contract/identity/auth.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'

/** Badges are at most this old when a page is opened. */
const BADGE_MS = 30_000

/** The side menu; null while it loads. It doesn't control access. */
export function useMenu(): MenuItem[] | null {
  const { permissions } = useSession()
  const { data, isPending, dataUpdatedAt, refetch } = useQuery(
    live(query(auth.menu, {}), { ms: 2 * BADGE_MS }),
  )
  const router = useRouter()
  const refresh = useEffectEvent(() => {
    if (dataUpdatedAt > 0 && Date.now() - dataUpdatedAt > BADGE_MS) void refetch()
  })
  useEffect(() => router.subscribe('onResolved', () => refresh()), [router])
  // Other permissions, another menu. The first ones belong to the menu that is being loaded.
  const known = useRef(permissions)
  useEffect(() => {
    if (known.current !== null && known.current !== permissions) void refetch()
    known.current = permissions
  }, [permissions, refetch])
  // The static menu of specification section 2, if the server's menu can't be loaded. It imports every list's
  // permission and their schemas: loaded only when needed.
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

/** Removes hidden entries, and groups and sections that become empty. */
export function withoutHidden(items: readonly MenuItem[]): MenuItem[] {
  return items
    .filter((item) => !item.hidden)
    .map((item) => ({ ...item, children: withoutHidden(item.children) }))
    .filter((item) => item.type === 'item' || item.children.length > 0)
}

/** All entries with a link, in menu order. */
export function entriesOf(items: readonly MenuItem[]): MenuItem[] {
  return items.flatMap((item) => (item.type === 'item' ? [item] : entriesOf(item.children)))
}

/**
 * The ID of the entry whose page, or a page below it, is open; the longest path wins, so that `/customers` isn't
 * active on `/customers/lots`. Null if no entry matches.
 */
export function activeEntry(items: readonly MenuItem[], pathname: string): string | null {
  const open = entriesOf(items)
    .map((item) => ({ id: item.id, path: pathOf(item) }))
    .filter(({ path }) => path !== '' && (pathname === path || pathname.startsWith(`${path}/`)))
  const [first, ...rest] = open
  if (!first) return null
  return rest.reduce((best, one) => (one.path.length > best.path.length ? one : best), first).id
}

/** Whether a group or section contains an entry. */
export function holdsEntry(item: MenuItem, id: string | null): boolean {
  return item.id === id || item.children.some((child) => holdsEntry(child, id))
}

/** The path without query and hash; empty for external links. */
function pathOf({ url, external }: MenuItem): string {
  return external ? '' : (/^[^?#]*/.exec(url ?? '')?.[0] ?? '')
}
