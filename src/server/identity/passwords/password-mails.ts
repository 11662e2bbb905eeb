import { sql, type Kysely } from 'kysely'
import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import type { DB } from '#server/database/schema.ts'
import type { Actor } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { openMail } from '#server/mail/index.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'
import { formatMoment, productUrl, readerVariables } from '../email-format.ts'
import { addLink, FIRST_HOURS, RESET_MINUTES, type Purpose } from './password-links.ts'

type UserRow = { customerId: string; userId: string }
type Sending = {
  /** For the link: identity's connection, or the owner's transaction. */
  links: Kysely<DB>
  /** For the email: the tenant's transaction if there is one, so that its audit log names the sender. */
  mails: Kysely<DB>
  by: Actor | null
  endpoint: string
  /** The organization whose administrators can see the email; by default the user's only organization. */
  organizationId?: string | null
}

/**
 * Emails a password link: an invitation if the user has no password yet.
 * @param db the owner's transaction if everything must be one commit, or identity's connection.
 * @throws Failure 404, or 409 if the user can't sign in.
 */
export function invite(identity: Identity, db: Kysely<DB>, of: UserRow, by: Actor | null): Promise<void> {
  return mailPasswordLink(identity, of, { links: db, mails: db, by, endpoint: 'customers.invite' })
}

/**
 * Creates a link and queues its email in the customer's outbox. The link comes first: if queuing the email
 * fails, the link is harmless, because nobody has seen its secret. It has only replaced an earlier link.
 * @throws Failure 404, or 409 if the user can't sign in.
 */
export async function mailPasswordLink(
  identity: Identity,
  of: UserRow,
  { links, mails, by, endpoint, organizationId }: Sending,
): Promise<void> {
  const recipient = await readRecipient(links, of)
  if (recipient === null) throw notFound('User')
  if (!recipient.mayEnter) {
    throw conflict(`${recipient.fullName} can't sign in. Activate the user first.`)
  }
  const purpose: Purpose = recipient.hasPassword ? 'reset' : 'first'
  // A user who requests a link on the sign-in page is waiting for it, so it expires soon even if it is a first
  // link.
  const isRequested = endpoint === FORGOT
  const minutes = purpose === 'first' && !isRequested ? FIRST_HOURS * 60 : RESET_MINUTES
  const { secret, expiresAt, email, userName } = await addLink(links, {
    ...of,
    purpose,
    minutes,
    isRequested,
  })
  const emailText = await identity.outbox.compose(links, {
    customerId: of.customerId,
    key: purpose === 'first' ? 'invitation' : 'password-reset',
    variables: { ...readerVariables({ ...recipient, userName }), until: formatMoment(expiresAt) },
    link: linkOf(identity, recipient.domain, secret),
  })
  await identity.outbox.put(mails, {
    customerId: of.customerId,
    organizationId: organizationId ?? recipient.onlyOrganizationId,
    userId: of.userId,
    toName: recipient.fullName,
    // Same address as the link: the user's address may just have been changed.
    toEmail: email,
    ...emailText,
    hasSecret: true,
    expiresAt,
  })
  await noteEvent(links, {
    customerId: of.customerId,
    by,
    endpoint,
    table: 'users',
    rowId: of.userId,
    what: by === null ? 'requested a password email' : 'sent a password email',
  })
}

/** The endpoint of the sign-in page. */
export const FORGOT = 'auth.forgotPassword'

/**
 * Shows the latest email to a user, and logs that in the audit log of the user's customer.
 * @throws Failure 404 if there is none.
 */
export async function revealLatestMail({ iam, outbox }: Identity, of: UserRow, by: Actor): Promise<OpenMail> {
  const mail = await openMail(iam, outbox, of)
  await noteEvent(iam, {
    customerId: of.customerId,
    by,
    endpoint: 'customers.revealInvitation',
    table: 'outbox_mails',
    rowId: mail.id,
    what: 'viewed the link in an email',
  })
  return mail
}

type Recipient = {
  firstName: string
  fullName: string
  userName: string
  email: string
  mayEnter: boolean
  hasPassword: boolean
  onlyOrganizationId: string | null
  /** From the customer's first domain. */
  domain: string | null
  title: string | null
}

/** The data needed to write and file an email to a user; null if the user no longer exists. */
export async function readRecipient(db: Kysely<DB>, of: UserRow): Promise<Recipient | null> {
  const { rows } = await sql<Recipient>`
    select u.first_name, u.first_name || ' ' || u.last_name as full_name, u.user_name, u.email,
      u.is_active and home.status = 'active' as may_enter,
      exists (select from user_access a where a.customer_id = u.customer_id and a.user_id = u.id
        and a.password_set_at is not null) as has_password,
      (select min(m.organization_id) from memberships m where m.customer_id = u.customer_id and m.user_id = u.id
        having count(*) = 1) as only_organization_id,
      brand.domain, brand.title
    from users u join customers home on home.id = u.customer_id
    left join lateral (select w.domain, w.title from white_labels w where w.customer_id = u.customer_id
      and w.purpose = 'office' and w.verified_at is not null order by w.id limit 1) brand on true
    where u.customer_id = ${of.customerId} and u.id = ${of.userId}`.execute(db)
  return rows[0] ?? null
}

/** The secret is in the fragment, which servers and referrers don't see. */
const linkOf = (identity: Identity, domain: string | null, secret: string): string =>
  `${productUrl(identity, domain)}/auth/reset-password#${secret}`
