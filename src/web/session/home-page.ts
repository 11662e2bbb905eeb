import { auth, type MenuItem } from '#contract/identity/auth.ts'
import { query, queryClient } from '#web/api/query.ts'

/** The first page of the menu, where its user starts; null if it has none. */
export function firstPage(items: readonly MenuItem[]): (MenuItem & { url: string }) | null {
  for (const item of items) {
    if (item.hidden || item.external) continue
    const found = item.type === 'item' ? withUrl(item) : firstPage(item.children)
    if (found !== null) return found
  }
  return null
}

const withUrl = (item: MenuItem) => (item.url === null ? null : { ...item, url: item.url })

/** The path of the first page of the user's menu; null if there is none or it can't be read. */
export const readFirstPage = (): Promise<string | null> =>
  queryClient.fetchQuery(query(auth.menu, {})).then(
    (menu) => firstPage(menu)?.url ?? null,
    () => null,
  )
