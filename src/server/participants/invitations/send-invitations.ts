import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import {
  INVITATION_DAYS,
  MOST_INVITATION_DAYS,
  type ParticipantLanguage,
} from '#contract/participants/invitations/participants.ts'
import { PARTICIPANTS_PAGE } from '#contract/participants/area/participant-area.ts'
import { isAnswerable, type TargetState } from '#contract/assessments/targets/target-states.ts'
import { dayIn, startOfDayIn } from '#contract/today.ts'
import { clock } from '#server/clock.ts'
import { asIdentity, type Database } from '#server/database/tenant-transaction.ts'
import { conflict, noneFound, refused } from '#server/http/failure.ts'
import { QUIET_HOURS } from '#server/assessments/index.ts'
import { type Identity, productTitle, productUrl } from '#server/identity/index.ts'
import { hashSecret } from '../access/hash-secret.ts'
import { endSessionsOfLinks } from '../access/participant-sessions.ts'
import { ofPerson } from './invitation-rows.ts'

export type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>
export type Mailer = Pick<Identity, 'iam' | 'outbox' | 'settings' | 'address'>

/** A person of a target as an invitation needs them. */
type Recipient = {
  id: string
  targetId: string
  organizationId: string
  customerId: string
  participantId: string
  name: string
  email: string
  language: ParticipantLanguage
  assessment: string
  target: string
  targetState: TargetState
  assessmentStatus: string
  dueOn: string
  /** Of the organization; days are meant there. */
  zone: string
  invitationState: string | null
  /** Got an email a short time ago. */
  isQuiet: boolean
  isArchived: boolean
}

const DAY_MS = 86_400_000
/** Links of one invitation that work at the same time. */
const MOST_LINKS = 3

/** The people without an account among these, in the order of their IDs. @throws Failure 404 without any */
export async function readRecipients(db: Database, ids: readonly string[]): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select p.id::text, p.target_id::text, p.organization_id::text, p.customer_id::text,
      ap.id::text as participant_id, ap.name, ap.email, ap.language, a.name as assessment,
      coalesce(f.name, o.name) as target, t.state as target_state, a.status as assessment_status,
      coalesce(t.due_on, a.due_on)::text as due_on, o.time_zone as zone, i.state as invitation_state,
      o.archived_at is not null as is_archived,
      exists (select from outbox_mails m where m.customer_id = i.customer_id and m.id = i.mail_id
        and m.created_at > app_now() - ${QUIET_HOURS} * interval '1 hour') as is_quiet
    from assessment_people p
    ${ofPerson}
    join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    where p.id = any(${[...ids]}::bigint[]) order by p.id`.execute(db)
  if (rows.length === 0) throw noneFound('people')
  return rows
}

/** @throws Failure 409 if a person can't answer now, so that a link would lead nowhere. */
export function requireAnswerable(recipients: readonly Recipient[]): void {
  for (const { name, assessment, target, assessmentStatus, targetState, isArchived } of recipients) {
    if (isArchived)
      throw conflict(`The organization of ${target} is archived. Restore it before you invite people.`)
    if (assessmentStatus !== 'open') {
      throw conflict(`${assessment} is not open. Invitations are sent when it opens.`)
    }
    if (!isAnswerable(targetState)) {
      throw conflict(`${target} was already submitted. ${name} has nothing to answer.`)
    }
  }
}

/** The end of the last day on which a link works, in the organization's time zone. @throws Failure 400 */
export function expiryOf(
  expiresOn: string | undefined,
  { dueOn, zone }: Pick<Recipient, 'dueOn' | 'zone'>,
): string {
  const now = clock.now()
  const chosen = expiresOn === undefined ? null : endOfDay(dayNumber(expiresOn), zone)
  if (chosen !== null && chosen <= now) {
    throw refused('Some fields are invalid.', { expiresOn: 'Choose a day in the future.' })
  }
  if (chosen !== null && chosen > now + MOST_INVITATION_DAYS * DAY_MS) {
    throw refused('Some fields are invalid.', {
      expiresOn: `Choose a day in the next ${MOST_INVITATION_DAYS} days.`,
    })
  }
  const usual = Math.max(dayIn(zone, now), dayNumber(dueOn)) + INVITATION_DAYS
  return new Date(chosen ?? endOfDay(usual, zone)).toISOString()
}

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const endOfDay = (day: number, zone: string): number => startOfDayIn(zone, day + 1) - 1_000

type Sending = {
  byName: string
  message: string | null
  expiresOn?: string | undefined
  /** Without it, an invitation, whose link replaces those before it. The others have a link beside them. */
  key?: 'assessment-changes' | 'assessment-reopened' | 'assessment-missing'
}

/**
 * Emails a new link to each person. Those before stop working if it is an invitation. A person who has begun keeps their state.
 * Emails are composed outside a transaction, because that takes time.
 */
export async function sendInvitations(
  mailer: Mailer,
  inTenant: InTenant,
  recipients: readonly Recipient[],
  sending: Sending,
): Promise<void> {
  const brand = await inTenant(readBrand)
  for (const recipient of recipients) {
    const secret = newSecret()
    const expiresAt = expiryOf(sending.expiresOn, recipient)
    // oxlint-disable-next-line no-await-in-loop
    const composed = await mailer.outbox.compose(mailer.iam, {
      customerId: recipient.customerId,
      key: sending.key ?? 'assessment-invitation',
      language: recipient.language,
      variables: mailVariables(recipient, { ...sending, expiresAt, title: brand.title }),
      link: linkOf(mailer, brand.domain, secret),
    })
    // oxlint-disable-next-line no-await-in-loop
    await inTenant(async (db) => {
      const id = await putInvitation(db, recipient, { expiresAt, byName: sending.byName })
      const link = { customerId: recipient.customerId, invitationId: id, secret }
      await (sending.key === undefined ? replaceLink(db, link) : addLink(db, link))
      const mailId = await mailer.outbox.put(db, {
        customerId: recipient.customerId,
        organizationId: recipient.organizationId,
        userId: null,
        toName: recipient.name,
        toEmail: recipient.email,
        ...composed,
        hasSecret: true,
        expiresAt,
      })
      await sql`update assessment_invitations set mail_id = ${mailId} where id = ${id}`.execute(db)
    })
  }
}

/**
 * A new link, to be given to a person by hand. Only its hash is stored, so it can't be shown again.
 * @returns the link, and until when it works.
 */
export async function makeLink(
  db: Database,
  mailer: Mailer,
  recipient: Recipient,
  byName: string,
): Promise<{ url: string; expiresAt: string }> {
  const secret = newSecret()
  const expiresAt = expiryOf(undefined, recipient)
  const { domain } = await readBrand(db)
  const id = await putInvitation(db, recipient, { expiresAt, byName })
  await replaceLink(db, { customerId: recipient.customerId, invitationId: id, secret })
  return { url: linkOf(mailer, domain, secret), expiresAt }
}

/** Removes the links of invitations, so that they stop working at once. */
export async function removeLinks(
  db: Database,
  customerId: string,
  invitationIds: readonly string[],
): Promise<void> {
  await sql`delete from iam.participant_links where customer_id = ${customerId}
    and invitation_id = any(${[...invitationIds]}::bigint[])`.execute(asIdentity(db))
}

/** 256 random bits. */
const newSecret = (): string => randomBytes(32).toString('base64url')
const linkOf = (mailer: Mailer, domain: string | null, secret: string): string =>
  `${productUrl(mailer, domain)}${PARTICIPANTS_PAGE}#${secret}`

