import { sql } from 'kysely'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { type Identity, type UserEmail, writeToUsers } from '#server/identity/index.ts'
import type { TargetContext } from './target-context.ts'

export type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type About = { actor: Member; target: TargetContext; reason: string }

/** The emails that ask for a confirmation: to the reviewers of a target and to those who approved it, except the person who asks. */
export async function composeRequestMails(
  identity: Identity,
  inTenant: InTenant,
  { actor, target, reason }: About,
): Promise<UserEmail[]> {
  const { userIds, organization } = await inTenant((db) => readReviewers(db, target.id))
  return writeToUsers(
    identity,
    {
      customerId: actor.customerId,
      organizationId: target.organizationId,
      userIds: userIds.filter((id) => id !== actor.userId && id !== actor.effectiveUserId),
      needs: [can(Func.review, Opr.execute)],
    },
    {
      key: 'reopening-request',
      variables: {
        byName: actor.fullName,
        name: nameOfAnswers(target),
        organization,
        what: 'reopen',
        message: reason,
      },
      path: pathOf(target),
    },
  )
}

/** What an email about a request names, and the page that it leads to. */
export async function readSubject(db: Database, target: TargetContext) {
  const { organization } = await readReviewers(db, target.id)
  return { name: nameOfAnswers(target), organization, path: pathOf(target) }
}

const nameOfAnswers = ({ name, assessmentName }: TargetContext): string =>
  `${assessmentName}, answers of ${name}`
const pathOf = ({ id, assessmentId }: TargetContext): string => `/assessments/${assessmentId}/targets/${id}`

async function readReviewers(
  db: Database,
  targetId: string,
): Promise<{ userIds: string[]; organization: string }> {
  const { rows } = await sql<{ userIds: string[]; organization: string }>`
    select o.name as organization, array(
      select p.user_id::text from assessment_people p where p.target_id = t.id and p.role = 'reviewer' and p.user_id is not null
      union select r.user_id::text from assessment_reviews r
      where r.target_id = t.id and r.decision = 'approved' and r.user_id is not null) as user_ids
    from assessment_targets t join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    where t.id = ${targetId}`.execute(db)
  return rows[0] ?? { userIds: [], organization: '' }
}
