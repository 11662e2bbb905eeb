import { type Campaign, campaignRecord } from '#contract/marketing/campaigns/campaigns.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'

/** The form of a campaign: its email, audience and schedule, with one Save. */
export const campaignForm = recordForm(campaignRecord)
export type CampaignValues = typeof campaignForm.blank
export type CampaignFormState = RecordFormState<CampaignValues, Campaign>
