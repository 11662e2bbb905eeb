import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { customers } from '#contract/customers/customers/customers.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'

type Props = {
  id: string
  /** The customer's name. */
  name: string
  next: 'suspended' | 'closed'
  send: (reason: string) => Promise<object>
  onRefused: (failure: CallFailure) => void
  onClose: () => void
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
export function StatusDialog({ id, name, next, send, onRefused, onClose }: Props) {
  // Typed again each time.
  const [typed, setTyped] = useState('')
  const { title, verb, text } = TEXTS[next]
  const wrongName = `Type ${name} exactly as shown.`
  const call = useCallForm({
    endpoint: customers.setStatus,
    about: `${id} ${next}`,
    initial: { reason: '' },
    check: ({ reason }) => ({
      ...(reason.trim() === '' && { reason: 'Reason is required.' }),
      ...(next === 'closed' && typed.trim() !== name && { name: wrongName }),
    }),
    send: ({ reason }) => send(reason.trim()),
    onRefused,
    onDone: onClose,
  })
  return (
    <Modal
      opened
      onClose={call.isBusy ? () => {} : onClose}
      title={`${title} ${name}?`}
      closeButtonProps={{ 'aria-label': 'Cancel' }}
      transitionProps={MODAL_TRANSITION}
    >
      <CallForm call={call} confirm={verb} isDestructive onCancel={onClose}>
        <p>
          <bdi>{text}</bdi>
        </p>
        <TextInput
          {...call.field('reason')}
          label="Reason"
          description={<bdi>Shown to platform staff next to the status.</bdi>}
          required
          maxLength={300}
          autoComplete="off"
          data-autofocus
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
            error={call.errors['name']}
          />
        )}
      </CallForm>
    </Modal>
  )
}
