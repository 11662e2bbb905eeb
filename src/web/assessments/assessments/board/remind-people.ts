import { assessmentParticipants, type Invitation } from '#contract/participants/invitations/participants.ts'
import { assessmentTargets, type BulkResult, type Target } from '#contract/assessments/targets/targets.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { waits } from './board-rows.ts'

const remindUsers = send(assessmentTargets.remind)
const sendLinks = send(assessmentParticipants.send)

/** Who is emailed: the IDs of users, those of invited people, and the targets that users answer. */
export type Reminders = { users: string[]; targetIds: string[]; links: string[] }
export type Reminded = { sent: number; left: BulkResult['left'] }

/** The most people of one request. */
const MOST_LINKS = 200

/** People who finished their part, and those whose access was revoked, aren't reminded. */
const LINKED = new Set<Invitation['state']>([
  'created',
  'sent',
  'bounced',
  'opened',
  'in_progress',
  'expired',
])

/**
 * The owners and contributors of targets that wait for answers.
 * @param invitations of the assessment; without them, only users are reminded.
 */
export function remindersFor(targets: readonly Target[], invitations: readonly Invitation[]): Reminders {
  const waiting = targets.filter(waits)
  const answering = (target: Target) =>
    target.people.filter(({ role }) => role === 'owner' || role === 'contributor')
  const byId = new Map(invitations.map((invitation) => [invitation.id, invitation]))
  return {
    users: [...new Set(waiting.flatMap((target) => answering(target).flatMap(({ userId }) => userId ?? [])))],
    targetIds: waiting
      .filter((target) => answering(target).some(({ userId }) => userId !== null))
      .map(({ id }) => id),
    links: waiting.flatMap((target) =>
      answering(target).flatMap(({ id }) => {
        const invitation = byId.get(id)
        return invitation !== undefined && LINKED.has(invitation.state) ? id : []
      }),
    ),
  }
}

/** Sends the emails. What fails after others were sent is in `left`. @throws CallFailure if no one was emailed */
export async function remindPeople({ users, targetIds, links }: Reminders, text: string): Promise<Reminded> {
  const message = text === '' ? undefined : text
  const reminded: Reminded = { sent: 0, left: [] }
  let refusal: CallFailure | null = null
  if (users.length > 0) {
    try {
      const { sent, left } = await remindUsers({ ids: targetIds, message })
      reminded.sent += sent
      reminded.left.push(...left)
    } catch (failure) {
      // Everyone was reminded already. The others still get their emails.
      if (!(failure instanceof CallFailure) || failure.status !== 409) throw failure
      refusal = failure
    }
  }
  for (let at = 0; at < links.length; at += MOST_LINKS) {
    try {
      // One request after the other, because the server limits the people of one.
      // oxlint-disable-next-line no-await-in-loop
      const sent = await sendLinks({ ids: links.slice(at, at + MOST_LINKS), message, isReminder: true })
      reminded.sent += sent.length
    } catch (failure) {
      if (!(failure instanceof CallFailure) || reminded.sent === 0) throw failure
      // Others were emailed already, so this is part of the result.
      reminded.left.push({
        targetId: `links ${at}`,
        name: 'People without an account',
        reason: failure.message,
      })
    }
  }
  if (reminded.sent === 0 && refusal !== null) throw refusal
  return reminded
}
