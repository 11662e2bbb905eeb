import { count } from '#web/ui/layout/date-format.ts'

/** The emails that go out on opening, as a sentence. */
export function describeEmails({ users, invitations }: { users: number; invitations: number }): string {
  const total = users + invitations
  if (total === 0) return 'No emails are sent.'
  const sent = count(total, 'email is', 'emails are')
  if (invitations === 0) return `${sent} sent to people with an account.`
  const links = count(invitations, 'invitation', 'invitations')
  if (users === 0) return `${sent} sent: ${links} to people without an account.`
  return `${sent} sent: ${users.toLocaleString()} to people with an account, and ${links} to people without one.`
}
