import { Button, Select, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { VEHICLE_STATUSES } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { STATUS_NAMES } from './vehicle-labels.ts'

export type StatusChange = { status: Vehicle['status']; statusReason?: string }

/** Statuses that users can set; only feeds set `removed`. */
const CHOICES = VEHICLE_STATUSES.filter((status) => status !== 'removed').map((value) => ({
  value,
  label: STATUS_NAMES.get(value) ?? value,
}))

/** Statuses with a reason; for `hold`, it is required. */
const WITH_REASON: readonly string[] = ['preparing', 'hold', 'pending', 'wholesale']

type Props = { vehicles: number; onAnswer: (change: StatusChange | null) => void }

/** Asks for the new status of the selected vehicles and, if it applies, the reason. */
export function StatusChoice({ vehicles, onAnswer }: Props) {
  const [status, setStatus] = useState<Vehicle['status'] | null>(null)
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const hasReason = status !== null && WITH_REASON.includes(status)
  const isLacking = status === 'hold' && reason.trim() === ''

  function decide(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (status === null || isLacking) return
    onAnswer({ status, ...(hasReason && reason.trim() !== '' && { statusReason: reason.trim() }) })
  }

  return (
    <form className="fc-dialog-form" noValidate onSubmit={decide}>
      <Select
        label="Status"
        required
        data-autofocus
        placeholder="Choose a status"
        data={CHOICES}
        value={status}
        allowDeselect={false}
        onChange={(value) => setStatus(VEHICLE_STATUSES.find((one) => one === value) ?? null)}
        error={isTried && status === null && 'Choose a status.'}
      />
      {hasReason && (
        <TextInput
          label="Reason"
          description={<bdi>Shown below the status to everyone who can see the vehicle.</bdi>}
          required={status === 'hold'}
          maxLength={200}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={isTried && isLacking && 'Reason is required.'}
        />
      )}
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">Change {count(vehicles, 'vehicle', 'vehicles')}</Button>
      </div>
    </form>
  )
}
