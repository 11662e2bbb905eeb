import { Select } from '@mantine/core'
import { lots } from '#contract/customers/lots/lots.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { useBulkChange } from './use-bulk-change.ts'

type Props = { selection: Selection; vehicles: number; onAnswer: (job: Job | null) => void }

/** Moves the selected vehicles to another lot. */
export function VehicleLotChoice({ selection, vehicles, onAnswer }: Props) {
  const { choices, error, isPending, retry, search } = useLotNames()
  const call = useBulkChange({
    name: 'lot',
    selection,
    initial: { lotId: '' },
    check: ({ lotId }) => (lotId === '' ? { lotId: 'Choose a lot.' } : {}),
    toChange: ({ lotId }) => ({ lotId }),
    onAnswer,
  })
  if (error) {
    return <FailureState failure={error} endpoint={lots.list} what="the lots" onRetry={retry} />
  }
  return (
    <CallForm
      call={call}
      confirm={`Move ${count(vehicles, 'vehicle', 'vehicles')}`}
      onCancel={() => onAnswer(null)}
    >
      <Select
        label="Lot"
        required
        data-autofocus
        searchable
        placeholder={isPending ? 'Loading lots' : 'Choose a lot'}
        nothingFoundMessage="No matching lot"
        data={choices}
        value={call.values.lotId || null}
        allowDeselect={false}
        onChange={(lotId) => call.change({ lotId: lotId ?? '' })}
        onSearchChange={search}
        error={call.errors['lotId']}
      />
    </CallForm>
  )
}
