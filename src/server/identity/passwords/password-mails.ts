import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import type { DB } from '#server/database/schema.ts'
import type { Actor, Origin } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { openMail } from '#server/mail/index.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'
import { formatMoment, productUrl, readerVariables } from '../email-format.ts'
import {
  addLink,
  FIRST_HOURS,
  newSecret,
  type NewLink,
  RESET_MINUTES,
  type Purpose,
} from './password-links.ts'

type UserRow = { customerId: string; userId: string }
type Sending = {
  /** For the link: identity's connection, or the owner's transaction. */
  links: Kysely<DB>
  /** For the email: the tenant's transaction if there is one, so that its audit log names the sender. */
  mails: Kysely<DB>
  by: Actor | null
  endpoint: string
  /** Where someone asked for it who isn't signed in. */
  origin?: Origin | null
  /** The organization whose administrators can see the email; by default the user's only organization. */
  organizationId?: string | null
}

/** An email with a password link, before either is stored. */
export type PasswordMail = {
  link: Omit<NewLink, 'userId'>
  recipient: Pick<Recipient, 'email' | 'fullName' | 'onlyOrganizationId'>
  text: Awaited<ReturnType<Identity['outbox']['compose']>>
}

/**
 * Emails a password link: an invitation if the user has no password yet.
 * @param db the owner's transaction if everything must be one commit, or identity's connection.
 * @throws Failure 404, or 409 if the user can't sign in.
 */
export function invite(identity: Identity, db: Kysely<DB>, of: UserRow, by: Actor | null): Promise<void> {
  return mailPasswordLink(identity, of, { links: db, mails: db, by, endpoint: 'customers.invite' })
}

/** Writes an email with a password link, stores the link and queues the email. @throws as its two steps */
export async function mailPasswordLink(identity: Identity, of: UserRow, sending: Sending): Promise<void> {
  const mail = await writePasswordMail(identity, sending.links, of, sending.endpoint)
  await sendPasswordMail(identity, mail, of.userId, sending)
}

/**
 * Writes an email with a new password link, and stores nothing. That can take seconds, so requests do it outside a
 * transaction.
 * @throws Failure 404, or 409 if the user can't sign in.
 */
export async function writePasswordMail(
  identity: Identity,
  db: Kysely<DB>,
  of: UserRow,
  endpoint: string,
): Promise<PasswordMail> {
  const recipient = await readRecipient(db, of)
  if (recipient === null) throw notFound('User')
  if (!recipient.mayEnter) {
    throw conflict(`${recipient.fullName} can't sign in. Activate the user first.`)
  }
  return composePasswordMail(identity, db, of.customerId, { recipient, isRequested: endpoint === FORGOT })
}

/** Writes the invitation of a user who is not stored yet. */
export async function writeFirstMail(
  identity: Identity,
  customerId: string,
  user: { firstName: string; lastName: string; userName: string; email: string },
): Promise<PasswordMail> {
  const brand = await readBrand(identity.iam, customerId)
  const fullName = `${user.firstName} ${user.lastName}`
  const recipient = { ...user, ...brand, fullName, hasPassword: false, onlyOrganizationId: null }
  return composePasswordMail(identity, identity.iam, customerId, { recipient, isRequested: false })
}

async function composePasswordMail(
  identity: Identity,
  db: Kysely<DB>,
  customerId: string,
  { recipient, isRequested }: { recipient: Omit<Recipient, 'mayEnter'>; isRequested: boolean },
): Promise<PasswordMail> {
  const purpose: Purpose = recipient.hasPassword ? 'reset' : 'first'
  // A user who requests a link on the sign-in page is waiting for it, so it expires soon even if it is a first
  // link.
  const minutes = purpose === 'first' && !isRequested ? FIRST_HOURS * 60 : RESET_MINUTES
  const { secret, expiresAt } = newSecret(minutes)
  const text = await identity.outbox.compose(db, {
    customerId,
    key: purpose === 'first' ? 'invitation' : 'password-reset',
    variables: { ...readerVariables(recipient), until: formatMoment(expiresAt) },
    link: linkOf(identity, recipient.domain, secret),
  })
  const { email, userName } = recipient
  const link = { customerId, purpose, secret, expiresAt, isRequested, written: { email, userName } }
  return { link, recipient, text }
}

/**
 * Stores the link and queues its email in the customer's outbox. The link comes first: if queuing the email
 * fails, the link is harmless, because nobody has seen its secret. It has only replaced an earlier link.
 * @throws Failure 409 if the user's email address or user name was changed since the email was written.
 */
export async function sendPasswordMail(
  { outbox }: Identity,
  { link, recipient, text }: PasswordMail,
  userId: string,
  { links, mails, by, endpoint, organizationId, origin = null }: Sending,
): Promise<void> {
  await addLink(links, { ...link, userId })
  await outbox.put(mails, {
    customerId: link.customerId,
    organizationId: organizationId ?? recipient.onlyOrganizationId,
    userId,
    toName: recipient.fullName,
    toEmail: recipient.email,
    ...text,
    hasSecret: true,
    expiresAt: link.expiresAt,
  })
  await noteEvent(links, {
    customerId: link.customerId,
    by,
    endpoint,
    table: 'users',
    rowId: userId,
    what: by === null ? `requested a password email for ${recipient.fullName}` : 'sent a password email',
    origin,
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
    left join lateral (${brandOf(sql`u.customer_id`)}) brand on true
    where u.customer_id = ${of.customerId} and u.id = ${of.userId}`.execute(db)
  return rows[0] ?? null
}

type Brand = Pick<Recipient, 'domain' | 'title'>

/** SQL for a customer's first domain, where the links of emails go, and its title. */
const brandOf = (customerId: RawBuilder<unknown>): RawBuilder<Brand> =>
  sql<Brand>`select w.domain, w.title from white_labels w where w.customer_id = ${customerId}
    and w.purpose = 'office' and w.verified_at is not null order by w.id limit 1`

async function readBrand(db: Kysely<DB>, customerId: string): Promise<Brand> {
  const { rows } = await brandOf(sql`${customerId}`).execute(db)
  return rows[0] ?? { domain: null, title: null }
}

/** The secret is in the fragment, which servers and referrers don't see. */
const linkOf = (identity: Identity, domain: string | null, secret: string): string =>
  `${productUrl(identity, domain)}/auth/reset-password#${secret}`
