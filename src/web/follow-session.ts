import type { AnyRouter } from '@tanstack/react-router'
import { afterSignIn, HOME, SIGN_IN, signInFor } from '#web/session/guard.ts'
import { isRecord, readText } from '#web/api/read-json.ts'
import type { Session } from '#web/session/session.ts'
import { reloadAppearance } from '#web/ui/layout/appearance.ts'

/** The contract's PARTICIPANTS_PAGE, without its schemas. */
const PARTICIPANTS = '/participants'

/**
 * Navigates when the session changes. Unsaved input can't block this (`ignoreBlocker`), because its session has
 * ended.
 */
export function followSession(session: Session, router: AnyRouter): void {
  session.listen((event) => {
    // Imported on demand, because the sign-in page doesn't need the query cache. Active queries are refetched: the
    // user may already be on the dashboard.
    void import('#web/api/query.ts').then(({ queryClient }) =>
      event.kind === 'switched' ? queryClient.resetQueries() : queryClient.clear(),
    )
    const { href, pathname, search } = router.latestLocation
    const go = (to: string) => void router.navigate({ href: to, ignoreBlocker: true })
    // Participants have a session of their own.
    if (pathname === PARTICIPANTS) return
    const { claims } = session.view()
    const next = isRecord(search) ? readText(search, 'next') : ''
    if (event.kind === 'ended') {
      // Storage is empty now: the next user starts with the system's scheme.
      reloadAppearance()
      go(event.isAsked ? SIGN_IN : signInFor(href))
    }
    if (event.kind === 'switched') go(HOME)
    if (event.kind === 'begun' && claims && pathname === SIGN_IN) go(afterSignIn(claims, next))
  })
}
