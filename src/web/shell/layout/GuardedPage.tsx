import { Outlet, useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useHolds } from '#web/session/use-session.ts'

const ForbiddenPage = lazy(async () => ({ default: (await import('./ForbiddenPage.tsx')).ForbiddenPage }))

/**
 * The page, or why it may not be opened where its route names a permission that the person lacks. The server decides
 * either way; this only spares people a list that fails.
 */
export function GuardedPage() {
  const holds = useHolds()
  const { title = '', needs } = useMatches().findLast(({ staticData }) => staticData.title)?.staticData ?? {}
  // While the permissions are on their way nothing is known, so the page may try.
  if (!needs || holds(needs) !== false) return <Outlet />
  return (
    <Suspense>
      <ForbiddenPage title={title} needs={needs} />
    </Suspense>
  )
}
