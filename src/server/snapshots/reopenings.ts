import { type RawBuilder, sql } from 'kysely'
import type { AnyReopening } from '#contract/reopenings.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'

/** A request as it is stored: with who asked, and while impersonating, as whom. */
export type StoredReopening = Omit<AnyReopening, 'isMine' | 'refusal'> & {
  /** What is to be opened. */
  subjectId: string
  requesterId: string | null
  effectiveRequesterId: string | null
}

/** Who prepared what was approved, and in which words: "prepared these figures". */
export type Preparation = Readonly<{ people: readonly (string | null)[]; did: string }>
type Person = Pick<Member, 'userId' | 'effectiveUserId'>

/** The columns of a request `o`. */
const COLUMNS = sql`o.id::text, o.reason, o.requester_id::text, o.effective_requester_id::text, o.requested_by,
  ${instant(sql`o.requested_at`)} as requested_at, o.decision, o.decision_reason, o.decided_by,
  ${instant(sql`o.decided_at`)} as decided_at`

type Decider = Pick<Member, 'userId' | 'effectiveUserId' | 'fullName'>
export type ReopeningDecision = {
  id: string
  decision: NonNullable<AnyReopening['decision']>
  reason: string | null
}

/** A kind of what two people approve. `column`: of the table, with the ID of what is to be opened. `more`: other columns. */
type Kind<Stored extends StoredReopening, Subject> = Readonly<{
  table: string
  column: string
  more?: RawBuilder<unknown>
  /** Locks what is to be opened. @throws Failure 404 */
  lock: (db: Database, id: string) => Promise<Subject>
  readPreparation: (db: Database, id: string) => Promise<Preparation>
  /** Before it is confirmed. @throws Failure 409 if it can't be opened as it was asked for any longer */
  check?: (subject: Subject, reopening: Stored) => void
}>

/**
 * The requests of a kind, and deciding them. What two people approved takes two people to open: the one who confirms is not the
 * one who asks, also while impersonating, and one of the two didn't prepare it, so that they could have approved it.
 */
export function reopeningsOf<Stored extends StoredReopening, Subject>({
  table,
  column,
  more = sql``,
  lock,
  readPreparation,
  check = () => {},
}: Kind<Stored, Subject>) {
  async function read(db: Database, condition: RawBuilder<unknown>): Promise<Stored[]> {
    const { rows } = await sql<Stored>`
      select ${COLUMNS}, ${sql.ref(`o.${column}`)}::text as subject_id ${more}
      from ${sql.table(table)} o where ${condition} order by o.id desc`.execute(db)
    return rows
  }
  async function find(db: Database, id: string): Promise<Stored> {
    const [found] = await read(db, sql`o.id = ${id}`)
    if (found === undefined) throw notFound('Request')
    return found
  }
  /**
   * A request that the caller may decide, with its subject locked.
   * @throws Failure 404, 403 if the caller may not decide this, 409 if it was decided, or as `check`
   */
  async function lockDecidable(
    db: Database,
    actor: Decider,
    { id, decision }: Pick<ReopeningDecision, 'id' | 'decision'>,
  ): Promise<{ reopening: Stored; subject: Subject }> {
    const subject = await lock(db, (await find(db, id)).subjectId)
    // Again, now that no one else can decide.
    const reopening = await find(db, id)
    if (reopening.decision !== null) throw conflict(`This request was already ${reopening.decision}.`)
    const preparation = await readPreparation(db, reopening.subjectId)
    const refusal = decisionRefusal(reopening, actor, { decision, preparation })
    if (refusal !== null) throw forbidden(refusal)
    // Ending a request is always possible: otherwise nobody could ask again.
    if (decision === 'confirmed') check(subject, reopening)
    return { reopening, subject }
  }
  return {
    lockDecidable,
    /** Decides a request. @throws as `lockDecidable` */
    async decide(db: Database, actor: Decider, { reason, ...what }: ReopeningDecision) {
      const found = await lockDecidable(db, actor, what)
      await sql`
        update ${sql.table(table)} set decision = ${what.decision}, decision_reason = ${reason}, decider_id = ${actor.userId},
          effective_decider_id = ${actor.effectiveUserId}, decided_by = ${actor.fullName},
          decided_at = ${clock.date().toISOString()}
        where id = ${what.id}`.execute(db)
      return found
    },
    /** The requests of one subject, newest first, as the caller sees them. */
    async list(db: Database, actor: Person, subjectId: string) {
      const found = await read(db, sql`${sql.ref(`o.${column}`)} = ${subjectId}`)
      const preparation = await readPreparation(db, subjectId)
      return found.map((one) => shown(one, actor, preparation))
    },
    /** One request as the caller sees it. @throws Failure 404 */
    async readShown(db: Database, actor: Person, id: string) {
      const found = await find(db, id)
      return shown(found, actor, await readPreparation(db, found.subjectId))
    },
    /** Whether someone asked and no one has decided yet. */
    async isAskedFor(db: Database, subjectId: string): Promise<boolean> {
      const { rows } = await sql`
        select from ${sql.table(table)} o
        where ${sql.ref(`o.${column}`)} = ${subjectId} and o.decision is null`.execute(db)
      return rows.length > 0
    },
  }
}

type Decided = Readonly<{
  actor: Member
  reopening: StoredReopening
  decision: string
  reason: string
  /** What is to be opened, its organization, and the path of its page. */
  subject: Readonly<{ name: string; organization: string; path: string }>
  /** "unlock" or "reopen". */
  what: string
}>

/** The email about a decision and the person who asked, who gets it. */
export function decisionMail({ actor, reopening, decision, reason, subject, what }: Decided) {
  const { path, ...named } = subject
  return {
    people: {
      customerId: actor.customerId,
      userIds: [reopening.requesterId, reopening.effectiveRequesterId],
    },
    email: {
      key: 'reopening-decision' as const,
      variables: { byName: actor.fullName, ...named, what, decision, message: reason },
      path,
    },
  }
}

/** With what the caller may do about it. */
function shown<Stored extends StoredReopening>(stored: Stored, actor: Person, preparation: Preparation) {
  const {
    subjectId: _subjectId,
    requesterId: _requesterId,
    effectiveRequesterId: _effective,
    ...one
  } = stored
  const refusal = decisionRefusal(stored, actor, { decision: 'confirmed', preparation })
  return { ...one, isMine: isBy(stored, actor), refusal }
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
