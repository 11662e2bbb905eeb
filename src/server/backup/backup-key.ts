import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

/** scrypt with 64 MiB, so that guessing a passphrase is slow. */
const COST = { N: 65_536, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }
const CONTEXT = Buffer.from('forecourt-backup/secret')

/** Encrypts the installation's secret with a passphrase. */
export function sealSecret(secret: string, backupKey: string): string {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', scryptSync(backupKey, salt, 32, COST), nonce).setAAD(CONTEXT)
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [salt, nonce, body].map((part) => part.toString('base64url')).join('.')
}

/** Decrypts the secret. Null if the passphrase is wrong. */
export function openSecret(sealed: string, backupKey: string): string | null {
  const [salt, nonce, body] = sealed.split('.').map((part) => Buffer.from(part, 'base64url'))
  if (salt === undefined || nonce === undefined || body === undefined) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', scryptSync(backupKey, salt, 32, COST), nonce)
      .setAAD(CONTEXT)
      .setAuthTag(body.subarray(-16))
    return decipher.update(body.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
