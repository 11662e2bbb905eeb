import { capitalize } from '#contract/capitalize.ts'
import type { InboundMessage, InboundState } from '#contract/leads/inbound/inbound-messages.ts'
import { count } from '#web/ui/layout/date-format.ts'

/** How each state looks. */
export const STATE_LOOKS = {
  quarantined: { tone: 'warn', mark: 'alert' },
  received: { tone: 'good', mark: 'check' },
  reply: { tone: 'info', mark: 'check' },
  ignored: { tone: 'mute', mark: 'dash' },
} as const satisfies Record<InboundState, { tone: string; mark: string }>

type Lead = InboundMessage['leads'][number]
type TitledMessage = Pick<InboundMessage, 'kind' | 'subject' | 'fromEmail'> & { leads: readonly Lead[] }

/** What a message is called: its leads, otherwise its subject or sender. */
export function messageTitle({ kind, subject, fromEmail, leads }: TitledMessage): string {
  const [first, ...others] = leads
  if (first !== undefined) {
    const name = first.name ?? 'Unknown'
    return others.length === 0 ? name : `${name} and ${count(others.length, 'other', 'others')}`
  }
  return subject ?? fromEmail ?? (kind === 'adf' ? 'ADF document' : 'Email without a subject')
}

type Noted = Pick<InboundMessage, 'state' | 'reason' | 'repeats' | 'warnings'> & { leads: readonly Lead[] }

/** The second line: why it is no lead, otherwise what is unusual about it. */
export function messageNote({ state, reason, leads, repeats, warnings }: Noted): string {
  const known = state === 'received' && leads.length > 0 && leads.every(({ isNew }) => !isNew)
  const facts = [
    leads[0]?.vehicleTitle ?? null,
    warnings > 0 ? count(warnings, 'warning', 'warnings') : null,
    repeats > 0 ? `sent ${count(repeats + 1, 'time', 'times')}` : null,
  ].filter((fact) => fact !== null)
  const sentences = [
    reason,
    known ? 'The provider had sent this lead before.' : null,
    capitalize(facts.join(', ')),
  ]
  return sentences.filter((sentence) => sentence !== null && sentence !== '').join(' ')
}

/** Whether a message can be read again or dismissed. */
export const isOpen = (state: InboundState): boolean => state === 'quarantined' || state === 'ignored'

/** Whether a user who reads a message again says that it is an inquiry: it was ignored, or looks automatic. */
export const isAddedAsLead = ({ state, automatic }: Pick<InboundMessage, 'state' | 'automatic'>): boolean =>
  state === 'ignored' || automatic !== null

/** A command that sends the sample as a test lead. */
export const sampleCommand = (url: string): string =>
  `curl -X POST -H 'Content-Type: application/xml' --data-binary @lead.xml '${url}?test=1'`
