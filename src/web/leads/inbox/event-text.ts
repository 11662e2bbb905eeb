import { CALL_RESULTS, type LeadEvent, type LeadEventKind } from '#contract/leads/leads/lead-events.ts'
import { LEAD_OUTCOMES } from '#contract/leads/leads/lead-list.ts'

/** The headline of an entry of the timeline. */
export function eventTitle({ kind, byName, data }: LeadEvent): string {
  const by = byName === null ? '' : ` by ${byName}`
  switch (kind) {
    case 'received':
      return `Received${data.sourceName === undefined ? '' : ` from ${data.sourceName}`}`
    case 'delivery':
      return `Delivery${data.destination === undefined ? '' : ` to ${data.destination}`}: ${data.state ?? 'unknown'}`
    case 'consent':
      return `Consent ${data.consent ?? 'given'}${data.channels === undefined ? '' : `: ${data.channels.join(', ')}`}`
    case 'call':
      return `Call${by}: ${CALL_RESULTS.find(({ value }) => value === data.result)?.label ?? data.result ?? ''}`
    case 'assigned':
      return data.toName == null
        ? `No owner anymore${by && `, changed${by}`}`
        : `Assigned to ${data.toName}${by}`
    case 'returned':
      return `${data.isTimeout === true ? 'Not accepted in time' : `Given back${by}`}${data.toName == null ? '' : `, now with ${data.toName}`}`
    case 'escalated':
      return `Passed on to ${data.toName ?? 'the manager'}`
    case 'outcome':
      return `Outcome: ${LEAD_OUTCOMES.find(({ value }) => value === data.outcome)?.label ?? data.outcome ?? ''}${by}`
    default:
      return `${PLAIN[kind]}${by}`
  }
}

const PLAIN: Readonly<Record<LeadEventKind, string>> = {
  received: 'Received',
  duplicate: 'Another lead about the same',
  quarantined: 'Put in quarantine',
  released: 'Taken out of quarantine',
  routed: 'Routed',
  delivery: 'Delivery',
  consent: 'Consent',
  'message-in': 'Email from the buyer',
  'message-out': 'Email sent',
  'auto-reply': 'Automatic reply sent',
  opened: 'The buyer opened an email',
  viewed: 'The buyer viewed the vehicle',
  call: 'Call',
  note: 'Note',
  assigned: 'Assigned',
  accepted: 'Accepted',
  returned: 'Given back',
  escalated: 'Passed on',
  snoozed: 'Snoozed',
  woken: 'Snooze ended',
  outcome: 'Outcome',
  merged: 'Merged with another person',
  unmerged: 'Merge undone',
  changed: 'Changed',
}
