import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useBoot } from '#web/use-boot.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { SignInForm } from './SignInForm.tsx'

/** Only after a set-up or a new password is there anything to announce here. */
const Toasts = lazy(async () => ({ default: (await import('#web/ui/feedback/Toasts.tsx')).Toasts }))

/** Where it is set up. */
const GoogleSignIn = lazy(async () => ({ default: (await import('./GoogleSignIn.tsx')).GoogleSignIn }))

/** Specification section 2: where everyone starts, and where every ended session leads. */
export function SignInPage() {
  const { whiteLabel, hasGoogle } = useBoot()
  const { newUserName = '' } = useLocation().state
  return (
    <AuthLayout title="Sign in" about={`Back office of ${whiteLabel.title}`}>
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
