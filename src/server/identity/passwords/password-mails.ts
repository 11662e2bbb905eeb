import { sql, type Kysely } from 'kysely'
import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import type { DB } from '#server/database/schema.ts'
import type { Actor } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { openMail } from '#server/mail/index.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'
import { momentInWords, productUrl, readerVariables } from '../mail-words.ts'
import { addLink, FIRST_HOURS, RESET_MINUTES, type Purpose } from './password-links.ts'

type UserRow = { customerId: string; userId: string }
type Sending = {
  /** Identity's connection, or the owner's transaction: for the link. */
  links: Kysely<DB>
  /** The tenant's transaction where there is one, so that its audit log names who sent it: for the mail. */
  mails: Kysely<DB>
  by: Actor | null
  endpoint: string
  /** The rooftop whose people see the mail; without it the person's own, where it is one. */
  organizationId?: string | null
}

/**
 * Mails the link to a password: to a first one where there is none yet.
 * @param db the owner's transaction, where all of it is one commit; or identity's connection.
 * @throws Failure 404, or 409 when the person may not sign in.
 */
export function invite(identity: Identity, db: Kysely<DB>, of: UserRow, by: Actor | null): Promise<void> {
  return mailPasswordLink(identity, of, { links: db, mails: db, by, endpoint: 'customers.invite' })
}

/**
 * Makes a link and puts its mail into the outbox of the person's customer. The link comes first: one whose mail then
 * does not come about is harmless, since nobody ever saw its word; it has only replaced the link before it.
 * @throws Failure 404, or 409 when the person may not sign in.
 */
export async function mailPasswordLink(
  identity: Identity,
  of: UserRow,
  { links, mails, by, endpoint, organizationId }: Sending,
): Promise<void> {
  const recipient = await readRecipient(links, of)
  if (recipient === null) throw notFound('Person')
  if (!recipient.mayEnter) {
    throw conflict(`${recipient.fullName} may not sign in, so a password is of no use. Switch them on first.`)
  }
  const purpose: Purpose = recipient.hasPassword ? 'reset' : 'first'
  // A first link that somebody asks for at the sign-in page is answered at once, like any other.
  const isAsked = endpoint === FORGOT
  const minutes = purpose === 'first' && !isAsked ? FIRST_HOURS * 60 : RESET_MINUTES
  const { word, expiresAt, email, userName } = await addLink(links, { ...of, purpose, minutes, isAsked })
  const words = await identity.outbox.compose(links, {
    customerId: of.customerId,
    key: purpose === 'first' ? 'invitation' : 'password-reset',
    variables: { ...readerVariables({ ...recipient, userName }), until: momentInWords(expiresAt) },
    link: linkOf(identity, recipient.domain, word),
  })
  await identity.outbox.put(mails, {
    customerId: of.customerId,
    organizationId: organizationId ?? recipient.onlyOrganizationId,
    userId: of.userId,
    toName: recipient.fullName,
    // As the link has it: the address may have been changed a moment ago.
    toEmail: email,
    ...words,
    hasSecret: true,
    expiresAt,
  })
  await noteEvent(links, {
    customerId: of.customerId,
    by,
    endpoint,
    table: 'users',
    rowId: of.userId,
    what: by === null ? 'asked for a password mail' : 'sent a password mail',
  })
}

/** The call at the sign-in page. */
export const FORGOT = 'auth.forgotPassword'

/**
 * The latest mail to a person with its words open, noted in the audit log of that person's customer.
 * @throws Failure 404 when there is none.
 */
export async function revealLatestMail({ iam, outbox }: Identity, of: UserRow, by: Actor): Promise<OpenMail> {
  const mail = await openMail(iam, outbox, of)
  await noteEvent(iam, {
    customerId: of.customerId,
    by,
    endpoint: 'customers.revealInvitation',
    table: 'outbox_mails',
    rowId: mail.id,
    what: 'looked at the link of a mail',
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
  /** Of the customer's first domain. */
  domain: string | null
  title: string | null
}

/** What a mail to a person is written and filed by; null when they are gone. */
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

/** The word stands behind #, where no server and no referrer sees it. */
const linkOf = (identity: Identity, domain: string | null, word: string): string =>
  `${productUrl(identity, domain)}/auth/reset-password#${word}`
