import { DirectionProvider, MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import './ui/layout/base.css'
import { connectClient } from '#web/api/client.ts'
import { Session } from '#web/session/session.ts'
import { SessionContext } from '#web/session/use-session.ts'
import { colorSchemes, startAppearance } from '#web/ui/layout/appearance.ts'
import { forecourtTheme, mantineVariables } from '#web/ui/layout/theme.ts'
import { setBrandTitle, setCountdown } from '#web/ui/layout/title.ts'
import { readBoot } from './boot.ts'
import { followNavigation } from './follow-navigation.ts'
import { followSession } from './follow-session.ts'
import { createAppRouter } from './routes.tsx'
import { BootContext } from './use-boot.ts'
import { forbidEval } from './without-eval.ts'

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
