import { CALL_RESULTS, type LeadEvent, type LeadEventKind } from '#contract/leads/inbox/lead-events.ts'
import { LEAD_OUTCOMES, LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import type { SimilarPerson } from '#contract/leads/people/people.ts'
import { labelOf } from '#contract/record.ts'

/** The headline of an entry of the timeline. */
export function eventTitle(event: LeadEvent): string {
  const title = plainTitle(event)
  return event.data.isUndo === true ? `Undone: ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title
}

function plainTitle({ kind, byName, data }: LeadEvent): string {
  const by = byName === null ? '' : ` by ${byName}`
  switch (kind) {
    case 'received':
      return receivedTitle(data, by)
    case 'delivery':
      return `${data.isUpdate === true ? 'Update: ' : ''}${DELIVERED[data.state ?? ''] ?? 'Sent'} to ${data.destination ?? 'a destination'}`
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
    case 'late':
      return `Not answered in time${data.toName == null ? '' : `, ${data.toName} was told`}`
    case 'merged':
      return data.isAutomatic === true ? joinedBecause(data.reasons ?? []) : `${PLAIN[kind]}${by}`
    case 'store':
      return data.toName == null ? 'No store yet' : `Store: ${data.toName}`
    case 'moved':
      return `Moved from ${data.fromName ?? 'no store'} to ${data.toName ?? 'no store'}${by}`
    case 'copied':
      return `Copied from ${data.fromName ?? 'no store'} to ${data.toName ?? 'another store'}${by}`
    case 'outcome':
      return `Outcome: ${LEAD_OUTCOMES.find(({ value }) => value === data.outcome)?.label ?? data.outcome ?? ''}${by}`
    default:
      return `${PLAIN[kind]}${by}`
  }
}

const AGREES: Readonly<Record<string, string>> = { email: 'email', phone: 'phone', name: 'name' }

/** Why a lead was joined with those of a known buyer. */
export function joinedBecause(reasons: readonly string[]): string {
  const words = reasons.flatMap((reason) => AGREES[reason] ?? [])
  const last = words.at(-1)
  if (last === undefined) return 'Known buyer'
  return `Known buyer: same ${words.length === 1 ? last : `${words.slice(0, -1).join(', ')} and ${last}`}`
}

const DELIVERED: Readonly<Record<string, string>> = {
  delivered: 'Delivered',
  failed: 'Not delivered',
  'in-doubt': 'Delivery unconfirmed',
}

/** How a lead came in, and from which source. */
function receivedTitle({ sourceKind, sourceName }: LeadEvent['data'], by: string): string {
  if (sourceKind === 'manual') return `Added${by}`
  const how = RECEIVED[sourceKind ?? '']
  if (how === undefined || how === sourceName) return sourceName ?? 'Received'
  return sourceName === undefined ? how : `${how} from ${sourceName}`
}

const RECEIVED: Readonly<Record<string, string>> = {
  form: 'Website form',
  'adf-http': 'ADF document',
  'adf-mail': 'ADF email',
  email: 'Email',
}

const PLAIN: Readonly<Record<LeadEventKind, string>> = {
  received: 'Received',
  completed: 'The buyer finished the form',
  duplicate: 'Another lead about the same',
  quarantined: 'Put in quarantine',
  released: 'Taken out of quarantine',
  routed: 'Routed',
  delivery: 'Delivery',
  consent: 'Consent',
  'message-in': 'Email from the buyer',
  'message-out': 'Email to the buyer',
  'auto-reply': 'Automatic reply',
  opened: 'The buyer opened an email',
  viewed: 'The buyer viewed the vehicle',
  call: 'Call',
  note: 'Note',
  assigned: 'Assigned',
  accepted: 'Accepted',
  returned: 'Given back',
  escalated: 'Passed on',
  late: 'Not answered in time',
  bounced: 'An email to the buyer came back: it is no answer',
  snoozed: 'Snoozed',
  woken: 'Snooze ended',
  outcome: 'Outcome',
  merged: 'Joined with another buyer',
  unmerged: 'Split into two buyers',
  changed: 'Changed',
  store: 'Store',
  moved: 'Moved to another store',
  copied: 'Copied to another store',
  files: 'Attachments',
}

/** Another lead of the buyer: the vehicle or what it was about, and what became of it. */
export function otherText({ vehicleTitle, type, outcome }: LeadRecord['otherLeads'][number]): string {
  return `${vehicleTitle ?? labelOf(LEAD_TYPES, type)}, ${labelOf(LEAD_OUTCOMES, outcome).toLowerCase()}`
}

const SAME = {
  email: 'Same email',
  phone: 'Same phone',
  address: 'Same name and address',
  postalCode: 'Same name and ZIP code',
  vehicle: 'Same name and vehicle',
} as const
const OTHER = { name: 'other name', email: 'other email', phone: 'other phone' } as const

const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, '').slice(-10)

type Evidence = Pick<SimilarPerson, 'evidence' | 'differs' | 'phone' | 'name'>

/** "Same phone (916) 555-0142, other name, other email mary@mail.example". */
export function evidenceText({ evidence, differs, phone, name }: Evidence): string {
  const shown = (kind: keyof typeof SAME, value: string) =>
    kind === 'phone' && phone !== null && digitsOf(phone) === digitsOf(value) ? phone : value
  return [
    ...evidence.map(({ kind, value }) => `${SAME[kind]} ${shown(kind, value)}`),
    // The name stands above.
    ...differs.map(({ kind, other }) => (other === name ? OTHER[kind] : `${OTHER[kind]} ${other}`)),
  ].join(', ')
}
