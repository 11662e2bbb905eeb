import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** A session that is still active. */
export const OpenSession = z.object({
  id: z.string(),
  /** "Firefox on Windows"; null for a session in which someone else impersonates this user. */
  device: z.string().nullable(),
  ip: z.string().nullable(),
  startedAt: Instant,
  lastActiveAt: Instant,
  /** The session making this request. */
  isCurrent: z.boolean(),
  /** Who impersonates this user in the session; null for the user's own session. */
  by: z.string().nullable(),
  /** Whom this user impersonates in the session. */
  as: z.string().nullable(),
  isViewOnly: z.boolean(),
})
export type OpenSession = z.infer<typeof OpenSession>

/** A sign-in, a failed one, a sign-out or a change of the organization. */
export const SignIn = z.object({
  at: Instant,
  /** "Signed in with a second factor", "Failed to sign in, 3 times". */
  what: z.string(),
  isFailed: z.boolean(),
  address: z.string().nullable(),
  device: z.string().nullable(),
})
export type SignIn = z.infer<typeof SignIn>

const sessionId = z.uuid("This isn't a session ID.")

export const sessions = {
  own: endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    allow: 'verified',
    summary:
      "The caller's sessions, most recent first, including those of users impersonating them. Not available while impersonating.",
    output: z.array(OpenSession),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    allow: 'verified',
    summary: "Ends one of the caller's sessions.",
    input: z.strictObject({ id: sessionId }),
  }),
  endAll: endpoint({
    method: 'POST',
    path: '/api/auth/sign-out-everywhere',
    allow: 'verified',
    summary:
      "Ends the caller's other sessions, or all of them. With `openedBefore`, only those opened before that time.",
    input: z.strictObject({
      // Required, so that an empty body ends nothing.
      which: z.enum(['others', 'all'], 'Choose other sessions or all sessions.'),
      openedBefore: z.iso.datetime('This must be a date and time in UTC.').optional(),
    }),
  }),
  ofPerson: endpoint({
    method: 'GET',
    path: '/api/administration/user-sessions/{id}',
    allow: can(Func.sessionsOfOthers, Opr.list),
    summary: 'Sessions of a user, most recent first.',
    input: z.strictObject({ id: Id }),
    output: z.array(OpenSession),
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/administration/user-sign-ins/{id}',
    allow: can(Func.sessionsOfOthers, Opr.list),
    summary:
      'The latest 100 sign-ins of a user, including failed ones, with sign-outs and changes of the organization, newest first.',
    input: z.strictObject({ id: Id }),
    output: z.array(SignIn),
  }),
  endOfUser: endpoint({
    method: 'DELETE',
    path: '/api/administration/user-sessions/{id}/{sessionId}',
    allow: can(Func.sessionsOfOthers, Opr.delete),
    summary: 'Ends one session of a user.',
    input: z.strictObject({ id: Id, sessionId }),
  }),
  endSessionsOfUser: endpoint({
    method: 'POST',
    path: '/api/administration/sign-out-user',
    allow: can(Func.sessionsOfOthers, Opr.delete),
    summary: 'Ends all sessions of a user.',
    input: z.strictObject({ id: Id }),
  }),
}
