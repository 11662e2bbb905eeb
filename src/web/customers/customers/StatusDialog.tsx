import { Button, Modal, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'

type Props = {
  /** The customer's name. */
  name: string
  next: 'suspended' | 'closed'
  isBusy: boolean
  onClose: () => void
  onDecided: (reason: string) => void
}

const TEXTS = {
  suspended: {
    title: 'Suspend',
    verb: 'Suspend customer',
    text: "Its users are signed out immediately and can't sign in. No data is deleted, and you can reopen it later.",
  },
  closed: {
    title: 'Close',
    verb: 'Close customer',
    text: 'Its users are signed out immediately and can no longer sign in. No data is deleted.',
  },
} as const

/** Asks for a reason. Closing also requires typing the customer's name, to avoid closing the wrong one. */
export function StatusDialog({ name, next, isBusy, onClose, onDecided }: Props) {
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const { title, verb, text } = TEXTS[next]
  const reasonError = checkReason(reason)
  const nameError = next === 'closed' && typed.trim() !== name ? `Type ${name} exactly as shown.` : null

  function decide(event: SubmitEvent) {
    event.preventDefault()
    setIsSubmitted(true)
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
          description={<bdi>Shown to platform staff next to the status.</bdi>}
          required
          maxLength={300}
          autoComplete="off"
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={isSubmitted && reasonError}
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
            error={isSubmitted && nameError}
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
