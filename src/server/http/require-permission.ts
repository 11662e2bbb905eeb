import { type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import { type Failure, forbidden } from './failure.ts'

type Asker = { organizationId: string | null; may: (permission: Permission) => boolean }

/**
 * The refusal of a call that requires one of these permissions. Without an organization no one has permissions, not even a
 * super user, so it says to choose one.
 */
export function missing({ organizationId }: Pick<Asker, 'organizationId'>, ...wanted: Permission[]): Failure {
  if (organizationId === null) return forbidden('Choose an organization first.')
  return forbidden(`You don't have permission to do this. It requires ${wanted.map(describe).join(' or ')}.`)
}

/** @throws Failure 403 without the permission. */
export function requirePermission(actor: Asker, permission: Permission): void {
  if (!actor.may(permission)) throw missing(actor, permission)
}
