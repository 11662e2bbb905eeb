import type { CustomerDetails } from '#contract/customers/details/details.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { DetailsValues } from './details-form.ts'

/** The one form of the page, as its sections share it. */
export type DetailsRecord = RecordFormState<DetailsValues, CustomerDetails>
