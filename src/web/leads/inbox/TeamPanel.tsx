import { Group, Stack, TextInput } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { leadRule, ofOwner } from '#contract/leads/inbox/lead-list.ts'
import { leadTeam, type LeadWorker } from '#contract/leads/routing/lead-team.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import { type LeadAbsence, leadAbsences } from '#contract/leads/routing/lead-absences.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ask, askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { followJob } from '#web/ui/tasks/follow-job.ts'
import { showDayOff } from '../destinations/show-day-off.ts'
import { AssignLeads } from './queue/lead-bulk.tsx'

const setOwnAbsence = send(leadAbsences.setOwn)
const setAbsence = send(leadAbsences.set)

/** Who works on leads: their open leads, when they are away, and who gets their leads then. */
export function TeamPanel({ onClose }: { onClose: () => void }) {
  const { claims } = useSession()
  const ownId = claims?.impersonateUserId
  return (
    <FormDrawer
      title="Team and absences"
      size={640}
      about="Who works on the leads of your stores. Rules give no leads to people who are away; the leads that they own stay theirs until you reassign them."
      onClose={onClose}
    >
      <div className="fc-lead">
        <Loaded query={query(leadTeam.get, {})} what="the team" shape="fields">
          {({ people }) =>
            people.length === 0 ? (
              <EmptyState
                icon={<IconUsers size={18} />}
                title="No one works on leads here"
                text="Users whose user type may change leads are listed here."
              />
            ) : (
              <Stack component="ul" gap={0} m={0} p={0} aria-label="People" style={{ listStyle: 'none' }}>
                {people.map((person) => (
                  <PersonRow key={person.userId} person={person} isOwn={person.userId === ownId} />
                ))}
              </Stack>
            )
          }
        </Loaded>
      </div>
    </FormDrawer>
  )
}

type RowProps = { person: LeadWorker; isOwn: boolean }

function PersonRow({ person, isOwn }: RowProps) {
  const { userId, name, canWork, absence, open, late } = person
  const endpoint = isOwn ? leadAbsences.setOwn : leadAbsences.set
  const back = useMutation({
    mutationFn: () => (isOwn ? setOwnAbsence({ until: null }) : setAbsence({ userId, until: null })),
    onSuccess: () =>
      toast(
        isOwn ? "You're back" : `${name} is back`,
        'Rules give them leads again. Reassigned leads stay where they are.',
      ),
    onError: (failure) => showError(failure),
  })
  const askDays = async () => {
    const saved = await askFor<LeadAbsence>(isOwn ? "I'm away" : `${name} is away`, (answer) => (
      <AskDays {...{ userId, isOwn }} onAnswer={answer} />
    ))
    if (saved === null) return
    if (open.count === 0) toast(awayText(saved) ?? '', name)
    else if (await askToReassign(person)) await reassign(person)
  }
  const isAway = absence.until !== null
  return (
    <Group component="li" gap="sm" py={10} fz={13} style={{ borderBlockEnd: '1px solid var(--fc-line)' }}>
      <div className="fc-grow">
        <bdi>
          <b>{isOwn ? `${name} (you)` : name}</b>
        </bdi>
        <p className="fc-small fc-soft">
          <OpenLeads open={open} />
          {late.count > 0 && open.url !== null && <LateLeads late={late} />}
        </p>
      </div>
      <Presence person={person} />
      <div className="fc-row">
        <Action
          for={leads.change}
          variant="default"
          size="xs"
          lock={open.count === 0 ? 'There are no open leads to reassign.' : null}
          aria-label={`Reassign the open leads of ${name}`}
          onClick={() => void reassign(person)}
        >
          Reassign
        </Action>
        {canWork && (
          <Action
            for={endpoint}
            variant="default"
            size="xs"
            loading={back.isPending}
            aria-label={isAway ? `${name} is back` : `${name} is away`}
            onClick={() => (isAway ? back.mutate() : void askDays())}
          >
            {isAway ? 'Back' : 'Away…'}
          </Action>
        )}
      </div>
    </Group>
  )
}

function OpenLeads({ open }: Pick<LeadWorker, 'open'>) {
  const text = count(open.count, 'open lead', 'open leads')
  return open.count === 0 || open.url === null ? (
    text
  ) : (
    <Link to={open.url} className="fc-link">
      {text}
    </Link>
  )
}

function LateLeads({ late }: Pick<LeadWorker, 'late'>) {
  return (
    <>
      {', '}
      {late.url === null ? (
        `${late.count} late`
      ) : (
        <Link to={late.url} className="fc-link">{`${late.count.toLocaleString()} late`}</Link>
      )}
    </>
  )
}

function Presence({ person: { canWork, isOff, absence, open } }: { person: LeadWorker }) {
  if (!canWork)
    return (
      <Status tone={open.count > 0 ? 'warn' : 'mute'} mark="alert">
        Can't work on these leads
      </Status>
    )
  const away = awayText(absence)
  if (away === null)
    return (
      <Status tone="good" mark="check">
        Gets leads
      </Status>
    )
  return (
    <Status tone={isOff ? 'mute' : 'info'} mark="pause">
      {away}
    </Status>
  )
}

/** "Away until Fri, Nov 27", "Away Mon, Nov 23 to Fri, Nov 27"; null if they aren't. */
function awayText({ from, until }: LeadAbsence): string | null {
  if (until === null) return null
  return from === null
    ? `Away until ${showDayOff(until)}`
    : `Away ${showDayOff(from)} to ${showDayOff(until)}`
}

const askToReassign = ({ name, open }: LeadWorker) =>
  ask({
    title: `Reassign ${count(open.count, 'open lead', 'open leads')}?`,
    text: `${name} gets no leads by rules on these days. Open leads stay with ${name} unless you reassign them. You can undo that.`,
    confirm: 'Choose who gets them',
  })

/** Gives all open leads of a person to a team or to someone else. */
async function reassign({ userId, name, open }: LeadWorker): Promise<void> {
  const filter = leadRule({ queue: 'open', filter: ofOwner(userId) })
  const job = await askFor<Job>(`Open leads of ${name}`, (answer) => (
    <AssignLeads
      selection={{ all: true, filter }}
      chosen={open.count}
      seen={() => ({})}
      exceptId={userId}
      onAnswer={answer}
    />
  ))
  if (job !== null) void followJob(job)
}

type DaysProps = { userId: string; isOwn: boolean; onAnswer: (saved: LeadAbsence | null) => void }

/** Asks for the days of an absence. */
function AskDays({ userId, isOwn, onAnswer }: DaysProps) {
  const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)
  const call = useCallForm({
    endpoint: isOwn ? leadAbsences.setOwn : leadAbsences.set,
    about: userId,
    initial: { from: '', until: '' },
    check: ({ from, until }) => ({
      ...(from !== '' && !isDay(from) && { from: 'Enter a date.' }),
      ...(!isDay(until) && { until: 'Enter a date.' }),
      ...(isDay(from) && isDay(until) && from > until && { from: 'The first day is after the last one.' }),
    }),
    send: ({ from, until }) => {
      const days = { from: from === '' ? null : from, until }
      return isOwn ? setOwnAbsence(days) : setAbsence({ userId, ...days })
    },
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm="Save" onCancel={() => onAnswer(null)}>
      <TextInput
        {...call.field('from')}
        label="First day"
        type="date"
        max="2100-12-31"
        description="Leave blank if it begins now."
      />
      <TextInput
        {...call.field('until')}
        data-autofocus
        label="Last day"
        required
        type="date"
        max="2100-12-31"
      />
    </CallForm>
  )
}
