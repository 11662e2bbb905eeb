import type { Inventory } from '#contract/carbon/inventories.ts'
import type { RecordFormState } from '#web/ui/form/use-record-form.ts'
import type { StartValues } from './start-fields.ts'

/** The one form of the step, as its sections share it. */
export type StartRecord = RecordFormState<StartValues, Inventory>
