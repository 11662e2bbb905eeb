import { Button, Menu } from '@mantine/core'
import { IconAlarmSnooze, IconUserShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LEAD_OUTCOMES, LOST_REASONS } from '#contract/leads/inbox/lead-list.ts'
import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { labelOf } from '#contract/record.ts'
import { query } from '#web/api/query.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { AskTime } from './AskTime.tsx'
import { snoozeTimes } from './snooze-times.ts'
import type { LeadActions } from './use-lead-actions.ts'

/** Which menu of a lead is open; keys open them too. */
export type LeadMenu = 'assign' | 'snooze' | 'outcome' | 'template'

type Props = {
  lead: LeadRecord
  actions: LeadActions
  open: LeadMenu | null
  onOpen: (menu: LeadMenu | null) => void
}

/** Assign, snooze and outcome. */
export function LeadMenus(props: Props) {
  const { open, onOpen } = props
  const menu = (name: LeadMenu) => ({
    opened: open === name,
    onChange: (isOpen: boolean) => onOpen(isOpen ? name : null),
    position: 'bottom-end' as const,
    width: 248,
    // Key and pointer both lead to the first entry.
    trapFocus: true,
    returnFocus: true,
  })
  return (
    <>
      <Menu {...menu('assign')}>
        <Menu.Target>
          <Button variant="default" aria-label="Assign" className="fc-lead-icon">
            <IconUserShare size={16} stroke={1.6} aria-hidden="true" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>{open === 'assign' && <AssignItems {...props} />}</Menu.Dropdown>
      </Menu>
      <Menu {...menu('snooze')}>
        <Menu.Target>
          <Button variant="default" aria-label="Snooze" className="fc-lead-icon">
            <IconAlarmSnooze size={16} stroke={1.6} aria-hidden="true" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>{open === 'snooze' && <SnoozeItems {...props} />}</Menu.Dropdown>
      </Menu>
      <Menu {...menu('outcome')}>
        <Menu.Target>
          <Button variant="default">{outcomeTitle(props.lead)}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <OutcomeItems {...props} />
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

function outcomeTitle({ outcome }: LeadRecord): string {
  return outcome === 'open' ? 'Outcome' : `Outcome: ${labelOf(LEAD_OUTCOMES, outcome)}`
}

/** Everyone who can work on the lead, fewest open leads first. */
function AssignItems({ lead, actions }: Props) {
  const { data, error } = useQuery(query(leads.assignees, { id: lead.id }))
  if (error) return <p className="fc-small fc-lead-menu-note">{error.message}</p>
  if (!data) return <p className="fc-small fc-lead-menu-note">Loading</p>
  return (
    <>
      {data.length === 0 && (
        <p className="fc-small fc-lead-menu-note">No user of this store can work on leads.</p>
      )}
      {data.map(({ id, name, openLeads, isManager, isOff }) => (
        <ActionItem
          key={id}
          for={leads.assign}
          lock={id === lead.ownerId ? 'Owns it now.' : null}
          onClick={() => actions.assign(id, name)}
        >
          <bdi>{name}</bdi>
          <span className="fc-second">
            {`${count(openLeads, 'open lead', 'open leads')}${isManager ? ', manager of the lot' : ''}${isOff ? ', off today' : ''}`}
          </span>
        </ActionItem>
      ))}
      {lead.ownerId !== null && (
        <>
          <Menu.Divider />
          <ActionItem for={leads.assign} onClick={() => actions.assign(null, '')}>
            No owner
          </ActionItem>
        </>
      )}
    </>
  )
}

function SnoozeItems({ lead, actions }: Props) {
  const [now] = useState(() => new Date())
  const askTime = () =>
    void askFor<LeadRecord>('Snooze until', (answer) => (
      <AskTime
        lead={lead}
        endpoint={leads.snooze}
        label="Until"
        confirm="Snooze"
        send={actions.snoozeInDialog}
        onAnswer={answer}
      />
    ))
  return (
    <>
      {snoozeTimes(now).map(({ label, at }) => (
        <ActionItem key={label} for={leads.snooze} onClick={() => actions.snooze(at)}>
          {label}
        </ActionItem>
      ))}
      <ActionItem for={leads.snooze} onClick={askTime}>
        Choose a time
      </ActionItem>
      {lead.snoozedUntil !== null && (
        <>
          <Menu.Divider />
          <ActionItem for={leads.snooze} onClick={() => actions.snooze(null)}>
            End snooze
          </ActionItem>
        </>
      )}
    </>
  )
}

function OutcomeItems({ lead, actions }: Props) {
  const askTime = () =>
    void askFor<LeadRecord>('Appointment', (answer) => (
      <AskTime
        lead={lead}
        endpoint={leads.setOutcome}
        label="When"
        confirm="Set appointment"
        send={actions.appointInDialog}
        onAnswer={answer}
      />
    ))
  return (
    <>
      <ActionItem for={leads.setOutcome} onClick={() => actions.setOutcome({ outcome: 'contacted' })}>
        Contacted
      </ActionItem>
      <ActionItem for={leads.setOutcome} onClick={askTime}>
        Appointment
      </ActionItem>
      <ActionItem for={leads.setOutcome} onClick={() => actions.setOutcome({ outcome: 'sold' })}>
        Sold
      </ActionItem>
      <ActionItem for={leads.setOutcome} onClick={() => actions.setOutcome({ outcome: 'open' })}>
        Open again
      </ActionItem>
      <Menu.Divider />
      <Menu.Label>Lost</Menu.Label>
      {LOST_REASONS.map((lostReason) => (
        <ActionItem
          key={lostReason}
          for={leads.setOutcome}
          onClick={() => actions.setOutcome({ outcome: 'lost', lostReason })}
        >
          {lostReason}
        </ActionItem>
      ))}
    </>
  )
}
