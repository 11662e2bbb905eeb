import { lazy } from 'react'
import { AssessmentPage } from './assessments/assessments/AssessmentPage.tsx'

const PeopleTab = lazy(async () => ({
  default: (await import('./participants/invitations/PeopleTab.tsx')).PeopleTab,
}))
const InviteForm = lazy(async () => ({
  default: (await import('./participants/invitations/InviteForm.tsx')).InviteForm,
}))

/** The page of an assessment, with the invitations of participants. */
export const AssessmentWithPeople = () => <AssessmentPage People={PeopleTab} InviteForm={InviteForm} />
