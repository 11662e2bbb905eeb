import { sql } from 'kysely'
import type {
  assessmentParticipants,
  ParticipantLanguage,
  ParticipantRole,
} from '#contract/participants/invitations/participants.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import { endSessionsOf, endSessionsOfLinks } from '../access/participant-sessions.ts'
import { readInvitations, readParticipants } from './invitation-rows.ts'
import {
  expiryOf,
  type InTenant,
  type Mailer,
  makeLink,
  readRecipients,
  removeLinks,
  requireAnswerable,
  sendInvitations,
} from './send-invitations.ts'

/** The people of assessments who have no account, as staff manage them. Row level security limits them to the caller's reach. */
export function participantHandlers(mailer: Mailer): Handlers<typeof assessmentParticipants> {
  const byIds = (ids: readonly string[]) => sql<boolean>`p.id = any(${[...ids]}::bigint[])`
  return {
    async list({ db, input: { assessment, target } }) {
      if (target !== undefined) return readInvitations(db, sql`p.target_id = ${target}`)
      return readInvitations(db, sql`t.assessment_id = ${assessment}`)
    },

    async known({ db, input: { organization, search = '' } }) {
      const within =
        organization === undefined ? sql<boolean>`true` : sql<boolean>`organization_id = ${organization}`
      const matches =
        search === ''
          ? sql<boolean>`true`
          : contains(
              [sql.ref('assessment_participants.name'), sql.ref('assessment_participants.email')],
              search,
            )
      return readParticipants(db, sql`${within} and ${matches}`)
    },

    async add({ actor, inTenant, input: { people, message, expiresOn } }) {
      const added = await inTenant(async (db) => {
        const ids: string[] = []
        for (const person of people) {
          // oxlint-disable-next-line no-await-in-loop
          const target = await findOpenTarget(db, person.targetId)
          // oxlint-disable-next-line no-await-in-loop
          ids.push(await addPerson(db, target, { ...person, isDelegate: false }))
        }
        return readRecipients(db, ids)
      })
      const now = added.filter(({ assessmentStatus }) => assessmentStatus === 'open')
      await sendInvitations(mailer, inTenant, now, { byName: actor.fullName, message, expiresOn })
      return inTenant((db) => readInvitations(db, byIds(added.map(({ id }) => id))))
    },

    async update({ db, actor, input: { id, known, ...changes } }) {
      const { rows } = await sql<{ name: string; email: string; language: string }>`
        select name, email, language from assessment_participants where id = ${id} for update`.execute(db)
      const [former] = rows
      if (former === undefined) throw notFound('Person')
      const isStale =
        known !== undefined &&
        (known.name !== former.name || known.email !== former.email || known.language !== former.language)
      if (isStale) throw stale('Person', (await readParticipants(db, sql`id = ${id}`))[0])
      await db
        .updateTable('assessmentParticipants')
        .set(changes)
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => {
          if (!isViolation(error, 'unique')) throw error
          throw conflict('Another person in this organization has this email address.', {
            email: 'Already in use.',
          })
        })
      await sql`update assessment_people set name = ${changes.name}, email = ${changes.email}
        where participant_id = ${id}`.execute(db)
      if (former.email.toLowerCase() !== changes.email.toLowerCase())
        await closeAccess(db, actor.customerId, id)
      const [person] = await readParticipants(db, sql`id = ${id}`)
      if (person === undefined) throw notFound('Person')
      return person
    },

    async send({ actor, inTenant, input }) {
      const sent = await sendLinks(mailer, inTenant, { ...input, byName: actor.fullName })
      return inTenant((db) => readInvitations(db, byIds(sent)))
    },

    async extend({ db, input: { ids, expiresOn } }) {
      await extendLinks(db, await readRecipients(db, ids), expiresOn)
      return readInvitations(db, byIds(ids))
    },

    async revoke({ db, actor, input: { ids } }) {
      await readRecipients(db, ids)
      const { rows } = await sql<{ id: string }>`
        update assessment_invitations set state = 'revoked', revoked_at = app_now()
        where ${ofPeople(ids)} and state <> 'revoked' returning id::text`.execute(db)
      const revoked = rows.map(({ id }) => id)
      await removeLinks(db, actor.customerId, revoked)
      await endSessionsOfLinks(db, actor.customerId, revoked)
      return readInvitations(db, byIds(ids))
    },

    async copyLink({ db, actor, input: { id } }) {
      const [recipient] = await readRecipients(db, [id])
      if (recipient === undefined) throw notFound('Person')
      requireAnswerable([recipient])
      return makeLink(db, mailer, recipient, actor.fullName)
    },
  }
}

