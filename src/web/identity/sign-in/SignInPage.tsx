import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useBoot } from '#web/use-boot.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { SignInForm } from './SignInForm.tsx'

/** Needed only after a setup or a new password. */
const Toasts = lazy(async () => ({ default: (await import('#web/ui/feedback/Toasts.tsx')).Toasts }))

/** Loaded only if Google sign-in is set up. */
const GoogleSignIn = lazy(async () => ({ default: (await import('./GoogleSignIn.tsx')).GoogleSignIn }))

/** Specification section 2: the start page, and where every ended session leads. */
export function SignInPage() {
  const { whiteLabel, hasGoogle, isSetUp, idleSeconds } = useBoot()
  const { newUserName = '', isIdle = false, endedBecause } = useLocation().state
  return (
    <AuthLayout title="Sign in" about={`${whiteLabel.title} back office`}>
      {!isSetUp && (
        <p className="fc-alert">
          No one can sign in yet: {whiteLabel.title} isn't set up. Open the setup link that the server printed
          when it started.
        </p>
      )}
      {isIdle && (
        <output className="fc-alert" data-tone="good">
          You were signed out after {describeIdle(idleSeconds)} without activity. After signing in, you return
          to the page that you were on. What you typed there is still on this device.
        </output>
      )}
      {!isIdle && endedBecause !== undefined && (
        <p className="fc-alert" role="alert">
          {endedBecause} What you typed and didn't save is still on this device.
        </p>
      )}
      <SignInForm userName={newUserName} />
      {hasGoogle && (
        <Suspense>
          <GoogleSignIn />
        </Suspense>
      )}
      {newUserName !== '' && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </AuthLayout>
  )
}

const describeIdle = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`
