import type { TenantScope } from '#server/database/tenant-transaction.ts'
import type { Actor } from './actor.ts'

/** Where somebody works and as whom, for a transaction. `jobId` only for work that a running job does. */
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
