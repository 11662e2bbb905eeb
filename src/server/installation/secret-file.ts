import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#server/error-code.ts'
import { createExclusively, createHome } from './exclusive-file.ts'

/**
 * One line of 16 characters or more, as in FORECOURT_SECRET: what was made here has 32 random bytes in base64url, after a
 * rotation with a number; an operator's own may look like anything. Whether it is the right one shows when it opens what
 * it sealed.
 */
const SECRET = /^[^\r\n\0]{16,}$/

/**
 * Reads the secret kept in `home`, making it at the first time: 32 random bytes as base64url in a file of mode
 * 0600. Two processes that start together get the same. A damaged file is refused, never replaced: what was
 * sealed with it could not be opened again.
 */
export async function readOrCreateSecret(home: string, fileName: string): Promise<string> {
  const path = join(home, fileName)
  const existing = await readSecret(path)
  if (existing !== null) return existing
  await createHome(home)
  const made = randomBytes(32).toString('base64url')
  if (await createExclusively(path, `${made}\n`)) return made
  const theirs = await readSecret(path)
  if (theirs === null) throw new Error(`The secret file ${path} disappeared while it was being made.`)
  return theirs
}

/** The secret kept in `home`, or null where none was made yet. @throws Error when the file is damaged. */
export function readSecretFile(home: string, fileName: string): Promise<string | null> {
  return readSecret(join(home, fileName))
}

async function readSecret(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  // Only the end of its line is no part of it: FORECOURT_SECRET may begin and end with anything.
  const secret = text.replace(/[\r\n]+$/, '')
  if (SECRET.test(secret)) return secret
  throw new Error(`The secret file ${path} is damaged. Put it back from a backup.`)
}
