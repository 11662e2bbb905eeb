import type { Endpoint } from '#contract/endpoint.ts'
import { describe, type Permission } from '#contract/permissions.ts'
import { requestedBy } from '#web/ui/controls/permission-of.ts'

type CellRequest = {
  /** The record's own sentence, null where the caller may change it. */
  lock: string | null
  /** What saving calls. */
  endpoint: Endpoint
  /** Granting takes this, besides. */
  administer: Permission
}

/** Why the permissions may be read and not changed, as a sentence; null where they may. */
export function whyFixed(
  { lock, endpoint, administer }: CellRequest,
  holds: (wanted: Permission) => boolean | null,
): string | null {
  if (lock !== null) return lock
  const missing = [...requestedBy(endpoint.allow), administer].filter((one) => holds(one) === false)
  if (missing.length === 0) return null
  return `You may look and not change anything: that needs ${missing.map(describe).join(' and ')}.`
}
