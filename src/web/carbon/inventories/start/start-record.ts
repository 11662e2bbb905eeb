import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { StartValues } from './start-form.ts'

/** The form of the Start step, shared by its sections. */
export type StartRecord = RecordFormState<StartValues, Inventory>
