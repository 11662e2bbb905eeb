import type { TemplateKey } from '#contract/mail/templates/templates.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Identity } from '../identity.ts'
import { productUrl, readerVariables } from '../email-format.ts'
import { readRecipient } from '../passwords/password-mails.ts'
import { findUndeliverable } from './find-undeliverable.ts'

type Recipient = { customerId: string; userId: string }
type EmailText = {
  key: TemplateKey
  /** Template variables other than those about the recipient. */
  variables: Readonly<Record<string, string>>
  /** Path of its link, such as "/carbon". */
  path: string
}

/** An email to a user as the outbox takes it, without the organization that can see it. */
export type UserEmail = Recipient & {
  toName: string
  toEmail: string
  subject: string
  text: string
  html?: string
  hasSecret: false
}

/**
 * Writes an email to a user from their customer's template; null if they no longer exist or can't sign in.
 */
export async function writeToUser(
  { iam, outbox, settings, address }: Pick<Identity, 'iam' | 'outbox' | 'settings' | 'address'>,
  of: Recipient,
  { key, variables, path }: EmailText,
): Promise<UserEmail | null> {
  const reader = await readRecipient(iam, of)
  if (reader === null || !reader.mayEnter) return null
  const emailText = await outbox.compose(iam, {
    customerId: of.customerId,
    key,
    variables: { ...readerVariables(reader), ...variables },
    link: `${productUrl({ settings, address }, reader.domain)}${path}`,
  })
  return { ...of, toName: reader.fullName, toEmail: reader.email, ...emailText, hasSecret: false }
}

/** Who of an organization gets an email: those of `userIds` who can sign in, are members and hold `needs`. */
type Recipients = Parameters<typeof findUndeliverable>[1]

/** Writes an email to each of some users, once; those who can't act on it are left out. */
export async function writeToUsers(
  identity: Pick<Identity, 'iam' | 'outbox' | 'settings' | 'address'>,
  recipients: Recipients,
  text: EmailText,
): Promise<UserEmail[]> {
  const { customerId, userIds } = recipients
  const undeliverable = await findUndeliverable(identity, recipients)
  const mails: UserEmail[] = []
  for (const userId of new Set(userIds.filter((one) => !undeliverable.has(one)))) {
    // Each is rendered in the template worker.
    // oxlint-disable-next-line no-await-in-loop
    const mail = await writeToUser(identity, { customerId, userId }, text)
    if (mail !== null) mails.push(mail)
  }
  return mails
}

/** Writes an email to who did something: the user themselves, or if they belong to another customer, the one they acted as. At most one. */
export async function writeToActor(
  identity: Pick<Identity, 'iam' | 'outbox' | 'settings' | 'address'>,
  { customerId, userIds }: { customerId: string; userIds: readonly (string | null)[] },
  text: EmailText,
): Promise<UserEmail[]> {
  for (const userId of userIds) {
    if (userId === null) continue
    // oxlint-disable-next-line no-await-in-loop
    const mail = await writeToUser(identity, { customerId, userId }, text)
    if (mail !== null) return [mail]
  }
  return []
}

/** Queues emails that were written before the transaction began, because writing takes time. */
export async function queueEmails(
  db: Database,
  { outbox }: Pick<Identity, 'outbox'>,
  { mails, organizationId }: { mails: readonly UserEmail[]; organizationId: string },
): Promise<void> {
  for (const mail of mails) {
    // oxlint-disable-next-line no-await-in-loop
    await outbox.put(db, { ...mail, organizationId })
  }
}
