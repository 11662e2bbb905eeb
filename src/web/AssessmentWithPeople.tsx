import { lazy, Suspense } from 'react'
import { AssessmentPage } from './assessments/assessments/AssessmentPage.tsx'
import type { InviteFormProps } from './assessments/index.ts'

const PeopleTab = lazy(async () => ({
  default: (await import('./participants/invitations/PeopleTab.tsx')).PeopleTab,
}))
const InviteForm = lazy(async () => ({
  default: (await import('./participants/invitations/InviteForm.tsx')).InviteForm,
}))

const showInviteForm = (props: InviteFormProps) => (
  <Suspense>
    <InviteForm {...props} />
  </Suspense>
)

/** The page of an assessment, with the invitations of participants. */
export const AssessmentWithPeople = () => (
  <AssessmentPage People={PeopleTab} showInviteForm={showInviteForm} />
)
