import {
  DELIVERY_STATES,
  type DeliveryState,
  type LeadDelivery,
} from '#contract/leads/deliveries/lead-deliveries.ts'
import { labelOf } from '#contract/record.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'

/** How each state of a delivery looks. */
export const STATE_LOOKS = {
  queued: { tone: 'info', mark: 'wait' },
  sending: { tone: 'info', mark: 'half' },
  delivered: { tone: 'good', mark: 'check' },
  'in-doubt': { tone: 'warn', mark: 'alert' },
  failed: { tone: 'bad', mark: 'alert' },
} as const satisfies Record<DeliveryState, { tone: string; mark: string }>

/** What "unconfirmed" means, in one sentence. */
export const IN_DOUBT =
  'Unconfirmed: the server stopped before the response was recorded, so the receiver may have the lead. It is sent again with the same ID, so that the receiver recognizes it.'

/** The buyer of a delivered lead. Who may not read buyers sees its number. */
export function buyerLabel({ leadId, leadName }: Pick<LeadDelivery, 'leadId' | 'leadName'>): string {
  return leadName ?? (leadId === null ? 'Deleted lead' : `Lead ${leadId}`)
}

type DeliveryProgress = Pick<LeadDelivery, 'state' | 'attempts' | 'nextAttemptAt'>

/** "Queued", or "Waiting to be sent again" after an attempt. */
export function stateLabel({ state, attempts }: Pick<DeliveryProgress, 'state' | 'attempts'>): string {
  if (state === 'queued' && attempts > 0) return 'Waiting to be sent again'
  return labelOf(DELIVERY_STATES, state)
}

/** "3 attempts, next in 5 min."; empty before the first attempt. */
export function describeAttempts(
  { attempts, nextAttemptAt, state }: DeliveryProgress,
  now = new Date(),
): string {
  const parts = [attempts === 0 ? '' : count(attempts, 'attempt', 'attempts')]
  if (state === 'queued' && nextAttemptAt !== null) {
    parts.push(
      Date.parse(nextAttemptAt) <= now.getTime() ? 'due now' : `next ${formatAgo(nextAttemptAt, now)}`,
    )
  }
  return parts.filter((part) => part !== '').join(', ')
}

/** Why a delivery can't be sent again now, as a sentence; null if it can. */
export function replayLock({
  state,
  destinationId,
}: Pick<LeadDelivery, 'state' | 'destinationId'>): string | null {
  if (destinationId === null) return 'Its destination was deleted.'
  return state === 'queued' || state === 'sending' ? 'It is already being sent.' : null
}
