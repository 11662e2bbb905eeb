import { Outlet, useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useHolds } from '#web/session/use-session.ts'

const ForbiddenPage = lazy(async () => ({ default: (await import('./ForbiddenPage.tsx')).ForbiddenPage }))

/**
 * The page, or an explanation if its route names a permission the user doesn't have. The server checks access
 * anyway; this only avoids showing a failing list.
 */
export function GuardedPage() {
  const holds = useHolds()
  const { title = '', needs } = useMatches().findLast(({ staticData }) => staticData.title)?.staticData ?? {}
  // Until the permissions have loaded, show the page.
  if (!needs || holds(needs) !== false) return <Outlet />
  return (
    <Suspense>
      <ForbiddenPage title={title} needs={needs} />
    </Suspense>
  )
}
