import type { OrganizationProfile } from '#contract/organizations/profiles.ts'
import type { RecordFormState } from '#web/ui/form/use-record-form.ts'
import type { ProfileValues } from './profile-fields.ts'

/** The one form of the step, as its sections share it. */
export type ProfileRecord = RecordFormState<ProfileValues, OrganizationProfile>
