import { useNavigate } from '@tanstack/react-router'
import type { Show } from './use-list-state.ts'

/** How a list page changes its own URL. */
export type ListRoute = Readonly<{
  /** Applies changes from `ListPage` to the URL. */
  onShow: Show
  /** Opens a row, or `new`. */
  open: (id: string) => void
  /** Closes it. `isSaved`: nothing is lost, so no confirmation is needed. */
  close: (isSaved?: boolean) => void
  /** Opens a new record in place of its form. */
  onCreated: (id: string) => void
}>

/** The URL of a list page whose open row is in the parameter `row`. Parameters that aren't named stay. */
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
