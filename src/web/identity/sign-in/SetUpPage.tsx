import { useBoot } from '#web/use-boot.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { SetUpForm } from './SetUpForm.tsx'

/** Specification section 2's bare layout, for the first user of an empty installation. */
export function SetUpPage() {
  const { whiteLabel } = useBoot()
  return (
    <AuthLayout
      title={`Set up ${whiteLabel.title}`}
      about="Enter your company and its first user, who will have full access. You can do this only once."
    >
      <SetUpForm />
    </AuthLayout>
  )
}
