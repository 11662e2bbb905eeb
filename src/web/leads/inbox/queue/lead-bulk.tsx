import { Autocomplete, Select, TextInput } from '@mantine/core'
import { IconAlarmSnooze, IconArchive, IconArrowBackUp, IconUserShare } from '@tabler/icons-react'
import type { SeenOfRows } from '#contract/deletion.ts'
import type { LeadsChange } from '#contract/leads/inbox/change-leads.ts'
import { LOST_REASONS } from '#contract/leads/inbox/lead-list.ts'
import { leadTeam, type LeadWorker } from '#contract/leads/routing/lead-team.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { query, send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'

const changeLeads = send(leads.change)

/** Bulk actions for leads. They can be undone. */
export const LEAD_ACTIONS: readonly BulkAction[] = [
  {
    id: 'assign',
    label: 'Assign',
    icon: <IconUserShare size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: leads.change,
    choose: (selection, chosen, seen) =>
      askFor<Job>('Assign leads', (answer) => (
        <AssignLeads {...{ selection, chosen, seen }} onAnswer={answer} />
      )),
  },
  {
    id: 'snooze',
    label: 'Snooze',
    icon: <IconAlarmSnooze size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: leads.change,
    choose: (selection, chosen, seen) =>
      askFor<Job>('Snooze leads', (answer) => (
        <SnoozeLeads {...{ selection, chosen, seen }} onAnswer={answer} />
      )),
  },
  {
    id: 'close',
    label: 'Close',
    icon: <IconArchive size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: leads.change,
    choose: (selection, chosen, seen) =>
      askFor<Job>('Close leads as lost', (answer) => (
        <CloseLeads {...{ selection, chosen, seen }} onAnswer={answer} />
      )),
  },
  {
    id: 'reopen',
    label: 'Reopen',
    icon: <IconArrowBackUp size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: leads.change,
    start: (selection, _count, seen) => changeLeads({ selection, ...seen, change: { kind: 'reopen' } }),
  },
]

type Props = {
  selection: Selection
  chosen: number
  seen: () => SeenOfRows
  onAnswer: (job: Job | null) => void
}
const leadsOf = (chosen: number) => count(chosen, 'lead', 'leads')

type AssignProps = Props & {
  /** Who has them now, and can't be chosen. */
  exceptId?: string
}

/** Gives the selected leads to one person, or to the members of a team in their turns. */
export function AssignLeads(props: AssignProps) {
  return (
    <Loaded query={query(leadTeam.get, {})} what="the people who work on leads" shape="fields">
      {(team) => <AssignForm {...props} {...team} />}
    </Loaded>
  )
}

const NO_OWNER = 'none'
type Team = { id: string; name: string; members: string[] }

function AssignForm({
  selection,
  chosen,
  seen,
  exceptId,
  people,
  teams,
  onAnswer,
}: AssignProps & { people: readonly LeadWorker[]; teams: readonly Team[] }) {
  const call = useCallForm({
    endpoint: leads.change,
    about: 'assign',
    initial: { to: '' },
    check: ({ to }) => (to === '' ? { to: 'Choose who gets the leads.' } : {}),
    send: ({ to }) => changeLeads({ selection, ...seen(), change: changeOf(to) }),
    onDone: onAnswer,
  })
  const choices = [
    {
      group: 'Shared among a team',
      items: teams.map(({ id, name, members }) => ({
        value: `team:${id}`,
        label: `${name} (${members.join(', ')})`,
      })),
    },
    {
      group: 'One person',
      items: people
        .filter(({ userId, canWork }) => canWork && userId !== exceptId)
        .map(({ userId, name, open, isOff }) => ({
          value: `user:${userId}`,
          label: `${name}, ${count(open.count, 'open lead', 'open leads')}${isOff ? ', off today' : ''}`,
        })),
    },
    { group: 'No one', items: [{ value: NO_OWNER, label: 'No owner' }] },
  ].filter(({ items }) => items.length > 0)
  return (
    <CallForm call={call} confirm={`Assign ${leadsOf(chosen)}`} onCancel={() => onAnswer(null)}>
      <Select
        label="To"
        required
        data-autofocus
        searchable
        placeholder="Choose a team or a person"
        nothingFoundMessage="No match"
        data={choices}
        value={call.values.to || null}
        allowDeselect={false}
        onChange={(to) => call.change({ to: to ?? '' })}
        error={call.errors['to'] ?? call.errors['change.userId'] ?? call.errors['userId']}
        description="They have to accept each lead in time. Leads of stores where they don't work are left out and listed."
      />
    </CallForm>
  )
}

function changeOf(to: string): LeadsChange {
  const [kind, id = ''] = to.split(':')
  if (kind === 'team') return { kind: 'share', teamId: id }
  return { kind: 'assign', userId: to === NO_OWNER ? null : id }
}

/** Closes the selected leads with one reason. */
function CloseLeads({ selection, chosen, seen, onAnswer }: Props) {
  const call = useCallForm({
    endpoint: leads.change,
    about: 'close',
    initial: { lostReason: '' },
    check: ({ lostReason }) => (lostReason.trim() === '' ? { lostReason: 'Reason is required.' } : {}),
    send: ({ lostReason }) =>
      changeLeads({ selection, ...seen(), change: { kind: 'close', lostReason: lostReason.trim() } }),
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm={`Close ${leadsOf(chosen)}`} onCancel={() => onAnswer(null)}>
      <Autocomplete
        label="Reason"
        required
        data-autofocus
        maxLength={200}
        data={[...LOST_REASONS]}
        value={call.values.lostReason}
        onChange={(lostReason) => call.change({ lostReason })}
        error={call.errors['lostReason']}
      />
    </CallForm>
  )
}

/** Hides the selected leads until a time. */
function SnoozeLeads({ selection, chosen, seen, onAnswer }: Props) {
  const call = useCallForm({
    endpoint: leads.change,
    about: 'snooze',
    initial: { until: '' },
    check: ({ until }) => {
      const time = new Date(until).getTime()
      if (Number.isNaN(time)) return { until: 'Enter a date and time.' }
      return time <= Date.now() ? { until: 'Choose a time in the future.' } : {}
    },
    send: ({ until }) =>
      changeLeads({
        selection,
        ...seen(),
        change: { kind: 'snooze', until: new Date(until).toISOString() },
      }),
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm={`Snooze ${leadsOf(chosen)}`} onCancel={() => onAnswer(null)}>
      <TextInput
        {...call.field('until')}
        data-autofocus
        label="Until"
        required
        type="datetime-local"
        max="2100-12-31T00:00"
        description="They come back at this time, or when the buyer replies. Leads that no one owns become yours."
      />
    </CallForm>
  )
}
