/** Shown when a write is rejected during view-only impersonation. */
export const VIEW_ONLY_REFUSAL =
  "You're in view-only mode, so you can't make changes. To make changes, switch back and impersonate with Act."

/** Writes that view-only impersonation allows: they change nothing but the caller's own session. */
export const ALLOWED_WHEN_VIEW_ONLY: readonly string[] = [
  '/api/auth/impersonate-user',
  '/api/auth/change-organization',
]
