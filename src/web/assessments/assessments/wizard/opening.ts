import type { Target } from '#contract/assessments/assessments/targets.ts'
import { count } from '#web/ui/layout/date-format.ts'

/** How many invitations are emailed on opening, and how many people with an account are not emailed. */
export type Emails = { invitations: number; users: number }

/** Each person without an account gets one invitation for each of their targets. */
export function countPeople(targets: readonly Pick<Target, 'people'>[]): Emails {
  const people = targets.flatMap((target) => target.people)
  const answering = people.filter(({ role }) => role === 'owner' || role === 'contributor')
  return {
    invitations: people.filter(({ participantId }) => participantId !== null).length,
    users: new Set(answering.flatMap(({ userId }) => userId ?? [])).size,
  }
}

/** The emails as sentences. */
export function describeEmails({ invitations, users }: Emails): string {
  const first =
    invitations === 0
      ? 'No invitations are emailed.'
      : `${count(invitations, 'invitation is', 'invitations are')} emailed.`
  if (users === 0) return first
  return `${first} ${count(users, 'person has an account and finds', 'people have an account and find')} the assessment in Forecourt.`
}
