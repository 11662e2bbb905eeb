import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { CALL_KEY_HEADER } from '#contract/repeatable-calls.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Actor, Participant } from './actor.ts'
import { conflict } from './failure.ts'
import { JsonText } from './json-text.ts'

/** In characters. A longer answer isn't kept. */
const LONGEST_ANSWER = 200_000
const KEY = /^[\w-]{16,64}$/

/** A call that its caller may send again. Its answer is kept under `id`, and only who has the caller's key can read it. */
export type RepeatableCall = Readonly<{
  id: string
  seal: (answer: string) => string
  /** Null if the caller's rights were changed. */
  open: (sealed: string) => string | null
}>

/**
 * The call of a request with the header `Idempotency-Key`; null without one. Another caller, endpoint or input is another call
 * under the same key.
 */
export function repeatableCall(
  headers: Readonly<Record<string, unknown>>,
  { actor, endpoint, input }: { actor: Actor | Participant; endpoint: string; input: unknown },
): RepeatableCall | null {
  const key = headers[CALL_KEY_HEADER]
  if (typeof key !== 'string' || !KEY.test(key)) return null
  const isUser = 'userId' in actor
  const caller = isUser ? [actor.userId, actor.effectiveUserId] : ['participant', actor.participantId]
  // With other rights, the first answer may show what the caller may not see anymore: it can't be opened then.
  const rights = isUser ? JSON.stringify([actor.reach, actor.permissions]) : ''
  const called = JSON.stringify([key, ...caller, actor.organizationId, endpoint, input])
  const secret = Buffer.from(
    hkdfSync('sha256', key, 'forecourt', createHash('sha256').update(rights).digest(), 32),
  )
  return {
    id: createHash('sha256').update(called).digest('hex'),
    seal(answer) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce)
      const body = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      const cipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12))
      cipher.setAuthTag(bytes.subarray(12, 28))
      try {
        return cipher.update(bytes.subarray(28), undefined, 'utf8') + cipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}

/**
 * Does what a call asks for once: if it was done before, the answer is the same one again. In the transaction of the call, so
 * that both are stored or neither is; a repetition waits for a call that still runs.
 * @throws Failure 409 if the answer isn't kept: it was too large, the caller's rights were changed, or a person was erased
 */
export async function once<T>(
  db: Database,
  call: RepeatableCall | null,
  work: () => Promise<T | JsonText<T>>,
): Promise<T | JsonText<T>> {
  if (call === null) return work()
  const begun =
    await sql`insert into repeated_calls (id) values (${call.id}) on conflict do nothing returning id`.execute(
      db,
    )
  if (begun.rows.length === 0) return earlierAnswer<T>(db, call)
  const result = await work()
  const answer = sealAnswer(call, result)
  if (answer !== null)
    await sql`update repeated_calls set answer = ${answer} where id = ${call.id}`.execute(db)
  return result
}

/**
 * The same for a call whose handler opens its own transactions: its answer is kept after it is done. If the server stops in
 * between, a repetition does it again, unless the handler writes in `inTenantOnce`.
 */
export async function onceOutside(
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  call: RepeatableCall | null,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (call === null) return work()
  const known = await inTenant((db) => findAnswer(db, call))
  if (known !== undefined) return opened(known, call)
  const result = await work()
  await inTenant((db) =>
    sql`insert into repeated_calls (id, answer) values (${call.id}, ${sealAnswer(call, result)})
      on conflict do nothing`.execute(db),
  )
  return result
}

/** The sealed answer of a call; null if it wasn't kept, undefined if the call isn't known. */
async function findAnswer(db: Database, { id }: RepeatableCall): Promise<string | null | undefined> {
  const { rows } = await sql<{ answer: string | null }>`
    select answer from repeated_calls where id = ${id}`.execute(db)
  return rows[0]?.answer
}

const earlierAnswer = async <T>(db: Database, call: RepeatableCall): Promise<JsonText<T>> =>
  opened<T>((await findAnswer(db, call)) ?? null, call)

/** @throws Failure 409 if it isn't kept */
function opened<T>(sealed: string | null, call: RepeatableCall): JsonText<T> {
  const answer = sealed === null ? null : call.open(sealed)
  if (answer === null) throw conflict('This was already done. Reload the page to see it.')
  return new JsonText<T>(answer)
}

function sealAnswer(call: RepeatableCall, result: unknown): string | null {
  const answer = result instanceof JsonText ? result.text : JSON.stringify(result ?? null)
  return answer.length > LONGEST_ANSWER ? null : call.seal(answer)
}

/** Deletes answers that are older than an hour, of all customers. */
export async function sweepRepeatedCalls(queue: Kysely<DB>): Promise<void> {
  await sql`delete from repeated_calls where at < app_now() - interval '1 hour'`.execute(queue)
}
