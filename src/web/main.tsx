import { DirectionProvider, MantineProvider } from '@mantine/core'
import { type HistoryState, RouterProvider, type AnyRouter } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import './ui/layout/base.css'
import { connectClient } from '#web/api/client.ts'
import { Session } from '#web/session/session.ts'
import { SessionContext } from '#web/session/use-session.ts'
import { colorSchemes, startAppearance, reloadAppearance } from '#web/ui/layout/appearance.ts'
import { forecourtTheme, mantineVariables } from '#web/ui/layout/theme.ts'
import { setBrandTitle, setCountdown } from '#web/ui/layout/title.ts'
import { readBoot } from './boot.ts'
import { followNavigation } from './follow-navigation.ts'
import { createAppRouter } from './routes.tsx'
import { BootContext } from './use-boot.ts'
import { forbidEval } from './without-eval.ts'
import {
  afterSignIn,
  CHOOSE_ORGANIZATION,
  chooseOrganizationFor,
  HOME,
  SIGN_IN,
  signInFor,
} from '#web/session/guard.ts'
import { isRecord, readText } from '#web/api/read-json.ts'

/** The contract's PARTICIPANTS_PAGE, without its schemas. */
const PARTICIPANTS = '/participants'

/**
 * Navigates when the session changes. Unsaved input can't block this (`ignoreBlocker`), because its session has
 * ended.
 */
function followSession(session: Session, router: AnyRouter): void {
  session.listen((event) => {
    // Imported on demand, because the sign-in page doesn't need the query cache. Active queries are refetched: the
    // user may already be on the dashboard.
    void import('#web/api/query.ts').then(({ queryClient }) =>
      event.kind === 'switched' ? queryClient.resetQueries() : queryClient.clear(),
    )
    const { href, pathname, search } = router.latestLocation
    const go = (to: string, state: HistoryState = {}) =>
      void router.navigate({ href: to, ignoreBlocker: true, state })
    // Participants have a session of their own.
    if (pathname === PARTICIPANTS) return
    const { claims } = session.view()
    const next = isRecord(search) ? readText(search, 'next') : ''
    if (event.kind === 'ended') {
      // Storage is empty now: the next user starts with the system's scheme.
      reloadAppearance()
      const { isAsked, isIdle, why } = event
      go(isAsked ? SIGN_IN : signInFor(href), {
        ...(isIdle && { isIdle }),
        ...(why && { endedBecause: why }),
      })
    }
    if (event.kind === 'switched') {
      if (event.lost !== undefined) go(chooseOrganizationFor(href), { lostOrganization: event.lost })
      // The organization was given back.
      else if (claims && pathname === CHOOSE_ORGANIZATION) go(afterSignIn(claims, next))
      else go(HOME)
    }
    if (event.kind === 'begun' && claims && pathname === SIGN_IN) go(afterSignIn(claims, next))
  })
}

forbidEval()
startAppearance()
const boot = readBoot()
const { whiteLabel } = boot
setBrandTitle(whiteLabel.title)
if (whiteLabel.favicon) document.getElementById('favicon')?.setAttribute('href', whiteLabel.favicon)

const session = new Session({ idleSeconds: boot.idleSeconds, warningSeconds: boot.idleWarningSeconds })
connectClient({
  installId: boot.installId,
  bearer: () => session.accessToken,
  renew: session.renew,
  recheck: session.recheck,
  end: session.expire,
})
session.subscribe(() => setCountdown(session.view().secondsLeft))

const router = createAppRouter({ session, started: session.start() })
followSession(session, router)
followNavigation(router)

const element = document.getElementById('root')
if (!element) throw new Error('The page has no root element.')
createRoot(element).render(
  <DirectionProvider>
    <MantineProvider
      theme={forecourtTheme(whiteLabel.brand)}
      cssVariablesResolver={mantineVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
    >
      <BootContext value={boot}>
        <SessionContext value={session}>
          <RouterProvider router={router} />
        </SessionContext>
      </BootContext>
    </MantineProvider>
  </DirectionProvider>,
)
