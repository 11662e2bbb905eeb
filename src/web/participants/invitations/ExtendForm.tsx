import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  assessmentParticipants,
  type Invitation,
  INVITATION_DAYS,
} from '#contract/participants/invitations/participants.ts'
import { dayAfter } from '#contract/days.ts'
import { send } from '#web/api/query.ts'

const extendInvitations = send(assessmentParticipants.extend)

type Props = { people: readonly Invitation[]; today: string; onAnswer: (day: string | null) => void }

/** Asks until when links work. */
export function ExtendForm({ people, today, onAnswer }: Props) {
  const [day, setDay] = useState(() => dayAfter(today, INVITATION_DAYS))
  const extend = useMutation({ mutationFn: extendInvitations, onSuccess: () => onAnswer(day) })
  const problem = extend.error?.fields['expiresOn']
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!extend.isPending) extend.mutate({ ids: people.map(({ id }) => id), expiresOn: day })
      }}
    >
      {extend.error && problem === undefined && (
        <p role="alert" className="fc-form-alert">
          <bdi>{extend.error.message}</bdi>
        </p>
      )}
      <TextInput
        type="date"
        label="Last day"
        required
        data-autofocus
        max="2100-12-31"
        value={day}
        error={problem}
        description={<bdi>Links that have expired work again until this day. No email is sent.</bdi>}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={extend.isPending}>
          Change last day
        </Button>
      </div>
    </form>
  )
}
