import { Textarea } from '@mantine/core'
import { assessmentTargets, type Target } from '#contract/assessments/targets/targets.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
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
  const reminders = remindersFor(targets, invitations)
  const call = useCallForm({
    endpoint: assessmentTargets.remind,
    about: targets.map(({ id }) => id).join(),
    initial: { message: '' },
    send: ({ message }) => remindPeople(reminders, message.trim()),
    onDone: onAnswer,
  })
  const { users, links } = reminders
  const people = users.length + links.length
  return (
    <CallForm
      call={call}
      confirm={`Remind ${count(people, 'person', 'people')}`}
      onCancel={() => onAnswer(null)}
    >
      <p>
        <bdi>
          {users.length > 0 &&
            `${count(users.length, 'user gets', 'users get')} one email for all of their targets, unless they were reminded in the last 12 hours. `}
          {links.length > 0 &&
            `${count(links.length, 'person', 'people')} without an account ${links.length === 1 ? 'gets' : 'get'} a new link; the earlier one stops working.`}
        </bdi>
      </p>
      <Textarea
        {...call.field('message')}
        label="Message"
        description={<bdi>Optional. It is included in each email.</bdi>}
        autosize
        minRows={2}
        maxLength={1000}
        data-autofocus
      />
    </CallForm>
  )
}
