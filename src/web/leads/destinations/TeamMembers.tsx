import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import { leadAbsences } from '#contract/leads/routing/lead-absences.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { showDayOff } from './show-day-off.ts'
import { type FormEvent, useState } from 'react'

const setAbsence = send(leadAbsences.set)

type Member = LeadDestination['members'][number]

/** Who of a saved team is off. Saved at once. */
export function TeamMembers({ members }: { members: readonly Member[] }) {
  if (members.length === 0) return null
  return (
    <section className="fc-wide fc-rule-section" aria-labelledby="team-members">
      <h3 id="team-members">Who gets leads today</h3>
      <ul className="fc-team" aria-label="Members">
        {members.map((member) => (
          <MemberRow key={member.userId} member={member} />
        ))}
      </ul>
    </section>
  )
}

function MemberRow({ member: { userId, name, until } }: { member: Member }) {
  const change = useMutation({
    mutationFn: setAbsence,
    onSuccess: (saved) =>
      saved.until === null
        ? toast(`${name} is back`, 'Rules give them leads again.')
        : toast(`${name} is off until ${showDayOff(saved.until)}`, 'Rules give them no leads.'),
    onError: (failure) => showError(failure),
  })
  const setUntil = (next: string | null) => change.mutate({ userId, until: next })
  const askDay = async () => {
    const day = await askFor<string>(`${name} is off`, (answer) => <AskDay onAnswer={answer} />)
    if (day !== null) setUntil(day)
  }
  return (
    <li>
      <bdi className="fc-grow fc-cut">{name}</bdi>
      <Status tone={until === null ? 'good' : 'mute'} mark={until === null ? 'check' : 'pause'}>
        {until === null ? 'Gets leads' : `Off until ${showDayOff(until)}`}
      </Status>
      {until === null ? (
        <>
          <Action
            for={leadAbsences.set}
            variant="default"
            size="xs"
            loading={change.isPending}
            aria-label={`${name} is off today`}
            onClick={() => setUntil('today')}
          >
            Off today
          </Action>
          <Button
            variant="subtle"
            size="xs"
            aria-label={`${name} is off until a day`}
            disabled={change.isPending}
            onClick={() => void askDay()}
          >
            Until…
          </Button>
        </>
      ) : (
        <Action
          for={leadAbsences.set}
          variant="default"
          size="xs"
          loading={change.isPending}
          aria-label={`${name} is back`}
          onClick={() => setUntil(null)}
        >
          Back
        </Action>
      )}
    </li>
  )
}

/** Asks for the last day of an absence. */
function AskDay({ onAnswer }: { onAnswer: (day: string | null) => void }) {
  const [day, setDay] = useState('')
  const [error, setError] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return setError('Enter a date.')
    onAnswer(day)
  }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={submit}>
      <TextInput
        data-autofocus
        label="Last day off"
        type="date"
        max="2100-12-31"
        value={day}
        error={error}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <div className="fc-row">
        <span className="fc-grow" />
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">Set</Button>
      </div>
    </form>
  )
}
