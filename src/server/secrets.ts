import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * The installation's secret, from FORECOURT_SECRET or the secret file. It can have several keys, newest first, each with
 * its number: `2:newer,1:older`. The newest key encrypts and signs; all keys decrypt, so that keys can be rotated.
 */
export type Secrets = {
  /** The number of the newest key. Values it sealed begin with this number and a dot. */
  newestId: string
  /** A 32-byte key for a purpose, derived from the newest secret. */
  deriveKey: (purpose: string) => Buffer
  /** The same key from every secret, newest first, to verify what an older one signed. */
  deriveKeys: (purpose: string) => Buffer[]
  /** Encrypts with AES-256-GCM. `context` (table.column/row) must be the same when opening. */
  seal: (text: string, context: string) => string
  /** @throws Error if the key is unknown, or the text or context was changed. */
  open: (sealed: string, context: string) => string
}

export function readSecrets(text: string): Secrets {
  const keys = listKeys(text)
  const [newest] = keys
  if (newest === undefined) throw new Error('FORECOURT_SECRET is empty.')
  const derive = (secret: string, purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'forecourt', purpose, 32))

  return {
    newestId: newest.id,
    deriveKey: (purpose) => derive(newest.secret, purpose),
    deriveKeys: (purpose) => keys.map(({ secret }) => derive(secret, purpose)),
    seal(plain, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', derive(newest.secret, 'seal'), nonce).setAAD(
        Buffer.from(context),
      )
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return [
        newest.id,
        nonce.toString('base64url'),
        Buffer.concat([body, cipher.getAuthTag()]).toString('base64url'),
      ].join('.')
    },
    open(sealed, context) {
      const [id, nonce, body] = sealed.split('.')
      const key = keys.find((candidate) => candidate.id === id)
      if (key === undefined || nonce === undefined || body === undefined) {
        throw new Error(`No key of FORECOURT_SECRET opens a value sealed with key ${id}.`)
      }
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        derive(key.secret, 'seal'),
        Buffer.from(nonce, 'base64url'),
      )
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-16))
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** The keys in a secret's text, newest first. A key without a number gets number 1. */
export function listKeys(text: string): { id: string; secret: string }[] {
  const parts = text.split(',')
  if (!parts.every((part) => /^\d+:.{16,}$/.test(part))) return [{ id: '1', secret: text }]
  return parts.map((part) => ({
    id: part.slice(0, part.indexOf(':')),
    secret: part.slice(part.indexOf(':') + 1),
  }))
}
