import { clock } from '#server/clock.ts'
import type { Actor, Origin } from '#server/http/actor.ts'
import type { UserRow } from './credentials/factor-state.ts'
import { formatMoment, productUrl, readerVariables } from './email-format.ts'
import type { Identity } from './identity.ts'
import { readRecipient } from './passwords/password-mails.ts'

type Change = {
  /** What happened, in sentences without secrets. */
  what: string
  /** Who did it, if it wasn't the owner. */
  by?: Pick<Actor, 'fullName'>
  /** Where the owner did it. Never where an administrator was. */
  origin?: Origin | undefined
  /** Their former email address, which is told, too. */
  formerEmail?: string
}

/**
 * Emails the owner of an account that something about signing in to it changed, after it did. What was done stays done if the
 * email can't be written: the failure is reported, not thrown. Users without a password have nothing to protect yet.
 * [Decision 244](../../../docs/decisions/0244-owners-are-told-what-changed-about-their-sign-in.md).
 */
export async function notifyAccountOwner(identity: Identity, of: UserRow, change: Change): Promise<void> {
  try {
    await queueOwnerMails(identity, of, change)
  } catch (error) {
    identity.onError(error)
  }
}

async function queueOwnerMails(
  identity: Identity,
  { customerId, userId }: UserRow,
  { what, by, origin, formerEmail }: Change,
): Promise<void> {
  const { iam, outbox } = identity
  const recipient = await readRecipient(iam, { customerId, userId })
  if (recipient === null || !recipient.hasPassword) return
  const where = origin === undefined ? '' : ` with ${origin.device}, from the address ${origin.address}`
  const text = await outbox.compose(iam, {
    customerId,
    key: 'security-change',
    variables: {
      ...readerVariables(recipient),
      what,
      how: `${by === undefined ? 'This happened' : `${by.fullName} did this`} on ${formatMoment(new Date(clock.now()).toISOString())}${where}.`,
    },
    link: `${productUrl(identity, recipient.domain)}/account/security`,
  })
  for (const toEmail of new Set([formerEmail ?? recipient.email, recipient.email])) {
    // oxlint-disable-next-line no-await-in-loop
    await outbox.put(iam, {
      customerId,
      userId,
      organizationId: recipient.onlyOrganizationId,
      toName: recipient.fullName,
      toEmail,
      ...text,
      hasSecret: false,
    })
  }
}
