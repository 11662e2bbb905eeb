import { forbidden } from '#server/http/failure.ts'
import type { AdmitReader } from '#server/mail/index.ts'
import { refuseWhileImpersonating, refuseLocked } from '../user-types/grant-limits.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'

/**
 * Who may read a mail with the link in it: whoever may change its recipient, for the link opens their account. Not the
 * recipient: a session left open would set its own password without the old one. Noted before the words go out.
 */
export function admitMailReader({ iam }: Identity): AdmitReader {
  return async ({ db, actor }, { id, userId }) => {
    refuseWhileImpersonating(actor)
    if (userId === actor.effectiveUserId) throw forbidden('This mail is for you: read it in your mailbox.')
    if (userId !== null) await refuseLocked(db, actor, userId)
    await noteEvent(iam, {
      customerId: actor.customerId,
      organizationId: actor.reach === 'organization' ? actor.organizationId : null,
      by: actor,
      endpoint: 'outbox.reveal',
      table: 'outbox_mails',
      rowId: id,
      what: 'looked at the link of a mail',
    })
  }
}
