import type { Endpoint } from '#contract/endpoint.ts'
import { type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'

type EditCheck = {
  /** The record's `lock` sentence; null if the caller may change it. */
  lock: string | null
  /** The call that saves. */
  endpoint: Endpoint
  /** Granting also requires this. */
  administer: Permission
}

/** Why permissions are read-only, as a sentence; null if they aren't. */
export function whyFixed(
  { lock, endpoint, administer }: EditCheck,
  holds: (permission: Permission) => boolean | null,
): string | null {
  if (lock !== null) return lock
  const missing = [...permissionsFor(endpoint.allow), administer].filter((one) => holds(one) === false)
  if (missing.length === 0) return null
  return `You can view these permissions. Changing them requires ${missing.map(describe).join(' and ')}.`
}
