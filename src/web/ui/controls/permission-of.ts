import type { Allow } from '#contract/endpoint.ts'
import { describe, type Permission } from '#contract/permissions.ts'

/** The permissions of which one opens an endpoint; empty where none is asked for. */
export function requestedBy(allow: Allow): readonly Permission[] {
  if (typeof allow === 'string') return []
  return 'anyOf' in allow ? allow.anyOf : [allow]
}

/** "Lots, create (8, 3)": names what opens an endpoint, for a person who may not. */
export function describeQuery(allow: Allow): string {
  return requestedBy(allow).map(describe).join(' or ')
}
