import type { Endpoint } from '#contract/endpoint.ts'

/** Shown when a write is rejected during view-only impersonation. */
const VIEW_ONLY_REFUSAL =
  "You're in view-only mode, so you can't make changes. To make changes, switch back and impersonate with Act."

/** Shown when an export or a report is rejected during view-only impersonation. */
export const VIEW_ONLY_EXPORT_REFUSAL =
  "You're in view-only mode, so you can't export lists or create reports. To do so, switch back and impersonate with Act."

/** Writes that view-only impersonation allows: they change nothing but the caller's own session. */
const ALLOWED_WHEN_VIEW_ONLY: readonly string[] = [
  '/api/auth/impersonate-user',
  '/api/auth/change-organization',
]

/**
 * Why view-only impersonation rejects a call, as a sentence; null if it allows it. Viewing doesn't include taking whole lists
 * out of the product (docs/decisions/0105-view-only-does-not-export.md).
 */
export function viewOnlyRefusal({ kind, writes, path }: Endpoint): string | null {
  if (kind === 'report' || path === '/api/jobs/download-job-file/{id}') return VIEW_ONLY_EXPORT_REFUSAL
  return writes && !ALLOWED_WHEN_VIEW_ONLY.includes(path) ? VIEW_ONLY_REFUSAL : null
}