async function putInvitation(
  db: Database,
  { targetId, organizationId, participantId }: Recipient,
  { expiresAt, byName }: { expiresAt: string; byName: string },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into assessment_invitations (organization_id, target_id, participant_id, expires_at, invited_by)
    values (${organizationId}, ${targetId}, ${participantId}, ${expiresAt}, ${byName})
    on conflict (customer_id, target_id, participant_id) do update set expires_at = excluded.expires_at,
      state = case when assessment_invitations.state in ('opened', 'in_progress') then assessment_invitations.state
        else 'created' end,
      invited_by = excluded.invited_by, bounced_at = null, revoked_at = null, submitted_at = null
    returning id::text`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The invitation was not stored.')
  return row.id
}

/** A new link of an invitation. Sessions of the link before end. */
type NewLink = { customerId: string; invitationId: string; secret: string }

/** The links before it stop working, and sessions that were begun with them end. */
async function replaceLink(db: Database, link: NewLink): Promise<void> {
  const { customerId, invitationId } = link
  await removeLinks(db, customerId, [invitationId])
  await addLink(db, link)
  await endSessionsOfLinks(db, customerId, [invitationId])
}

/** The newest links before it go on working: an email that is open on a phone, and a page that is being answered. */
async function addLink(db: Database, { customerId, invitationId, secret }: NewLink): Promise<void> {
  const identity = asIdentity(db)
  await sql`delete from iam.participant_links where token_hash in (select token_hash from iam.participant_links
    where customer_id = ${customerId} and invitation_id = ${invitationId}
    order by created_at desc, token_hash offset ${MOST_LINKS - 1})`.execute(identity)
  await sql`insert into iam.participant_links (token_hash, customer_id, invitation_id)
    values (${hashSecret(secret)}, ${customerId}, ${invitationId})`.execute(identity)
}

/** The customer's first domain, where the emails' links go, and its title. */
async function readBrand(db: Database): Promise<{ domain: string | null; title: string | null }> {
  const { rows } = await sql<{ domain: string; title: string | null }>`
    select domain, title from white_labels
    where customer_id = nullif(current_setting('app.customer_id', true), '')::bigint
      and purpose = 'office' and verified_at is not null order by id limit 1`.execute(asIdentity(db))
  return rows[0] ?? { domain: null, title: null }
}

function mailVariables(
  { name, language, assessment, target, dueOn, zone }: Recipient,
  { byName, message, expiresAt, title }: Sending & { expiresAt: string; title: string | null },
): Record<string, string> {
  const dayFormat = (timeZone: string) =>
    new Intl.DateTimeFormat(language === 'en' ? 'en-US' : language, {
      dateStyle: language === 'en' ? 'medium' : 'long',
      timeZone,
    })
  return {
    firstName: name.split(' ')[0] ?? name,
    fullName: name,
    title: productTitle(title),
    byName,
    assessment,
    target,
    due: dayFormat('UTC').format(new Date(`${dueOn}T00:00:00Z`)),
    until: dayFormat(zone).format(new Date(expiresAt)),
    message: message ?? '',
  }
}
