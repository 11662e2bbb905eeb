import { sql } from 'kysely'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { findUndeliverable, type Identity, writeToUser } from '#server/identity/index.ts'
import { MAY_ANSWER } from './find-unanswerable.ts'

type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type Of = { customerId: string; assessmentId: string }
type Row = {
  userId: string
  organizationId: string
  assessment: string
  target: string
  dueOn: string
}
type Recipient = { userId: string; rows: Row[] }

/**
 * The users who answer an assessment and can be emailed, each with their targets: owners and contributors who may sign in,
 * answer, and have an address that isn't suppressed.
 */
async function readRecipients(identity: Identity, within: Within, of: Of): Promise<Recipient[]> {
  const rows = await within((db) => readRows(db, of.assessmentId))
  const recipients = new Map<string, Recipient>()
  for (const organizationId of new Set(rows.map((row) => row.organizationId))) {
    const own = rows.filter((row) => row.organizationId === organizationId)
    // One statement for each organization.
    // oxlint-disable-next-line no-await-in-loop
    const undeliverable = await findUndeliverable(identity, {
      customerId: of.customerId,
      organizationId,
      userIds: own.map(({ userId }) => userId),
      needs: MAY_ANSWER,
    })
    for (const row of own.filter(({ userId }) => !undeliverable.has(userId))) {
      const known = recipients.get(row.userId) ?? { userId: row.userId, rows: [] }
      known.rows.push(row)
      recipients.set(row.userId, known)
    }
  }
  return [...recipients.values()]
}

async function readRows(db: Database, assessmentId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.user_id::text, t.organization_id::text, a.name as assessment, coalesce(f.name, o.name) as target,
      coalesce(t.due_on, a.due_on)::text as due_on
    from assessment_people p
    join assessment_targets t on t.customer_id = p.customer_id and t.id = p.target_id
    join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    where t.assessment_id = ${assessmentId} and p.user_id is not null and p.role in ('owner', 'contributor')
      and not p.is_delegate order by t.id, p.id`.execute(db)
  return rows
}

/**
 * How many emails go out when an assessment opens: one to each user who answers, and one to each person without an account
 * for each of their targets.
 */
export async function countOpeningEmails(
  identity: Identity,
  within: Within,
  of: Of,
): Promise<{ users: number; invitations: number }> {
  const users = await readRecipients(identity, within, of)
  const { rows } = await within((db) =>
    sql<{ invitations: number }>`
      select count(*)::int as invitations from assessment_people p
      join assessment_targets t on t.customer_id = p.customer_id and t.id = p.target_id
      where t.assessment_id = ${of.assessmentId} and p.participant_id is not null`.execute(db),
  )
  return { users: users.length, invitations: rows[0]?.invitations ?? 0 }
}

/** Emails the users who answer an assessment after it was opened, one email for all of their targets. */
export async function notifyOpened(
  identity: Identity,
  within: Within,
  { byName, ...of }: Of & { byName: string },
): Promise<void> {
  for (const { userId, rows } of await readRecipients(identity, within, of)) {
    const [first] = rows
    if (first === undefined) continue
    // Each email is composed outside a transaction, because that takes time.
    // oxlint-disable-next-line no-await-in-loop
    const mail = await writeToUser(
      identity,
      { customerId: of.customerId, userId },
      {
        key: 'assessment-opened',
        variables: {
          byName,
          assessment: first.assessment,
          rows: rows.length === 1 ? '1 site' : `${rows.length} sites`,
          due: writeDay(rows.map(({ dueOn }) => dueOn).toSorted()[0] ?? ''),
          cells: rows.map(({ target, dueOn }) => `${target}, due ${writeDay(dueOn)}`).join('\n'),
        },
        path: `/assessments/${of.assessmentId}`,
      },
    )
    if (mail === null) continue
    // oxlint-disable-next-line no-await-in-loop
    await within((db) => identity.outbox.put(db, { ...mail, organizationId: first.organizationId }))
  }
}
