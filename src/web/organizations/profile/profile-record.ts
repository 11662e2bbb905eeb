import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { ProfileValues } from './profile-form.ts'

/** The one form of the step, as its sections share it. */
export type ProfileRecord = RecordFormState<ProfileValues, OrganizationProfile>
