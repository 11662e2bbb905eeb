import type { TenantScope } from '#server/database/tenant-transaction.ts'
import type { Actor, Participant } from './actor.ts'

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
    origin: actor.origin,
    ...work,
  }
}

/** The tenant scope of a participant: one organization, and in the audit log a name without a user. */
export function participantScope(
  participant: Participant,
  work: { endpoint: string; isReadOnly: boolean },
): TenantScope {
  return {
    customerId: participant.customerId,
    organizationId: participant.organizationId,
    reach: 'organization',
    timeZone: participant.timeZone,
    actorUserId: null,
    actorName: participant.fullName,
    effectiveUserId: null,
    effectiveName: null,
    origin: participant.origin,
    ...work,
  }
}
