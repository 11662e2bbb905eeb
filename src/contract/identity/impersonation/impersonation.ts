import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line } from '#contract/fields.ts'
import { StoredToken, Token } from '../sessions/session.ts'

/** An impersonation ends automatically after this many minutes. */
export const IMPERSONATION_MINUTES = 60

/**
 * Specification section 3: `userId` and `token`, null to revert. `mode` and `reason` are our additions. While
 * impersonating, `userId: null` or `token: null` switches back.
 */
export const Impersonation = z
  .strictObject({
    userId: z.union([Id, z.null()]).optional(),
    token: z.union([StoredToken, z.null()]).optional(),
    /** `look` rejects every write; `act` requires a reason. */
    mode: z.enum(['view', 'act'], 'Choose view only or act.').optional(),
    /** Recorded in the audit log. */
    reason: line(300, 'Reason').optional(),
  })
  .refine(({ mode, reason }) => mode !== 'act' || reason !== undefined, {
    path: ['reason'],
    message: "Enter a reason. It's recorded in the audit log.",
  })

export const impersonation = {
  impersonate: endpoint({
    method: 'POST',
    path: '/api/auth/impersonate-user',
    // Anyone impersonating may switch back. Who may start depends on the caller and on the chosen user.
    allow: 'verified',
    summary:
      'Impersonates another user for up to 60 minutes, or switches back when `userId` or `token` is null. Returns a new token.',
    input: Impersonation,
    output: Token,
  }),
}
