import type { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { removeAuthenticator } from './authenticators.ts'
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
import { otpList, sendOtp, verifyOtp } from './verify-login.ts'

/** The second factor: verifying it at sign-in, managing one's own, and resetting that of another user. */
export function secondFactorHandlers(identity: Identity): Handlers<typeof secondFactor> {
  return {
    getOtpList: ({ actor }) => otpList(identity, actor),
    sendOtp: ({ actor, input }) => sendOtp(identity, actor, input),
    verifyOtp: ({ visit, actor, input }) => verifyOtp(identity, visit, actor, input),
    own: ({ visit, actor }) => readMySecondFactor(identity, visit, actor),
    startAuthenticator: ({ visit, actor, input }) => startOwn(identity, visit, actor, input.password),
    confirmAuthenticator: ({ actor, input }) => confirmOwn(identity, actor, input.otp),
    removeAuthenticator: ({ visit, actor, input }) => removeOwn(identity, visit, actor, input.password),
    renewBackupCodes: ({ visit, actor, input }) => renewOwnCodes(identity, visit, actor, input.password),
    forgetDevice: ({ actor, input }) => forgetOwnDevice(identity, actor, input.id),

    async reset({ db, actor, input }) {
      refuseWhileImpersonating(actor)
      if (input.id === actor.effectiveUserId) {
        throw forbidden('This is your own account. Use Security in your user menu.')
      }
      await refuseLocked(db, actor, input.id)
      const target = { customerId: actor.customerId, userId: input.id }
      if (!(await removeAuthenticator(identity, target)))
        throw conflict("This user doesn't have an authenticator.")
      await noteEvent(identity.iam, {
        customerId: actor.customerId,
        organizationId: actor.reach === 'organization' ? actor.organizationId : null,
        by: actor,
        endpoint: 'secondFactor.reset',
        table: 'users',
        rowId: input.id,
        what: 'reset their second factor',
      })
      await notifyUser(identity, db, actor, input.id)
      return readUser(db, actor, input.id)
    },
  }
}

/** Emails the user whose second factor was reset. */
async function notifyUser(identity: Identity, db: Database, actor: Member, userId: string): Promise<void> {
  const of = { customerId: actor.customerId, userId }
  const [user, recipient] = await Promise.all([readUser(db, actor, userId), readRecipient(identity.iam, of)])
  const fullName = `${user.firstName} ${user.lastName}`
  const emailText = await identity.outbox.compose(db, {
    customerId: actor.customerId,
    key: 'factor-removed',
    variables: {
      ...readerVariables({ ...user, fullName, title: recipient?.title ?? null }),
      by: actor.fullName,
    },
  })
  await identity.outbox.put(db, {
    ...of,
    organizationId:
      actor.reach === 'organization' ? actor.organizationId : (recipient?.onlyOrganizationId ?? null),
    toName: fullName,
    toEmail: user.email,
    ...emailText,
    hasSecret: false,
  })
}
