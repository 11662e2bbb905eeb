import type { UserTypeChoice } from '#contract/identity/user-types/user-types.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { REACH_NAMES } from './type-form.ts'

/**
 * "User type with 41 people. Reach: own organization. Can never hold more than Customer administrator." `own` is the
 * caller's own type, where it stands in this tree: that of the platform's staff does not.
 */
export function describeType({ id, people, reach }: UserTypeChoice, own: UserTypeChoice | undefined): string {
  const facts = `User type with ${countPeople(people)}. Reach: ${REACH_NAMES[reach].toLowerCase()}.`
  if (id === own?.id) return `${facts} This is your own type.`
  return `${facts} Can never hold more than ${own?.name ?? 'you do'}.`
}

/** "41 people", "1 person". */
export function countPeople(people: number): string {
  return count(people, 'person', 'people')
}
