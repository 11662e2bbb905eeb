import type { Allow } from '#contract/endpoint.ts'
import { type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'

/** The permissions of which any one grants access to an endpoint; empty if none is required. */
export function permissionsFor(allow: Allow): readonly Permission[] {
  if (typeof allow === 'string') return []
  return 'anyOf' in allow ? allow.anyOf : [allow]
}

/** "Lots, create (8, 3)": the permission an endpoint requires, for a user who doesn't have it. */
export function describeRequirement(allow: Allow): string {
  return permissionsFor(allow).map(describe).join(' or ')
}
