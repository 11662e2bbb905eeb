import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { ProfileValues } from './profile-form.ts'

/** The form of the step, shared by its sections. */
export type ProfileRecord = RecordFormState<ProfileValues, OrganizationProfile>
