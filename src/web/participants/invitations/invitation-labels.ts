import type { Invitation } from '#contract/participants/invitations/participants.ts'
import { formatAgo, formatDay } from '#web/ui/layout/date-format.ts'

type State = Invitation['state']

export const INVITATION_LOOKS = {
  created: { tone: 'mute', mark: 'wait' },
  sent: { tone: 'info', mark: 'quarter' },
  bounced: { tone: 'bad', mark: 'alert' },
  opened: { tone: 'info', mark: 'half' },
  in_progress: { tone: 'info', mark: 'half' },
  submitted: { tone: 'good', mark: 'check' },
  revoked: { tone: 'mute', mark: 'cross' },
  expired: { tone: 'warn', mark: 'alert' },
} as const satisfies Record<State, object>

/** When the status was reached, or why the email did not go out. */
export function describeInvitation(invitation: Invitation, isOpen: boolean): string {
  const { state, mailState, sentAt, bouncedAt, openedAt, startedAt, submittedAt, revokedAt, expiresAt } =
    invitation
  const at: Record<State, string | null> = {
    created: null,
    sent: sentAt,
    bounced: bouncedAt,
    opened: openedAt,
    in_progress: startedAt,
    submitted: submittedAt,
    revoked: revokedAt,
    expired: expiresAt,
  }
  if (state === 'created') return describeWaiting(mailState, isOpen, expiresAt)
  const instant = at[state]
  return instant === null ? '' : formatAgo(instant)
}

function describeWaiting(mail: Invitation['mailState'], isOpen: boolean, expiresAt: string | null): string {
  if (mail === 'kept') return "Emails aren't sent. Copy the link instead."
  if (mail === 'failed') return 'The email could not be sent'
  if (mail === 'waiting') return 'The email is being sent'
  if (expiresAt !== null) return 'Link copied'
  return isOpen ? 'No invitation yet' : 'Sent when the assessment opens'
}

/** "Until Dec 30", or when it ended; nothing without a link. */
export function describeExpiry({ state, expiresAt }: Invitation): string {
  if (expiresAt === null || state === 'submitted' || state === 'revoked') return ''
  return `${state === 'expired' ? 'Ended' : 'Until'} ${formatDay(expiresAt)}`
}

/** Why a new link can’t be sent or copied, as a sentence; null if it can. */
export function linkLock({ state, name }: Invitation, lock: string | null): string | null {
  if (lock !== null) return lock
  return state === 'submitted' ? `${name} has submitted already.` : null
}

/** Why the time of a link can’t be changed, as a sentence; null if it can. */
export function extendLock({ state, expiresAt, name }: Invitation, lock: string | null): string | null {
  if (lock !== null) return lock
  if (expiresAt === null) return `${name} has no invitation yet.`
  if (state === 'submitted') return `${name} has submitted already.`
  return state === 'revoked' ? 'Access was revoked. Send a new invitation instead.' : null
}

/** Why access can’t be revoked, as a sentence; null if it can. */
export function revokeLock({ state, expiresAt, name }: Invitation): string | null {
  if (state === 'revoked') return 'Access is already revoked.'
  return expiresAt === null ? `${name} has no invitation yet.` : null
}
