import type { Invitation } from '#contract/participants/invitations/participants.ts'
import { PERSON_ROLES, type PersonRole } from '#contract/assessments/targets/target-states.ts'
import { labelOf } from '#contract/record.ts'
import type { TargetPerson } from '#contract/assessments/targets/targets.ts'

/** A person of a target while its people are edited. */
export type PersonRow = Readonly<{
  /** `user/1` or `participant/1`. */
  key: string
  role: PersonRole
  userId: string | null
  participantId: string | null
  name: string
  email: string
  isDelegate: boolean
}>

type Identified = Pick<TargetPerson, 'userId' | 'participantId'>

export const keyOfPerson = ({ userId, participantId }: Identified): string =>
  userId === null ? `participant/${participantId ?? ''}` : `user/${userId}`

export const toRows = (people: readonly TargetPerson[]): PersonRow[] =>
  people.map((person) => ({ ...person, key: keyOfPerson(person) }))

/** Adds a person: as the owner if there is none yet, otherwise as a contributor. Someone who is listed stays as they are. */
export function addRow(
  rows: readonly PersonRow[],
  person: Omit<PersonRow, 'key' | 'role' | 'isDelegate'>,
): PersonRow[] {
  const key = keyOfPerson(person)
  if (rows.some((row) => row.key === key)) return [...rows]
  const role = rows.some((row) => row.role === 'owner') ? 'contributor' : 'owner'
  return [...rows, { ...person, key, role, isDelegate: false }]
}

/** After an invitation was added on the server, which makes a former owner a contributor. */
export function addInvited(rows: readonly PersonRow[], invited: Invitation): PersonRow[] {
  const { participantId, name, email, role, isDelegate } = invited
  const key = keyOfPerson({ userId: null, participantId })
  const row = { key, role, userId: null, participantId, name, email, isDelegate }
  return [...setRole(rows, key, role).filter((one) => one.key !== key), row].map((one) =>
    role === 'owner' && one.key !== key && one.role === 'owner' ? { ...one, role: 'contributor' } : one,
  )
}

/** Changes a role. A target has one owner, so the former one becomes a contributor. */
export function setRole(rows: readonly PersonRow[], key: string, role: PersonRole): PersonRow[] {
  return rows.map((row) => {
    if (row.key === key) return { ...row, role, isDelegate: row.isDelegate && role === 'contributor' }
    return role === 'owner' && row.role === 'owner' ? { ...row, role: 'contributor' } : row
  })
}

/** The people in the shape of the contract. */
export const toPeople = (rows: readonly PersonRow[]) =>
  rows.map(({ role, userId, participantId }) => ({
    role,
    ...(userId !== null && { userId }),
    ...(participantId !== null && { participantId }),
  }))

/** Whether the rows differ from the saved people. */
export function isChanged(rows: readonly PersonRow[], people: readonly TargetPerson[]): boolean {
  const saved = new Map(people.map((person) => [keyOfPerson(person), person.role]))
  return rows.length !== saved.size || rows.some(({ key, role }) => saved.get(key) !== role)
}

/** What differs between two lists of people, in sentences: "Tom Becker was added as a contributor." */
export function describeChanges(before: readonly TargetPerson[], after: readonly TargetPerson[]): string[] {
  const former = new Map(before.map((person) => [keyOfPerson(person), person]))
  const current = new Set(after.map(keyOfPerson))
  const roleOf = ({ role }: TargetPerson) => labelOf(PERSON_ROLES, role).toLowerCase()
  return [
    ...after.flatMap((person) => {
      const other = former.get(keyOfPerson(person))
      if (other === undefined) return [`${person.name} was added (${roleOf(person)}).`]
      return other.role === person.role ? [] : [`${person.name} is now ${roleOf(person)}.`]
    }),
    ...before.flatMap((person) => (current.has(keyOfPerson(person)) ? [] : [`${person.name} was removed.`])),
  ]
}
