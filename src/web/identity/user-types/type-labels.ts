import type { UserTypeChoice } from '#contract/identity/user-types/user-types.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { REACH_NAMES } from './type-form.ts'

/**
 * "User type with 41 users. Access: own organizations. Can only include permissions of Customer
 * administrator." `own` is the caller's own type, if it is in this tree; that of platform staff isn't.
 */
export function describeType({ id, people, reach }: UserTypeChoice, own: UserTypeChoice | undefined): string {
  const facts = `User type with ${countUsers(people)}. Access: ${REACH_NAMES[reach].toLowerCase()}.`
  if (id === own?.id) return `${facts} This is your own type.`
  return `${facts} Can't include more permissions than ${own?.name ?? 'you have'}.`
}

/** "41 users", "1 user". */
export function countUsers(people: number): string {
  return count(people, 'user', 'users')
}
