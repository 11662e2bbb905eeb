import { type PromoPage, promoPageRecord } from '#contract/marketing/pages/promo-pages.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'

/** The form of a promo page: its blocks and settings, with one Save. */
export const pageForm = recordForm(promoPageRecord)
export type PageValues = typeof pageForm.blank
export type PageRecord = RecordFormState<PageValues, PromoPage>
