import type { Sent } from '#contract/endpoint.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { send } from '#web/api/query.ts'
import { type CallFormState, useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { startConfirmingPrices } from '#web/ui/prices/confirm-prices.ts'

type Change = Sent<typeof vehicles.change>['change']

type Options<Values> = {
  /** Tells apart what is kept of several dialogs. */
  name: string
  selection: Selection
  initial: Values
  check: (values: Values) => Partial<Record<keyof Values & string, string>>
  /** What the values change. They were checked. */
  toChange: (values: Values) => Change
  onAnswer: (job: Job | null) => void
  onRefused?: () => void
}

const changeVehicles = send(vehicles.change)

/** A dialog that changes the selected vehicles. It starts the job itself. */
export function useBulkChange<Values extends Record<string, unknown>>({
  name,
  selection,
  toChange,
  onAnswer,
  ...form
}: Options<Values>): CallFormState<Values> {
  return useCallForm({
    ...form,
    endpoint: vehicles.change,
    about: name,
    send: (values) =>
      startConfirmingPrices((confirmPrices) =>
        changeVehicles({ selection, change: toChange(values), confirmPrices }),
      ),
    onDone: onAnswer,
  })
}
