import { IMPERSONATION_MINUTES } from '#contract/identity/impersonation/impersonation.ts'
import { clock } from '#server/clock.ts'
import type { Identity } from '../identity.ts'
import type { UserRow } from './impersonation-rules.ts'
import { formatMoment, productUrl, readerVariables } from '../email-format.ts'

type EmailText = Awaited<ReturnType<Identity['outbox']['compose']>>

/** The email to a user who is being impersonated, from their customer's template. */
export function writeImpersonationMail(
  { iam, outbox, settings, address }: Identity,
  user: UserRow,
  { byName, isViewOnly }: { byName: string; isViewOnly: boolean },
): Promise<EmailText> {
  const until = new Date(clock.now() + IMPERSONATION_MINUTES * 60_000).toISOString()
  return outbox.compose(iam, {
    customerId: user.customerId,
    key: 'impersonation',
    variables: {
      ...readerVariables(user),
      byName,
      what: isViewOnly ? 'is viewing' : 'is working in',
      until: formatMoment(until),
    },
    link: `${productUrl({ settings, address }, user.domain)}/account/sessions`,
  })
}

/** Queues the email. */
export async function putImpersonationMail(
  { iam, outbox }: Identity,
  user: UserRow,
  words: EmailText,
): Promise<void> {
  const [first, ...others] = user.organizationIds
  await outbox.put(iam, {
    customerId: user.customerId,
    // Visible to administrators of the user's only organization.
    organizationId: others.length === 0 ? (first ?? null) : null,
    userId: user.id,
    toName: user.fullName,
    toEmail: user.email,
    ...words,
    hasSecret: false,
  })
}
