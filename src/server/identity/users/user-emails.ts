import type { TemplateKey } from '#contract/mail/templates/templates.ts'
import type { Identity } from '../identity.ts'
import { productUrl, readerVariables } from '../mail-words.ts'
import { readRecipient } from '../passwords/password-mails.ts'

type Recipient = { customerId: string; userId: string }
type EmailText = {
  key: TemplateKey
  /** What the template may name besides the reader. */
  variables: Readonly<Record<string, string>>
  /** Where its link leads, from the product's own address: "/carbon". */
  path: string
}

/** A mail to a person as the outbox takes it, without the organization whose people see it. */
export type UserEmail = Recipient & {
  toName: string
  toEmail: string
  subject: string
  text: string
  html?: string
  hasSecret: false
}

/** A mail of the product to a person in the words of their customer; null where they are gone or may not sign in. */
export async function writeToUser(
  { iam, outbox, settings, address }: Pick<Identity, 'iam' | 'outbox' | 'settings' | 'address'>,
  of: Recipient,
  { key, variables, path }: EmailText,
): Promise<UserEmail | null> {
  const reader = await readRecipient(iam, of)
  if (reader === null || !reader.mayEnter) return null
  const words = await outbox.compose(iam, {
    customerId: of.customerId,
    key,
    variables: { ...readerVariables(reader), ...variables },
    link: `${productUrl({ settings, address }, reader.domain)}${path}`,
  })
  return { ...of, toName: reader.fullName, toEmail: reader.email, ...words, hasSecret: false }
}
