import { forbidden } from '#server/http/failure.ts'
import type { AuthorizeReader } from '#server/mail/index.ts'
import { refuseWhileImpersonating, refuseLocked } from '../user-types/grant-limits.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'

/**
 * A user who may change the recipient may read an email with its link, because the link gives access to the
 * account. The recipient may not: an open session could set a new password without the old one. Logged before
 * the text is shown.
 */
export function admitMailReader({ iam }: Identity): AuthorizeReader {
  return async ({ db, actor }, { id, userId }) => {
    refuseWhileImpersonating(actor)
    if (userId === actor.effectiveUserId)
      throw forbidden('This email was sent to you. Read it in your inbox.')
    if (userId !== null) await refuseLocked(db, actor, userId)
    await noteEvent(iam, {
      customerId: actor.customerId,
      organizationId: actor.reach === 'organization' ? actor.organizationId : null,
      by: actor,
      endpoint: 'outbox.reveal',
      table: 'outbox_mails',
      rowId: id,
      what: 'viewed the link in an email',
    })
  }
}
