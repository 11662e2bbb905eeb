import type { CustomerDetails } from '#contract/customers/details.ts'
import type { RecordFormState } from '#web/ui/form/use-record-form.ts'
import type { DetailsValues } from './details-fields.ts'

/** The one form of the page, as its sections share it. */
export type DetailsRecord = RecordFormState<DetailsValues, CustomerDetails>
