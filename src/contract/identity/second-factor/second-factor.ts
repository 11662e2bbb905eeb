import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { StoredToken, Token, VERIFY_OTP_PATH } from '../sessions/session.ts'
import { SHOWS_USERS, userRecord } from '../users/users.ts'

/** Lifetime and number of attempts of an emailed code. */
export const MAIL_CODE_MINUTES = 10
export const MAIL_CODE_TRIES = 5
/** How often codes are emailed to one place before it waits until the first of them has expired. */
export const MAIL_CODE_SENDS = 3
/** How long a trusted device skips the second factor. */
export const TRUST_DAYS = 30
export const BACKUP_CODES = 10

/** `setup`: nothing can be verified yet, so the caller has to set up an authenticator. */
export const OTP_TYPES = ['email', 'authenticator', 'backup', 'setup'] as const
export type OtpType = (typeof OTP_TYPES)[number]

/** A way to receive or generate a one-time code; the label masks most of an email address. */
export const OtpChannel = z.object({ type: z.enum(OTP_TYPES), label: z.string() })
export type OtpChannel = z.infer<typeof OtpChannel>

export const OtpSent = z.object({
  /** Whether a mail server accepted the email. False if there is nothing to send: authenticator apps and backup codes work without us. */
  isSent: z.boolean(),
  /** Why no mail server accepted the email, for the reader; null if one did, or there is nothing to send. */
  failure: z.string().nullable(),
  /** When the emailed code expires. */
  validUntil: Instant.nullable(),
  /** How many more codes can be emailed before a wait. */
  sendsLeft: z.number().int().nullable(),
  /** Seconds until more can be emailed, once none is left. */
  waitSeconds: z.number().int().nullable(),
})
export type OtpSent = z.infer<typeof OtpSent>

/** Six digits, or a backup code. Spaces and hyphens are ignored. */
const Otp = z
  .string('The code must be text.')
  .max(64, 'This code is too long.')
  .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
  .pipe(
    z
      .string()
      .regex(/^(\d{6}|[A-Z0-9]{12})$/, 'Enter a 6-digit code, or a backup code of 12 letters and digits.'),
  )

const OwnPassword = z.string().min(1, 'Password is required').max(1024)

/** A browser that skips the second factor. */
export const TrustedDevice = z.object({
  id: z.string(),
  /** The browser's user agent string. */
  userAgent: z.string(),
  ip: z.string(),
  trustedAt: Instant,
  lastUsedAt: Instant,
  until: Instant,
  /** The device making this request. */
  isThis: z.boolean(),
})
export type TrustedDevice = z.infer<typeof TrustedDevice>

export const OwnSecondFactor = z.object({
  /** The caller's user type requires a second factor. */
  isRequired: z.boolean(),
  /** Masked address that sign-in codes are emailed to; null if none are emailed. */
  codeEmail: z.string().nullable(),
  /** When the authenticator was turned on; null if it is off. */
  authenticatorAt: Instant.nullable(),
  backupCodesLeft: z.number().int(),
  /** What else than the password is asked for at sign-in without an authenticator; `setup`: a new one, at once. */
  withoutAuthenticator: z.enum(['nothing', 'email', 'setup']),
  devices: z.array(TrustedDevice),
})
export type OwnSecondFactor = z.infer<typeof OwnSecondFactor>

export const BackupCodes = z.object({ backupCodes: z.array(z.string()) })

const NewSecret = z.object({
  /** Base32, for typing. */
  secret: z.string(),
  /** The same for a QR code. */
  uri: z.string(),
  /** Names this set-up. Sent with the code, it tells whether another one was begun since. */
  setupId: z.string(),
})

const SetupId = z.string('The set-up must be text.').max(64, 'Unknown set-up.').optional()

