import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import { DESTINATION_KINDS, isInbox } from '#contract/leads/routing/rule-choices.ts'
import { labelOf } from '#contract/record.ts'
import { count, formatAgo, formatDay } from '#web/ui/layout/date-format.ts'

type Health = Readonly<{
  tone: 'good' | 'info' | 'warn' | 'bad' | 'mute'
  mark: 'check' | 'alert' | 'dash' | 'pause' | 'wait'
  label: string
  /** The second line; empty if there is nothing to add. */
  detail: string
}>

/** How well a destination gets its leads. The most serious state first. */
export function healthOf(destination: LeadDestination, now = new Date()): Health {
  const { kind, isActive, stoppedAt, stopReason, failingSince, waiting } = destination
  if (!isActive) return { tone: 'mute', mark: 'pause', label: 'Paused', detail: "It doesn't receive leads." }
  if (stoppedAt !== null) {
    return {
      tone: 'bad',
      mark: 'alert',
      label: `Stopped ${formatDay(stoppedAt, now)}`,
      detail: stopReason ?? '',
    }
  }
  const { members } = destination
  if (kind === 'team' && members.length > 0 && members.every(({ until }) => until !== null)) {
    return {
      tone: 'warn',
      mark: 'alert',
      label: 'Everyone is off',
      detail: 'Leads wait unassigned in the inbox.',
    }
  }
  if (isInbox(kind)) {
    return {
      tone: 'good',
      mark: 'check',
      label: 'Inbox',
      detail: 'Leads appear immediately, without a delivery.',
    }
  }
  if (failingSince !== null) {
    return {
      tone: 'warn',
      mark: 'alert',
      label: `Failing since ${formatAgo(failingSince, now)}`,
      detail: describeCounts(destination, now),
    }
  }
  if (destination.delivered + destination.failed + waiting === 0) {
    return { tone: 'mute', mark: 'dash', label: 'No deliveries', detail: 'None in the last 30 days.' }
  }
  if (destination.delivered === 0 && waiting > 0) {
    return { tone: 'info', mark: 'wait', label: 'Waiting', detail: describeCounts(destination, now) }
  }
  if (destination.failed > 0) {
    return { tone: 'warn', mark: 'alert', label: 'Some failed', detail: describeCounts(destination, now) }
  }
  return { tone: 'good', mark: 'check', label: 'Delivering', detail: describeCounts(destination, now) }
}

/** "128 delivered, 2 not delivered, 1 waiting. Last delivered 5 min. ago". */
function describeCounts(
  { delivered, failed, waiting, lastDeliveredAt }: LeadDestination,
  now = new Date(),
): string {
  const parts = [`${delivered.toLocaleString()} delivered`]
  if (failed > 0) parts.push(`${failed.toLocaleString()} not delivered`)
  if (waiting > 0) parts.push(`${waiting.toLocaleString()} waiting`)
  const last = lastDeliveredAt === null ? '' : `. Last delivered ${formatAgo(lastDeliveredAt, now)}`
  return `${parts.join(', ')}${last}`
}

/** "ADF email to leads@crm.example", "Luis Ortega". */
export function describeTarget({ kind, toEmail, url, userName, members, dailyCap }: LeadDestination): string {
  const label = labelOf(DESTINATION_KINDS, kind)
  const limit = dailyCap === null ? '' : `, at most ${count(dailyCap, 'lead', 'leads')} a day`
  if (kind === 'user') return `${label}: ${userName ?? 'deleted'}${limit}`
  if (kind === 'team') {
    const off = members.filter(({ until }) => until !== null).length
    const turns =
      members.length === 0
        ? ': the first who accepts'
        : `: ${count(members.length, 'member', 'members in turn')}${off === 0 ? '' : `, ${off} off today`}`
    return `${label}${turns}${limit}`
  }
  return `${label} to ${toEmail ?? url ?? 'no address'}${limit}`
}
