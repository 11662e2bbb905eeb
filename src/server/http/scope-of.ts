import type { TenantScope } from '#server/database/tenant-transaction.ts'
import type { Actor } from './actor.ts'

/** The tenant scope of a transaction for an actor. Set `jobId` only for the work of a running job. */
export function scopeOf(
  actor: Actor,
  work: { endpoint: string; isReadOnly: boolean; jobId?: string },
): TenantScope {
  return {
    customerId: actor.customerId,
    organizationId: actor.organizationId,
    reach: actor.reach,
    timeZone: actor.timeZone,
    actorUserId: actor.userId,
    actorName: actor.fullName,
    effectiveUserId: actor.effectiveUserId,
    effectiveName: actor.effectiveUserId === actor.userId ? null : actor.effectiveFullName,
    ...work,
  }
}
