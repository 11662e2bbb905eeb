import type { CustomerDetails } from '#contract/customers/details/details.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { DetailsValues } from './details-form.ts'

/** The form shared by all sections of the page. */
export type DetailsRecord = RecordFormState<DetailsValues, CustomerDetails>
