import { Button, Modal, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'

type Props = {
  /** The customer's. */
  name: string
  next: 'suspended' | 'closed'
  isBusy: boolean
  onClose: () => void
  onDecided: (reason: string) => void
}

const WORDS = {
  suspended: {
    title: 'Suspend',
    verb: 'Suspend customer',
    text: 'Its people are signed out at once and cannot come in. Nothing is deleted, and it can be opened again.',
  },
  closed: {
    title: 'Close',
    verb: 'Close customer',
    text: 'Its people are signed out at once and cannot come in again. Nothing is deleted.',
  },
} as const

/** Asks for the reason; closing wants the customer's name as well, so that it is not the wrong one. */
export function StatusDialog({ name, next, isBusy, onClose, onDecided }: Props) {
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const [isTried, setIsTried] = useState(false)
  const { title, verb, text } = WORDS[next]
  const reasonError = checkReason(reason)
  const nameError = next === 'closed' && typed.trim() !== name ? `Type ${name} as it is written here.` : null

  function decide(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (!isBusy && reasonError === null && nameError === null) onDecided(reason.trim())
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={`${title} ${name}?`}
      closeButtonProps={{ 'aria-label': 'Cancel' }}
      transitionProps={MODAL_TRANSITION}
    >
      <form className="fc-dialog-form" noValidate onSubmit={decide}>
        <p>
          <bdi>{text}</bdi>
        </p>
        <TextInput
          label="Reason"
          description={<bdi>Shown to platform staff beside the status.</bdi>}
          required
          maxLength={300}
          autoComplete="off"
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={isTried && reasonError}
        />
        {next === 'closed' && (
          <TextInput
            label={
              <>
                Type <bdi>{name}</bdi> to confirm
              </>
            }
            required
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={isTried && nameError}
          />
        )}
        <div className="fc-buttons">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" className="fc-danger" loading={isBusy}>
            {verb}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function checkReason(reason: string): string | null {
  return reason.trim() === '' ? 'Reason is required.' : null
}
