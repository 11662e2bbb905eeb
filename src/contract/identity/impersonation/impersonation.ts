import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line } from '#contract/fields.ts'
import { StoredToken, Token } from '../sessions/session.ts'

/** After so many minutes an impersonation ends by itself. */
export const IMPERSONATION_MINUTES = 60

/**
 * Specification section 3: `userId` and `token`, null to revert. These two alone act; `mode` and `reason` are ours.
 * While impersonating, `userId: null` or `token: null` goes back to oneself.
 */
export const Impersonation = z
  .strictObject({
    userId: z.union([Id, z.null()]).optional(),
    token: z.union([StoredToken, z.null()]).optional(),
    /** `look` refuses every write; `act` wants a reason. */
    mode: z.enum(['look', 'act'], 'Choose to look only or to act.').optional(),
    /** Kept in the audit log. */
    reason: line(300, 'Reason').optional(),
  })
  .refine(({ mode, reason }) => mode !== 'act' || reason !== undefined, {
    path: ['reason'],
    message: 'Say why you act as this person: it is kept in the audit log.',
  })

export const impersonation = {
  impersonate: endpoint({
    method: 'POST',
    path: '/api/auth/impersonate-user',
    // Going back is open to whoever is in a skin; who may start is decided by the person and the one they name.
    allow: 'verified',
    summary:
      'Works as another person for at most 60 minutes, or goes back to oneself with `userId` or `token` null. Answers a new token.',
    input: Impersonation,
    output: Token,
  }),
}
