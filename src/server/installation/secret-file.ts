import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#server/error-code.ts'
import { createExclusively, createHome } from './exclusive-file.ts'

/**
 * One line of at least 16 characters, as in FORECOURT_SECRET. Generated secrets are 32 random bytes in base64url, with a
 * number after a rotation; an operator's own secret can be any text.
 */
const SECRET = /^[^\r\n\0]{16,}$/

/**
 * Reads a secret in `home`, or creates it the first time: 32 random bytes as base64url in a file of mode 0600. Two processes
 * that start together get the same secret. A damaged file is an error and is never replaced, because values encrypted with
 * it could not be decrypted again.
 */
export async function readOrCreateSecret(home: string, fileName: string): Promise<string> {
  const path = join(home, fileName)
  const existing = await readSecret(path)
  if (existing !== null) return existing
  await createHome(home)
  const made = randomBytes(32).toString('base64url')
  if (await createExclusively(path, `${made}\n`)) return made
  const theirs = await readSecret(path)
  if (theirs === null) throw new Error(`The secret file ${path} disappeared while it was being created.`)
  return theirs
}

/** A secret in `home`, or null if there is none yet. @throws Error if the file is damaged. */
export function readSecretFile(home: string, fileName: string): Promise<string | null> {
  return readSecret(join(home, fileName))
}

async function readSecret(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  // Only strip the line break: a secret may begin and end with any other character.
  const secret = text.replace(/[\r\n]+$/, '')
  if (SECRET.test(secret)) return secret
  throw new Error(`The secret file ${path} is damaged. Restore it from a backup.`)
}
