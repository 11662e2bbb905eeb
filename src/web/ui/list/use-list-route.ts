import { useNavigate } from '@tanstack/react-router'
import type { Show } from './use-list-state.ts'

/** How a list page changes its own URL. */
export type ListRoute = Readonly<{
  /** What `ListPage` puts into the URL. */
  onShow: Show
  /** Opens a row, or `new`. */
  open: (id: string) => void
  /** Closes it. `isSaved`: nothing is lost, so nothing needs to be asked. */
  close: (isSaved?: boolean) => void
  /** Opens what was just made in place of its form. */
  onCreated: (id: string) => void
}>

/**
 * The URL of a list page with a row that can be open beside it, under the parameter `row`. Parameters that are not
 * named stay as they are.
 */
export function useListRoute(row = ''): ListRoute {
  const navigate = useNavigate()
  const put = (
    change: Readonly<Record<string, unknown>>,
    how: { replace?: boolean; ignoreBlocker?: boolean },
  ) => void navigate({ to: '.', search: (before: object) => ({ ...before, ...change }), ...how })
  return {
    onShow: (change, { replaces }) => put(change, { replace: replaces }),
    open: (id) => put({ [row]: id }, {}),
    close: (isSaved = false) => put({ [row]: undefined }, { ignoreBlocker: isSaved }),
    onCreated: (id) => put({ [row]: id }, { ignoreBlocker: true }),
  }
}
