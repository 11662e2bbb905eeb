import { IMPERSONATION_MINUTES } from '#contract/identity/impersonation/impersonation.ts'
import { clock } from '#server/clock.ts'
import type { Identity } from '../identity.ts'
import type { UserRow } from './impersonation-rules.ts'
import { momentInWords, productUrl, readerVariables } from '../mail-words.ts'

type Words = Awaited<ReturnType<Identity['outbox']['compose']>>

/** What a person is told when somebody starts to work in their account, in their customer's words. */
export function writeImpersonationMail(
  { iam, outbox, settings, address }: Identity,
  person: UserRow,
  { byName, isLookOnly }: { byName: string; isLookOnly: boolean },
): Promise<Words> {
  const until = new Date(clock.now() + IMPERSONATION_MINUTES * 60_000).toISOString()
  return outbox.compose(iam, {
    customerId: person.customerId,
    key: 'impersonation',
    variables: {
      ...readerVariables(person),
      byName,
      what: isLookOnly ? 'looks at' : 'works in',
      until: momentInWords(until),
    },
    link: `${productUrl({ settings, address }, person.domain)}/account/sessions`,
  })
}

/** Puts it in line for the person. */
export async function putImpersonationMail(
  { iam, outbox }: Identity,
  person: UserRow,
  words: Words,
): Promise<void> {
  const [first, ...others] = person.organizationIds
  await outbox.put(iam, {
    customerId: person.customerId,
    // Whoever reaches their only organization sees it.
    organizationId: others.length === 0 ? (first ?? null) : null,
    userId: person.id,
    toName: person.fullName,
    toEmail: person.email,
    ...words,
    hasSecret: false,
  })
}
