import type { User } from '#contract/identity/users/users.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'

export const STATUS_LABELS: Record<User['state'], string> = {
  active: 'Active',
  invited: 'Invited',
  off: 'Deactivated',
}

/** "Luis Ortega". */
export function nameOfUser({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`
}

/** "Northgate Ford, Northgate Toyota and 3 more". */
export function nameOrganizations({ organizations }: User, most = 2): string {
  const named = organizations.slice(0, most).map(({ name }) => name)
  const more = organizations.length - named.length
  if (named.length === 0) return 'No organization'
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}

/** "2 overrides": permissions in which the user differs from their user type. Empty if there are none. */
export function countDifferences({ differences }: User): string {
  return differences === 0 ? '' : count(differences, 'override', 'overrides')
}

/** For an invited user, when the invitation was emailed; otherwise empty. */
export function explainStatus({ state, passwordMailAt }: User): string {
  if (state !== 'invited') return ''
  return passwordMailAt === null ? 'No email sent yet' : `Email sent ${formatAgo(passwordMailAt)}`
}

/** "Signed in 2 hr. ago", "Never signed in". */
export function formatLastSignIn({ lastSignInAt }: User): string {
  return lastSignInAt === null ? 'Never signed in' : `Signed in ${formatAgo(lastSignInAt)}`
}

/** "2 hr. ago", "Never". */
export function describeLastSignIn({ lastSignInAt }: User): string {
  return lastSignInAt === null ? 'Never' : formatAgo(lastSignInAt)
}
