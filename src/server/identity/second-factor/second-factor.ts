import type { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { asIdentity } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { removeAuthenticator } from './authenticators.ts'
import { readFactors } from '../credentials/factor-state.ts'
import { notifyAccountOwner } from '../owner-mail.ts'
import { refuseWhileImpersonating, refuseLocked } from '../user-types/grant-limits.ts'
import { noteEvent } from '../events.ts'
import type { Identity } from '../identity.ts'
import {
  startOwn,
  confirmOwn,
  forgetOwnDevice,
  readMySecondFactor,
  removeOwn,
  renewOwnCodes,
} from './my-second-factor.ts'
import { readerVariables } from '../email-format.ts'
import { readRecipient } from '../passwords/password-mails.ts'
import { readUser } from '../users/user-list.ts'
import { clearFactorLimits } from '../credentials/factor-tries.ts'
import { beginSetup, finishSetup, otpList, sendOtp, verifyOtp } from './verify-login.ts'

/** The second factor: verifying it at sign-in, managing one's own, and resetting that of another user. */
export function secondFactorHandlers(identity: Identity): Handlers<typeof secondFactor> {
  return {
    getOtpList: ({ actor }) => otpList(identity, actor),
    sendOtp: ({ visit, actor, input }) => sendOtp(identity, visit, actor, input),
    verifyOtp: ({ visit, actor, input }) => verifyOtp(identity, visit, actor, input),
    beginSetup: ({ actor }) => beginSetup(identity, actor),
    finishSetup: ({ visit, actor, input }) => finishSetup(identity, visit, actor, input),
    own: ({ visit, actor }) => readMySecondFactor(identity, visit, actor),
    startAuthenticator: ({ visit, actor, input }) => startOwn(identity, visit, actor, input.password),
    confirmAuthenticator: ({ actor, input }) => confirmOwn(identity, actor, input),
    removeAuthenticator: ({ visit, actor, input }) => removeOwn(identity, visit, actor, input.password),
    renewBackupCodes: ({ visit, actor, input }) => renewOwnCodes(identity, visit, actor, input.password),
    forgetDevice: ({ actor, input }) => forgetOwnDevice(identity, actor, input.id),

    async reset({ inTenant, actor, input: { id } }) {
      refuseWhileImpersonating(actor)
      if (id === actor.effectiveUserId) {
        throw forbidden('This is your own account. Use Security in your user menu.')
      }
      const of = { customerId: actor.customerId, userId: id }
      await inTenant((db) => refuseLocked(db, actor, id))
      // Composed before the transaction, because that takes time.
      const mail = await writeResetMail(identity, actor, of)
      const { user, wasRemoved } = await inTenant(async (db) => {
        await refuseLocked(db, actor, id)
        const iam = asIdentity(db)
        const state = await readFactors(iam, of)
        const hadAuthenticator = await removeAuthenticator({ iam }, of)
        if (!hadAuthenticator && state?.isRequired !== true)
          throw conflict('This user signs in with a password only, so there is no second factor to reset.')
        await clearFactorLimits(iam, of)
        await noteEvent(iam, {
          customerId: actor.customerId,
          organizationId: actor.reach === 'organization' ? actor.organizationId : null,
          by: actor,
          endpoint: 'secondFactor.reset',
          table: 'users',
          rowId: id,
          what: 'reset their second factor',
        })
        if (hadAuthenticator) await identity.outbox.put(db, { ...of, ...mail, hasSecret: false })
        return { wasRemoved: hadAuthenticator, user: await readUser(db, actor, id) }
      })
      if (!wasRemoved)
        await notifyAccountOwner(identity, of, {
          what: 'Your second factor was reset: your backup codes and trusted devices were removed, and sign-in codes that were emailed before no longer work.',
          by: actor,
        })
      return user
    },
  }
}

/** Writes the email to a user whose second factor is reset. @throws Failure 404 */
async function writeResetMail(identity: Identity, actor: Member, of: { customerId: string; userId: string }) {
  const recipient = await readRecipient(identity.iam, of)
  if (recipient === null) throw notFound('User')
  const emailText = await identity.outbox.compose(identity.iam, {
    customerId: of.customerId,
    key: 'factor-removed',
    variables: { ...readerVariables(recipient), by: actor.fullName },
  })
  return {
    organizationId: actor.reach === 'organization' ? actor.organizationId : recipient.onlyOrganizationId,
    toName: recipient.fullName,
    toEmail: recipient.email,
    ...emailText,
  }
}
