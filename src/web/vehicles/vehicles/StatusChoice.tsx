import { Select, TextInput } from '@mantine/core'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { VEHICLE_STATUSES } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useBulkChange } from './use-bulk-change.ts'
import { STATUS_NAMES } from './vehicle-labels.ts'

/** Statuses that users can set; only feeds set `removed`. */
const CHOICES = VEHICLE_STATUSES.filter((status) => status !== 'removed').map((value) => ({
  value,
  label: STATUS_NAMES.get(value) ?? value,
}))

/** Statuses with a reason; for `hold`, it is required. */
const WITH_REASON: readonly string[] = ['preparing', 'hold', 'pending', 'wholesale']

type Props = { selection: Selection; vehicles: number; onAnswer: (job: Job | null) => void }

const statusOf = (status: string) => VEHICLE_STATUSES.find((one) => one === status)

/** Changes the status of the selected vehicles and, if it applies, the reason. */
export function StatusChoice({ selection, vehicles, onAnswer }: Props) {
  const call = useBulkChange({
    name: 'status',
    selection,
    initial: { status: '', reason: '' },
    check: ({ status, reason }) => ({
      ...(statusOf(status) === undefined && { status: 'Choose a status.' }),
      ...(status === 'hold' && reason.trim() === '' && { reason: 'Reason is required.' }),
    }),
    toChange: ({ status, reason }) => ({
      status: statusOf(status) ?? 'live',
      ...(WITH_REASON.includes(status) && reason.trim() !== '' && { statusReason: reason.trim() }),
    }),
    onAnswer,
  })
  const { status } = call.values
  return (
    <CallForm
      call={call}
      confirm={`Change ${count(vehicles, 'vehicle', 'vehicles')}`}
      onCancel={() => onAnswer(null)}
    >
      <Select
        label="Status"
        required
        data-autofocus
        placeholder="Choose a status"
        data={CHOICES}
        value={status || null}
        allowDeselect={false}
        onChange={(value) => call.change({ status: value ?? '' })}
        error={call.errors['status']}
      />
      {WITH_REASON.includes(status) && (
        <TextInput
          {...call.field('reason')}
          label="Reason"
          description={<bdi>Shown below the status to everyone who can see the vehicle.</bdi>}
          required={status === 'hold'}
          maxLength={200}
          autoComplete="off"
        />
      )}
    </CallForm>
  )
}
