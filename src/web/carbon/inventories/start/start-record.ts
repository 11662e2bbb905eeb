import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { StartValues } from './start-form.ts'

/** The one form of the step, as its sections share it. */
export type StartRecord = RecordFormState<StartValues, Inventory>
