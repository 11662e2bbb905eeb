import { Button, TextInput } from '@mantine/core'
import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import { leadAbsences } from '#contract/leads/routing/lead-absences.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { showDayOff } from './show-day-off.ts'

const setAbsence = send(leadAbsences.set)

type Absence = Awaited<ReturnType<typeof setAbsence>>
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
  const onSet = (next: string | null) =>
    next === null
      ? toast(`${name} is back`, 'Rules give them leads again.')
      : toast(`${name} is off until ${showDayOff(next)}`, 'Rules give them no leads.')
  const change = useMutation({
    mutationFn: setAbsence,
    onSuccess: (saved) => onSet(saved.until),
    onError: (failure) => showError(failure),
  })
  const setUntil = (next: string | null) => change.mutate({ userId, until: next })
  const askDay = async () => {
    const saved = await askFor<Absence>(`${name} is off`, (answer) => (
      <AskDay userId={userId} onAnswer={answer} />
    ))
    if (saved !== null) onSet(saved.until)
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

type DayProps = { userId: string; onAnswer: (saved: Absence | null) => void }

/** Asks for the last day of an absence. */
function AskDay({ userId, onAnswer }: DayProps) {
  const call = useCallForm({
    endpoint: leadAbsences.set,
    about: userId,
    initial: { until: '' },
    check: ({ until }) => (/^\d{4}-\d{2}-\d{2}$/.test(until) ? {} : { until: 'Enter a date.' }),
    send: ({ until }) => setAbsence({ userId, until }),
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm="Set" onCancel={() => onAnswer(null)}>
      <TextInput {...call.field('until')} data-autofocus label="Last day off" type="date" max="2100-12-31" />
    </CallForm>
  )
}
