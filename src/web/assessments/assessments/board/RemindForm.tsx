import { Button, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Target } from '#contract/assessments/targets/targets.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { Invitation } from '#contract/participants/invitations/participants.ts'
import { type Reminded, remindPeople, remindersFor } from './remind-people.ts'

type Props = {
  targets: readonly Target[]
  invitations: readonly Invitation[]
  onAnswer: (result: Reminded | null) => void
}

/** Asks for a message, then emails everyone who has not answered. */
export function RemindForm({ targets, invitations, onAnswer }: Props) {
  const [message, setMessage] = useState('')
  const reminders = remindersFor(targets, invitations)
  const remind = useMutation({
    mutationFn: () => remindPeople(reminders, message.trim()),
    onSuccess: onAnswer,
  })
  const { users, links } = reminders
  const people = users.length + links.length
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!remind.isPending) remind.mutate()
      }}
    >
      <p>
        <bdi>
          {users.length > 0 &&
            `${count(users.length, 'user gets', 'users get')} one email for all of their targets, unless they were reminded in the last 12 hours. `}
          {links.length > 0 &&
            `${count(links.length, 'person', 'people')} without an account ${links.length === 1 ? 'gets' : 'get'} a new link; the earlier one stops working.`}
        </bdi>
      </p>
      {remind.error && (
        <p role="alert" className="fc-form-alert">
          <bdi>{remind.error.message}</bdi>
        </p>
      )}
      <Textarea
        label="Message"
        description={<bdi>Optional. It is included in each email.</bdi>}
        autosize
        minRows={2}
        maxLength={1000}
        data-autofocus
        value={message}
        onChange={({ currentTarget }) => setMessage(currentTarget.value)}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={remind.isPending}>
          Remind {count(people, 'person', 'people')}
        </Button>
      </div>
    </form>
  )
}
