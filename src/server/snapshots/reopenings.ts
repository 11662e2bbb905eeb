import { sql } from 'kysely'
import type { AnyReopening } from '#contract/reopenings.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'

/** A request as it is stored: with who asked, and while impersonating, as whom. */
export type StoredReopening = Omit<AnyReopening, 'isMine' | 'refusal'> & {
  requesterId: string | null
  effectiveRequesterId: string | null
}

/** Who prepared what was approved, and in which words: "prepared these figures". */
export type Preparation = Readonly<{ people: readonly (string | null)[]; did: string }>
type Person = Pick<Member, 'userId' | 'effectiveUserId'>

/** The columns of a request `o`. */
export const REOPENING_COLUMNS = sql`o.id::text, o.reason, o.requester_id::text, o.effective_requester_id::text, o.requested_by,
  ${instant(sql`o.requested_at`)} as requested_at, o.decision, o.decision_reason, o.decided_by,
  ${instant(sql`o.decided_at`)} as decided_at`

type Decider = Pick<Member, 'userId' | 'effectiveUserId' | 'fullName'>
type Deciding = {
  reopening: StoredReopening
  preparation: Preparation
  decision: NonNullable<AnyReopening['decision']>
}

/**
 * What two people approved takes two people to open: the one who confirms is not the one who asked, also while impersonating, and one
 * of the two didn't prepare it, so that they could have approved it.
 * @throws Failure 403 with the reason if the caller may not decide this, 409 if it was decided
 */
export function requireDecider(actor: Decider, { reopening, ...deciding }: Deciding): void {
  if (reopening.decision !== null) throw conflict(`This request was already ${reopening.decision}.`)
  const refusal = decisionRefusal(reopening, actor, deciding)
  if (refusal !== null) throw forbidden(refusal)
}

/** Decides a request that is locked. @throws as `requireDecider` */
export async function decideReopening(
  db: Database,
  actor: Decider,
  { table, reason, ...deciding }: Deciding & { table: string; reason: string | null },
): Promise<void> {
  requireDecider(actor, deciding)
  const { reopening, decision } = deciding
  await sql`
    update ${sql.table(table)} set decision = ${decision}, decision_reason = ${reason}, decider_id = ${actor.userId},
      effective_decider_id = ${actor.effectiveUserId}, decided_by = ${actor.fullName},
      decided_at = ${clock.date().toISOString()}
    where id = ${reopening.id}`.execute(db)
}

/** What the caller may do about a request. */
export function callerOf(
  reopening: StoredReopening,
  actor: Person,
  preparation: Preparation,
): Pick<AnyReopening, 'isMine' | 'refusal'> {
  return {
    isMine: isBy(reopening, actor),
    refusal: decisionRefusal(reopening, actor, { decision: 'confirmed', preparation }),
  }
}

function decisionRefusal(
  reopening: StoredReopening,
  actor: Person,
  { decision, preparation }: { decision: NonNullable<AnyReopening['decision']>; preparation: Preparation },
): string | null {
  const isOwn = isBy(reopening, actor)
  if (decision === 'withdrawn')
    return isOwn ? null : 'Only the person who asked can withdraw it. Decline it instead.'
  if (decision === 'declined') return isOwn ? 'You asked for it. Withdraw your request instead.' : null
  if (isOwn) return 'You asked for it, so a second person must confirm it.'
  const { requesterId, effectiveRequesterId } = reopening
  const requester = { userId: requesterId ?? '', effectiveUserId: effectiveRequesterId ?? '' }
  const { people, did } = preparation
  return isOneOfThem(people, requester) && isOneOfThem(people, actor)
    ? `You and the person who asked both ${did}, so someone else must confirm it.`
    : null
}

const isOneOfThem = (people: Preparation['people'], { userId, effectiveUserId }: Person): boolean =>
  people.some((one) => one !== null && (one === userId || one === effectiveUserId))

const isBy = ({ requesterId, effectiveRequesterId }: StoredReopening, person: Person): boolean =>
  isOneOfThem([requesterId, effectiveRequesterId], person)
