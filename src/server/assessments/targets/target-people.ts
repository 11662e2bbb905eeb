import { sql } from 'kysely'
import type { PersonRole } from '#contract/assessments/targets/target-states.ts'
import type { TargetPerson } from '#contract/assessments/targets/targets.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'

/** A person to add. Exactly one of the two IDs is set. */
export type NewPerson = Readonly<{
  role: PersonRole
  userId?: string | undefined
  participantId?: string | undefined
  isDelegate?: boolean
}>

type TargetRef = Readonly<{ id: string; organizationId: string }>
type KnownPerson = { userId: string | null; participantId: string | null; name: string; email: string }

/** The people of a target: owner, contributors, readers, reviewers. */
export async function readPeople(db: Database, targetId: string): Promise<TargetPerson[]> {
  const { rows } = await sql<TargetPerson>`
    select id::text, role, user_id::text, participant_id::text, name, email, is_delegate from assessment_people
    where target_id = ${targetId}
    order by array_position(array['owner', 'contributor', 'reader', 'reviewer'], role), id`.execute(db)
  return rows
}

/**
 * Sets the people of a target. Someone who stays keeps their delegations, unless their role changes.
 * @throws Failure 400 for an unknown user or participant
 */
export async function setPeople(
  db: Database,
  target: TargetRef,
  people: readonly NewPerson[],
): Promise<void> {
  const current = await readPeople(db, target.id)
  const gone = current.filter((one) => !people.some((next) => isSamePerson(one, next))).map(({ id }) => id)
  if (gone.length > 0) await db.deleteFrom('assessmentPeople').where('id', 'in', gone).execute()
  const changed = current.flatMap((one) => {
    const next = people.find((person) => isSamePerson(one, person))
    const isDelegate = next?.isDelegate ?? false
    if (next === undefined || (next.role === one.role && isDelegate === one.isDelegate)) return []
    return [{ id: one.id, role: next.role, isDelegate }]
  })
  await changeRoles(db, changed)
  await addPeople(
    db,
    [target],
    people.filter((next) => !current.some((one) => isSamePerson(one, next))),
  )
}

type Changed = { id: string; role: PersonRole; isDelegate: boolean }

/** Changes roles in place: a person who is added again would lose the link that they were sent. Their delegations end. */
async function changeRoles(db: Database, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return
  const ids = changed.map(({ id }) => id)
  await db.deleteFrom('assessmentDelegations').where('assigneeId', 'in', ids).execute()
  // There is one owner at any time: the former one is changed first.
  for (const part of [
    changed.filter(({ role }) => role !== 'owner'),
    changed.filter(({ role }) => role === 'owner'),
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    await sql`
      update assessment_people p set role = x.role, is_delegate = x."isDelegate"
      from jsonb_to_recordset(${JSON.stringify(part)}::jsonb) as x(id bigint, role text, "isDelegate" boolean)
      where p.id = x.id`.execute(db)
  }
}

/** Adds the same people to targets of one organization. @throws Failure 400 for an unknown user or participant */
export async function addPeople(
  db: Database,
  targets: readonly TargetRef[],
  people: readonly NewPerson[],
): Promise<void> {
  if (people.length === 0 || targets.length === 0) return
  const known = await readNames(db, people)
  const rows = targets.flatMap((target) =>
    people.map((person) => {
      const found = known.find((one) => isSamePerson(one, person))
      if (found === undefined)
        throw refused('Some fields are invalid.', { people: 'Choose people who still exist.' })
      return {
        organizationId: target.organizationId,
        targetId: target.id,
        role: person.role,
        userId: person.userId ?? null,
        participantId: person.participantId ?? null,
        isDelegate: person.isDelegate ?? false,
        name: found.name,
        email: found.email,
      }
    }),
  )
  await db.insertInto('assessmentPeople').values(rows).execute()
}

/** Whether both are the same user, or the same participant. */
export function isSamePerson(
  one: { userId: string | null; participantId: string | null },
  other: { userId?: string | undefined; participantId?: string | undefined },
): boolean {
  return one.userId === (other.userId ?? null) && one.participantId === (other.participantId ?? null)
}

async function readNames(db: Database, people: readonly NewPerson[]): Promise<KnownPerson[]> {
  const userIds = people.flatMap(({ userId }) => userId ?? [])
  const participantIds = people.flatMap(({ participantId }) => participantId ?? [])
  const { rows } = await sql<KnownPerson>`
    select id::text as user_id, null as participant_id, first_name || ' ' || last_name as name, email from users
    where id = any(${userIds}::bigint[]) and is_active
    union all select null, id::text, name, email from assessment_participants
    where id = any(${participantIds}::bigint[])`.execute(db)
  return rows
}
