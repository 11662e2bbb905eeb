/** What looking only refuses, as a sentence. */
export const LOOKING_ONLY =
  'You are only looking: nothing can be changed. Switch back, and act as this person if you must.'

/** Session mechanics that somebody who only looks may still do: they change nothing but the own session. */
export const WHILE_LOOKING: readonly string[] = [
  '/api/auth/impersonate-user',
  '/api/auth/change-organization',
]
