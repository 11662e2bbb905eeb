import { sql } from 'kysely'
import type { UnanswerableTarget } from '#contract/assessments/assessments/assessments.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { findUndeliverable, type Identity } from '#server/identity/index.ts'
import { readAssessment } from '../assessments/assessment-rows.ts'

/** The permissions a user needs to answer a target. */
export const MAY_ANSWER = [can(Func.assessments, Opr.read), can(Func.assessments, Opr.update)] as const

type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type Person = {
  userId: string | null
  participantId: string | null
  name: string
  email: string
  isSuppressed: boolean
}
type Row = {
  targetId: string
  name: string
  organizationId: string
  organizationName: string
  people: Person[]
}

/**
 * The targets of an assessment that no one can answer, with the reason. A user must be able to sign in, reach the organization,
 * answer assessments and receive emails; a participant must have an email address that isn't suppressed.
 * @throws Failure 404
 */
export async function findUnanswerable(
  identity: Identity,
  within: Within,
  { customerId, id }: { customerId: string; id: string },
): Promise<UnanswerableTarget[]> {
  const targets = await within(async (db) => {
    await readAssessment(db, id)
    return readAnswerers(db, id)
  })
  const reasons = new Map<string, Map<string, string>>()
  for (const organizationId of new Set(targets.map((one) => one.organizationId))) {
    const userIds = targets
      .filter((one) => one.organizationId === organizationId)
      .flatMap(({ people }) => people.flatMap(({ userId }) => userId ?? []))
    // One statement for each organization.
    // oxlint-disable-next-line no-await-in-loop
    const found = await findUndeliverable(identity, {
      customerId,
      organizationId,
      userIds,
      needs: MAY_ANSWER,
    })
    reasons.set(organizationId, found)
  }
  return targets.flatMap(({ targetId, name, organizationName, organizationId, people }) => {
    const problems = people.map((person) => reasonOf(person, reasons.get(organizationId)))
    if (problems.includes(null)) return []
    const reason = problems[0] ?? 'It has no owner and no contributor.'
    return [{ targetId, name, organizationName, reason }]
  })
}

function reasonOf(person: Person, users: ReadonlyMap<string, string> | undefined): string | null {
  if (person.userId !== null) return users?.get(person.userId) ?? null
  if (person.email === '') return `${person.name} has no email address.`
  return person.isSuppressed ? `The email address of ${person.name} is suppressed.` : null
}

async function readAnswerers(db: Database, assessmentId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select t.id::text as target_id, coalesce(f.name, o.name) as name, t.organization_id::text, o.name as organization_name,
      coalesce((select json_agg(json_build_object('userId', p.user_id::text, 'participantId', p.participant_id::text,
        'name', p.name, 'email', p.email, 'isSuppressed', exists (select from suppressed_addresses s
          where s.customer_id = p.customer_id and s.email_key = lower(p.email))) order by p.role = 'owner' desc, p.id)
        from assessment_people p where p.customer_id = t.customer_id and p.target_id = t.id
          and p.role in ('owner', 'contributor') and not p.is_delegate), '[]') as people
    from assessment_targets t join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    where t.assessment_id = ${assessmentId} order by o.name, name, t.id`.execute(db)
  return rows
}
