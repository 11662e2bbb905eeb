import { createChallenge, type Payload, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { Secrets } from '#server/secrets.ts'

const PURPOSE = 'proof of work of public forms'
/** About 256 attempts of 5,000 rounds: a third of a second on a desktop computer, two on a phone. Checking takes one attempt. */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00' }
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
      data: z.object({ page: z.string() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

/** What the browser of a page has to solve, as JSON. It is bound to the page's key, so that a proof is for one submission. */
export async function writeChallenge(secrets: Secrets, sentKey: string): Promise<string> {
  const challenge = await createChallenge({
    ...WORK,
    deriveKey,
    data: { page: sentKey },
    hmacSignatureSecret: secrets.deriveKey(PURPOSE).toString('hex'),
  })
  return JSON.stringify(challenge)
}

/** Whether a page's browser solved our challenge for this page. */
export async function isProven(secrets: Secrets, sentKey: string, text: string): Promise<boolean> {
  const proof = readProof(text)
  if (proof === null || proof.challenge.parameters.data?.['page'] !== sentKey) return false
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

function readProof(text: string): Payload | null {
  if (text === '' || text.length > MAX_PROOF) return null
  try {
    return Proof.parse(JSON.parse(text))
  } catch {
    return null
  }
}
