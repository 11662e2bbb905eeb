import { createHash } from 'node:crypto'
import { createChallenge, type Payload, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from 'kysely'
import { z } from 'zod'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Secrets } from '#server/secrets.ts'

const PURPOSE = 'proof of work of public forms'
/** About 256 attempts of 5,000 rounds: a third of a second on a desktop computer, two on a phone. Checking takes one attempt. */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00' }
/** A page that is open for longer asks for a new challenge before it sends its form. */
export const PROOF_MS = 4 * 3_600_000
/** A challenge with its solution has about 600 characters. */
const MAX_PROOF = 2_000

const Proof = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal(WORK.algorithm),
      cost: z.literal(WORK.cost),
      keyPrefix: z.literal(WORK.keyPrefix),
      keyLength: z.literal(32),
      nonce: z.string(),
      salt: z.string(),
      data: z.object({ page: z.string(), until: z.number() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

/** What the browser of a page has to solve, as JSON: for one form of this page, and for some hours. */
export async function writeChallenge(secrets: Secrets, sentKey: string): Promise<string> {
  const challenge = await createChallenge({
    ...WORK,
    deriveKey,
    data: { page: sentKey, until: clock.now() + PROOF_MS },
    hmacSignatureSecret: secrets.deriveKey(PURPOSE).toString('hex'),
  })
  return JSON.stringify(challenge)
}

/** Whether a page's browser solved our challenge for this page, and in time. It may have been spent. */
export async function isProven(secrets: Secrets, sentKey: string, text: string): Promise<boolean> {
  const proof = readProof(text)
  const { page, until } = proof?.challenge.parameters.data ?? {}
  if (proof === null || page !== sentKey || Number(until) < clock.now()) return false
  for (const key of secrets.deriveKeys(PURPOSE)) {
    const { verified } = await verifySolution({
      ...proof,
      deriveKey,
      hmacSignatureSecret: key.toString('hex'),
    })
    if (verified) return true
  }
  return false
}

/**
 * Spends a solved proof for what was sent. The same content sent again, as after a lost response, is no second use.
 * @returns false if it was spent for something else
 */
export async function spendProof(db: Database, text: string, content: unknown): Promise<boolean> {
  const nonce = nonceOf(text)
  if (nonce === null) return false
  const usedFor = createHash('sha256').update(JSON.stringify(content)).digest('base64url')
  // Waits for a transaction that spends it at this moment.
  await sql`insert into spent_proofs (nonce, used_for) values (${nonce}, ${usedFor}) on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ usedFor: string }>`
    select used_for from spent_proofs where nonce = ${nonce}`.execute(db)
  return rows[0]?.usedFor === usedFor
}

/** Whether a proof was spent, for whatever. */
export async function isSpent(db: Database, text: string): Promise<boolean> {
  const { rows } = await sql`select from spent_proofs where nonce = ${nonceOf(text)}`.execute(db)
  return rows.length > 0
}

/** What tells apart the proofs of a page; null for a text that is no proof. */
export const nonceOf = (text: string): string | null => readProof(text)?.challenge.parameters.nonce ?? null

function readProof(text: string): Payload | null {
  if (text === '' || text.length > MAX_PROOF) return null
  try {
    return Proof.parse(JSON.parse(text))
  } catch {
    return null
  }
}
