import { Link } from '@tanstack/react-router'
import { SIGN_IN } from '#web/session/guard.ts'
import { useBoot } from '#web/use-boot.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { SetUpForm } from './SetUpForm.tsx'

/** Specification section 2's bare layout, for the first user of an empty installation. */
export function SetUpPage() {
  const { whiteLabel, isSetUp } = useBoot()
  if (isSetUp) {
    return (
      <AuthLayout title={`${whiteLabel.title} is already set up`} about="This link has been used.">
        <Link to={SIGN_IN}>Sign in</Link>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={`Set up ${whiteLabel.title}`}
      about="Enter your company and its first user, who will have full access. You can do this only once."
    >
      <SetUpForm />
    </AuthLayout>
  )
}