type Links = Received<typeof assessmentParticipants.send> & { byName: string }

/**
 * Emails links or reminders. @returns the IDs of those who got one
 * @throws Failure 404, 409 for people who can't answer now, or if all got an email a short time ago
 */
async function sendLinks(
  mailer: Mailer,
  inTenant: InTenant,
  { ids, isReminder, ...sending }: Links,
): Promise<string[]> {
  const all = await inTenant((db) => readRecipients(db, ids))
  requireAnswerable(all)
  const recipients = isReminder ? all.filter(({ isQuiet }) => !isQuiet) : all
  if (recipients.length === 0) throw conflict('An email was sent to them in the last 12 hours.')
  // Someone who was never invited is invited.
  const isReminded = ({ invitationState }: (typeof all)[number]) => isReminder && invitationState !== null
  const invited = recipients.filter((one) => !isReminded(one))
  await sendInvitations(mailer, inTenant, invited, sending)
  const reminding = { ...sending, key: 'assessment-missing' as const }
  await sendInvitations(mailer, inTenant, recipients.filter(isReminded), reminding)
  return recipients.map(({ id }) => id)
}

/** Invitations of these people of targets. */
const ofPeople = (ids: readonly string[]) =>
  sql<boolean>`(target_id, participant_id) in (select p.target_id, p.participant_id from assessment_people p
    where p.id = any(${[...ids]}::bigint[]))`

type OpenTarget = { id: string; organizationId: string }

/** @throws Failure 404, or 409 once its answers are final. */
async function findOpenTarget(db: Database, id: string): Promise<OpenTarget> {
  const { rows } = await sql<OpenTarget & { state: string; status: string }>`
    select t.id::text, t.organization_id::text, t.state, a.status from assessment_targets t
    join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id where t.id = ${id}`.execute(
    db,
  )
  const [target] = rows
  if (target === undefined) throw notFound('Target')
  if (target.status === 'closed' || target.state === 'closed' || target.state === 'approved') {
    throw conflict('This target is final. Reopen it to add people.')
  }
  return target
}

type NewPerson = {
  name: string
  email: string
  language: ParticipantLanguage
  role: ParticipantRole
  isDelegate: boolean
}

/** Adds a person to a target, or changes their role. A former owner stays as a contributor. @returns the ID of the person. */
export async function addPerson(db: Database, target: OpenTarget, person: NewPerson): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into assessment_participants (organization_id, name, email, language)
    values (${target.organizationId}, ${person.name}, ${person.email}, ${person.language})
    on conflict (customer_id, organization_id, email_key) do update set name = excluded.name,
      email = excluded.email, language = excluded.language
    returning id::text`.execute(db)
  const participantId = rows[0]?.id ?? ''
  if (person.role === 'owner') {
    await sql`update assessment_people set role = 'contributor' where target_id = ${target.id} and role = 'owner'
      and participant_id is distinct from ${participantId}`.execute(db)
  }
  const { rows: added } = await sql<{ id: string }>`
    insert into assessment_people (organization_id, target_id, role, participant_id, name, email, is_delegate)
    values (${target.organizationId}, ${target.id}, ${person.role}, ${participantId}, ${person.name}, ${person.email},
      ${person.isDelegate})
    on conflict (customer_id, target_id, participant_id) do update set role = excluded.role, name = excluded.name,
      email = excluded.email, is_delegate = excluded.is_delegate
    returning id::text`.execute(db)
  return added[0]?.id ?? ''
}

/** A person with another email is another reader: links stop working, sessions end. */
async function closeAccess(db: Database, customerId: string, participantId: string): Promise<void> {
  await sql`update assessment_invitations set state = 'created', sent_at = null, bounced_at = null
    where participant_id = ${participantId} and state in ('created', 'sent', 'bounced')`.execute(db)
  const { rows } = await sql<{ id: string }>`
    select id::text from assessment_invitations where participant_id = ${participantId}`.execute(db)
  await removeLinks(
    db,
    customerId,
    rows.map(({ id }) => id),
  )
  await endSessionsOf(db, customerId, participantId)
}

/** Lets links work until the end of a day in the time zone of each person's organization. */
async function extendLinks(
  db: Database,
  recipients: Awaited<ReturnType<typeof readRecipients>>,
  expiresOn: string,
): Promise<void> {
  for (const [zone, people] of Map.groupBy(recipients, (one) => one.zone)) {
    const expiresAt = expiryOf(expiresOn, { dueOn: expiresOn, zone })
    const own = ofPeople(people.map(({ id }) => id))
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await sql`update assessment_invitations set expires_at = ${expiresAt}
      where ${own} and state not in ('submitted', 'revoked')`.execute(db)
  }
}
