import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Actor, Origin, Participant } from '#server/http/actor.ts'
import { isDiskFull } from '#server/error-code.ts'
import { Failure, storageFull } from '#server/http/failure.ts'
import { countEntries } from './counted-entries.ts'

/** A refused call, as the audit log gets it. */
type Refusal = {
  customerId: string
  organizationId: string | null
  /** Who was refused, so that repetitions are counted; empty for strangers. */
  rowId: string
  actor: { userId: string; name: string } | { name: string } | null
  effective: { userId: string; name: string } | null
  endpoint: string
  event: string
  /** What the caller was told. */
  message: string
  origin: Origin | undefined
}

/** Notes refused calls and limits. */
export type Refusals = {
  /** Of an authenticated caller: only missing permissions (403), limits (429) and full file storage (507). Others are mistakes that forms explain. */
  ofCaller: (actor: Actor | Participant, call: { endpoint: string; error: unknown }) => Promise<void>
  /** Of someone who named an account without proving it. */
  ofAccount: (
    of: { customerId: string; userId: string },
    call: { endpoint: string; message: string; origin: Origin },
  ) => Promise<void>
  /** Writes what was counted. */
  flush: () => Promise<void>
}

const EVENTS: Readonly<Record<number, string>> = {
  403: 'was refused',
  429: 'reached a limit',
  507: 'could not save, because file storage is full',
}

/** The log has one entry for each person, address, call and minute, with a count. */
export function makeRefusals(iam: Kysely<DB>, onError: (error: unknown) => void): Refusals {
  async function write(last: Refusal, times: number): Promise<void> {
    const { actor, effective, origin } = last
    const entry = {
      customer_id: last.customerId,
      organization_id: last.organizationId,
      row_id: last.rowId,
      actor_user_id: actor !== null && 'userId' in actor ? actor.userId : null,
      actor_name: actor?.name ?? null,
      effective_user_id: effective?.userId ?? null,
      effective_name: effective?.name ?? null,
      endpoint: last.endpoint,
      address: origin?.address ?? null,
      device: origin?.device ?? null,
      after: { event: last.event, message: last.message, times },
    }
    await sql`select note_refusal(${JSON.stringify(entry)}::jsonb)`.execute(iam)
  }

  const counted = countEntries(write, onError)
  const note = (last: Refusal): Promise<void> =>
    counted.note(`${last.customerId} ${last.rowId} ${last.origin?.address ?? ''} ${last.endpoint}`, last)

  return {
    async ofCaller(actor, { endpoint, error }) {
      const failure = isDiskFull(error) ? storageFull() : error
      const event = failure instanceof Failure ? EVENTS[failure.status] : undefined
      // Without an organization, everything is refused until one is chosen.
      if (!(failure instanceof Failure) || event === undefined || actor.organizationId === null) return
      const who = 'userId' in actor ? ofUser(actor) : ofParticipant(actor)
      await note({ ...who, endpoint, event, message: failure.message })
    },
    ofAccount: (of, { endpoint, message, origin }) =>
      note({
        customerId: of.customerId,
        organizationId: null,
        rowId: of.userId,
        actor: null,
        effective: null,
        endpoint,
        event: 'sign-in was blocked',
        message,
        origin,
      }),
    flush: counted.flush,
  }
}

type Who = Pick<Refusal, 'customerId' | 'organizationId' | 'rowId' | 'actor' | 'effective' | 'origin'>

const ofUser = (actor: Actor): Who => ({
  customerId: actor.customerId,
  organizationId: actor.organizationId,
  rowId: actor.userId,
  actor: { userId: actor.userId, name: actor.fullName },
  effective:
    actor.effectiveUserId === actor.userId
      ? null
      : { userId: actor.effectiveUserId, name: actor.effectiveFullName },
  origin: actor.origin,
})

const ofParticipant = ({ customerId, organizationId, participantId, fullName }: Participant): Who => ({
  customerId,
  organizationId,
  rowId: `participant ${participantId}`,
  actor: { name: fullName },
  effective: null,
  origin: undefined,
})
