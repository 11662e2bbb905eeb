import type { AnyRouter } from '@tanstack/react-router'
import { afterSignIn, HOME, SIGN_IN, signInFor } from '#web/session/guard.ts'
import { isRecord, readText } from '#web/api/read-json.ts'
import type { Session } from '#web/session/session.ts'
import { reviewAppearance } from '#web/ui/layout/appearance.ts'

/**
 * Goes where the session sends the person. Nothing typed can hold this up (`ignoreBlocker`): the session it was
 * typed in is gone.
 */
export function followSession(session: Session, router: AnyRouter): void {
  session.listen((event) => {
    // Loaded late: the sign-in page has nothing to forget and need not carry the query cache.
    // What is shown right now is asked for anew: the dashboard may be where the person stands already.
    void import('#web/api/query.ts').then(({ queryClient }) =>
      event.kind === 'switched' ? queryClient.resetQueries() : queryClient.clear(),
    )
    const { href, pathname, search } = router.latestLocation
    const go = (to: string) => void router.navigate({ href: to, ignoreBlocker: true })
    const { claims } = session.view()
    const next = isRecord(search) ? readText(search, 'next') : ''
    if (event.kind === 'ended') {
      // Storage is empty now: the next person starts with the system's scheme.
      reviewAppearance()
      go(event.isAsked ? SIGN_IN : signInFor(href))
    }
    if (event.kind === 'switched') go(HOME)
    if (event.kind === 'begun' && claims && pathname === SIGN_IN) go(afterSignIn(claims, next))
  })
}
