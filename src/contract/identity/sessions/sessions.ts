import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** Where somebody is signed in. */
export const OpenSession = z.object({
  id: z.string(),
  /** "Firefox on Windows"; null for a session that somebody else has in this person's skin. */
  device: z.string().nullable(),
  ip: z.string().nullable(),
  startedAt: Instant,
  lastActiveAt: Instant,
  /** The session that asks. */
  isCurrent: z.boolean(),
  /** Who works in this person's skin with it; null for the person's own. */
  by: z.string().nullable(),
  /** In whose skin this person is with it. */
  as: z.string().nullable(),
  isLookOnly: z.boolean(),
})
export type OpenSession = z.infer<typeof OpenSession>

const sessionId = z.uuid('This must be the number of a session.')

export const sessions = {
  own: endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    allow: 'verified',
    summary:
      "The caller's sessions, the latest first, and those of others in their skin. Not in somebody's skin.",
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
      "Ends the caller's other sessions, or all of them; with `openedBefore` those older than that moment.",
    input: z.strictObject({
      // Named, so that a body that lost its words ends nothing.
      which: z.enum(['others', 'all'], 'Choose the others or all.'),
      openedBefore: z.iso.datetime('This must be a moment in UTC.').optional(),
    }),
  }),
  ofPerson: endpoint({
    method: 'GET',
    path: '/api/administration/user-sessions/{id}',
    allow: can(Func.sessionsOfOthers, Opr.list),
    summary: 'Where a person is signed in, the latest first.',
    input: z.strictObject({ id: Id }),
    output: z.array(OpenSession),
  }),
  endOfUser: endpoint({
    method: 'DELETE',
    path: '/api/administration/user-sessions/{id}/{sessionId}',
    allow: can(Func.sessionsOfOthers, Opr.delete),
    summary: 'Ends one session of a person.',
    input: z.strictObject({ id: Id, sessionId }),
  }),
  endSessionsOfUser: endpoint({
    method: 'POST',
    path: '/api/administration/sign-out-user',
    allow: can(Func.sessionsOfOthers, Opr.delete),
    summary: 'Ends every session of a person.',
    input: z.strictObject({ id: Id }),
  }),
}
