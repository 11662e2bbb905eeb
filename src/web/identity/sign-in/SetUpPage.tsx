import { useBoot } from '#web/use-boot.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { SetUpForm } from './SetUpForm.tsx'

/** Specification section 2's bare page, for the first person of an empty installation. */
export function SetUpPage() {
  const { whiteLabel } = useBoot()
  return (
    <AuthLayout
      title={`Set up ${whiteLabel.title}`}
      about="Your company and the first person, who may do everything. This works once."
    >
      <SetUpForm />
    </AuthLayout>
  )
}
