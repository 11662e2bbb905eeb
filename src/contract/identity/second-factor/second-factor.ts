import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { StoredToken, Token, VERIFY_OTP_PATH } from '../sessions/session.ts'
import { User } from '../users/users.ts'

/** A mailed code is good so long, and for so many tries. */
export const MAIL_CODE_MINUTES = 10
export const MAIL_CODE_TRIES = 5
export const MAIL_CODES_AN_HOUR = 5
/** A trusted device is not asked for a second factor so long. */
export const TRUST_DAYS = 30
export const BACKUP_CODES = 10

export const OTP_TYPES = ['email', 'authenticator', 'backup'] as const
export type OtpType = (typeof OTP_TYPES)[number]

/** One way to prove who one is besides the password; the label covers most of an e-mail address. */
export const OtpChannel = z.object({ type: z.enum(OTP_TYPES), label: z.string() })
export type OtpChannel = z.infer<typeof OtpChannel>

export const OtpSent = z.object({
  /** False where there is nothing to send: an app and a list of codes make theirs without us. */
  isSent: z.boolean(),
  /** Until when a mailed code is good. */
  validUntil: Instant.nullable(),
  /** How many more may be mailed within the hour. */
  sendsLeft: z.number().int().nullable(),
})
export type OtpSent = z.infer<typeof OtpSent>

/** Six digits, or a backup code; spaces and hyphens do not count. */
const Otp = z
  .string('The code must be text.')
  .max(64, 'This is too long for a code.')
  .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
  .pipe(
    z.string().regex(/^(\d{6}|[A-Z0-9]{12})$/, 'A code has 6 digits, a backup code 12 letters and digits.'),
  )

const OwnPassword = z.string().min(1, 'Password is required').max(1024)

/** A browser that is not asked for a second factor. */
export const TrustedDevice = z.object({
  id: z.string(),
  /** What the browser called itself. */
  userAgent: z.string(),
  ip: z.string(),
  trustedAt: Instant,
  lastUsedAt: Instant,
  until: Instant,
  /** The one that asks. */
  isThis: z.boolean(),
})
export type TrustedDevice = z.infer<typeof TrustedDevice>

export const OwnSecondFactor = z.object({
  /** The caller's user type asks for one. */
  isRequired: z.boolean(),
  /** Where codes are mailed at sign-in, most of it covered; null when none are. */
  mailTo: z.string().nullable(),
  /** Since when an authenticator is on. */
  authenticatorAt: Instant.nullable(),
  backupCodesLeft: z.number().int(),
  devices: z.array(TrustedDevice),
})
export type OwnSecondFactor = z.infer<typeof OwnSecondFactor>

export const BackupCodes = z.object({ backupCodes: z.array(z.string()) })

export const secondFactor = {
  getOtpList: endpoint({
    method: 'GET',
    path: '/api/auth/get-otp-list',
    allow: 'session',
    summary: 'The ways in which the caller can prove who they are, the best first; none when nothing is due.',
    output: z.array(OtpChannel),
  }),
  sendOtp: endpoint({
    method: 'GET',
    path: '/api/auth/send-otp/{type}',
    allow: 'session',
    writes: true,
    summary: 'Mails a code of 6 digits, or the one that is still good once more; five an hour at most.',
    input: z.strictObject({ type: z.enum(OTP_TYPES, 'There is no such way.') }),
    output: OtpSent,
  }),
  verifyOtp: endpoint({
    method: 'POST',
    path: VERIFY_OTP_PATH,
    allow: 'session',
    summary:
      'Ends the wait for the second factor: answers a verified token of a new session. A wrong code is 400 on otp.',
    input: z.strictObject({
      otp: Otp,
      /** Not to be asked on this device for 30 days. */
      isTrust: z.boolean().optional(),
      token: z.union([StoredToken, z.null()]).optional(),
    }),
    output: Token,
  }),
  own: endpoint({
    method: 'GET',
    path: '/api/auth/second-factor',
    allow: 'verified',
    summary: "The caller's own second factor and the devices they trust.",
    output: OwnSecondFactor,
  }),
  startAuthenticator: endpoint({
    method: 'POST',
    path: '/api/auth/begin-authenticator',
    allow: 'verified',
    summary:
      'Answers a secret for an authenticator app. Nothing is asked for until its first code was confirmed.',
    input: z.strictObject({ password: OwnPassword }),
    output: z.object({
      /** Base32, for typing. */
      secret: z.string(),
      /** The same for a QR code. */
      uri: z.string(),
    }),
  }),
  confirmAuthenticator: endpoint({
    method: 'POST',
    path: '/api/auth/confirm-authenticator',
    allow: 'verified',
    summary: 'Turns the authenticator on by its first code. Answers backup codes, this once.',
    input: z.strictObject({ otp: Otp }),
    output: BackupCodes,
  }),
  removeAuthenticator: endpoint({
    method: 'POST',
    path: '/api/auth/remove-authenticator',
    allow: 'verified',
    summary: 'Turns the own authenticator off, with its backup codes and trusted devices.',
    input: z.strictObject({ password: OwnPassword }),
  }),
  renewBackupCodes: endpoint({
    method: 'POST',
    path: '/api/auth/renew-backup-codes',
    allow: 'verified',
    summary: 'Answers new backup codes, this once; those before are good no more.',
    input: z.strictObject({ password: OwnPassword }),
    output: BackupCodes,
  }),
  forgetDevice: endpoint({
    method: 'DELETE',
    path: '/api/auth/forget-device/{id}',
    allow: 'verified',
    summary: 'From now on a device is asked for the second factor again.',
    input: z.strictObject({ id: z.uuid('There is no such device.') }),
  }),
  takeAway: endpoint({
    method: 'DELETE',
    path: '/api/administration/delete-second-factor/{id}',
    allow: can(Func.users, Opr.administer),
    summary: 'Takes away the authenticator that a person lost, with its backup codes and trusted devices.',
    input: z.strictObject({ id: Id }),
    output: User,
  }),
}