export const secondFactor = {
  getOtpList: endpoint({
    method: 'GET',
    path: '/api/auth/get-otp-list',
    allow: 'session',
    summary:
      'Verification methods available to the caller, best first. Empty if no second factor is due. Only "setup" if one is required and none can be verified: the caller sets up an authenticator then.',
    output: z.array(OtpChannel),
  }),
  sendOtp: endpoint({
    method: 'GET',
    path: '/api/auth/send-otp/{type}',
    allow: 'session',
    writes: true,
    summary:
      'Emails a 6-digit code, or resends the one that is still valid, and says whether a mail server accepted it. At most three in ten minutes, counted for each network, and apart from them for the browsers on which the user signed in before.',
    input: z.strictObject({ type: z.enum(OTP_TYPES, 'Unknown verification method.') }),
    output: OtpSent,
  }),
  verifyOtp: endpoint({
    method: 'POST',
    path: VERIFY_OTP_PATH,
    allow: 'session',
    summary:
      'Verifies the second factor and returns a verified token for a new session. A wrong code is 400 on otp.',
    input: z.strictObject({
      otp: Otp,
      /** Skips the second factor on this device for 30 days. */
      isTrust: z.boolean().optional(),
      token: z.union([StoredToken, z.null()]).optional(),
    }),
    output: Token,
  }),
  beginSetup: endpoint({
    method: 'POST',
    path: '/api/auth/begin-setup',
    allow: 'session',
    summary:
      'Returns a secret for an authenticator app to a caller whose only verification method is "setup". Returns 409 to others.',
    output: NewSecret,
  }),
  finishSetup: endpoint({
    method: 'POST',
    path: '/api/auth/finish-setup',
    allow: 'session',
    summary:
      'Turns on this authenticator with its first code. Returns backup codes, shown only once, and a verified token for a new session. A wrong code is 400 on otp.',
    input: z.strictObject({
      otp: Otp,
      setupId: SetupId,
      token: z.union([StoredToken, z.null()]).optional(),
    }),
    output: z.object({ ...BackupCodes.shape, token: Token }),
  }),
  own: endpoint({
    method: 'GET',
    path: '/api/auth/second-factor',
    allow: 'verified',
    summary: "The caller's second factor and trusted devices.",
    output: OwnSecondFactor,
  }),
  startAuthenticator: endpoint({
    method: 'POST',
    path: '/api/auth/begin-authenticator',
    allow: 'verified',
    summary:
      "Returns a secret for an authenticator app. The app isn't required until its first code is confirmed.",
    input: z.strictObject({ password: OwnPassword }),
    output: NewSecret,
  }),
  confirmAuthenticator: endpoint({
    method: 'POST',
    path: '/api/auth/confirm-authenticator',
    allow: 'verified',
    summary: 'Turns on the authenticator with its first code. Returns backup codes, shown only once.',
    input: z.strictObject({ otp: Otp, setupId: SetupId }),
    output: BackupCodes,
  }),
  removeAuthenticator: endpoint({
    method: 'POST',
    path: '/api/auth/remove-authenticator',
    allow: 'verified',
    summary:
      "Turns off the caller's authenticator and removes its backup codes and trusted devices. If a second factor is required and none is left, the session becomes unverified: `token` is its new token, and the caller sets up an authenticator.",
    input: z.strictObject({ password: OwnPassword }),
    output: z.object({ token: Token.nullable() }),
  }),
  renewBackupCodes: endpoint({
    method: 'POST',
    path: '/api/auth/renew-backup-codes',
    allow: 'verified',
    summary: 'Returns new backup codes, shown only once. Earlier codes stop working.',
    input: z.strictObject({ password: OwnPassword }),
    output: BackupCodes,
  }),
  forgetDevice: endpoint({
    method: 'DELETE',
    path: '/api/auth/forget-device/{id}',
    allow: 'verified',
    summary: 'Removes a trusted device. Its next sign-in requires the second factor.',
    input: z.strictObject({ id: z.uuid('Unknown device.') }),
    changes: ['/api/auth/second-factor'],
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/api/administration/delete-second-factor/{id}',
    allow: can(Func.users, Opr.administer),
    // Its email is composed outside the transaction.
    outside: true,
    summary:
      "Resets a user's second factor: removes the authenticator, backup codes and trusted devices, and ends the waits after too many codes.",
    input: z.strictObject({ id: Id }),
    output: userRecord.schema,
    changes: SHOWS_USERS,
  }),
}
