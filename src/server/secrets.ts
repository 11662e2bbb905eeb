import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * The installation's secret, from FORECOURT_SECRET or the secret file. Several keys may be given, newest first, each
 * with its number: `2:newer,1:older`. The newest seals and signs; all open, so that keys can be rotated.
 */
export type Secrets = {
  /** The number of the key that seals: what it sealed begins with this and a dot. */
  newestId: string
  /** A key of its own for each purpose, 32 bytes, from the newest secret. */
  deriveKey: (purpose: string) => Buffer
  /** The same from every secret, newest first: for checking what an older one signed. */
  deriveKeys: (purpose: string) => Buffer[]
  /** Encrypts with AES-256-GCM. `context` (table.column/row) must be the same when opening. */
  seal: (text: string, context: string) => string
  /** @throws Error when the key is not known, or text or context were changed. */
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

/** The keys of a secret's text, newest first. One without a number has number 1. */
export function listKeys(text: string): { id: string; secret: string }[] {
  const parts = text.split(',')
  if (!parts.every((part) => /^\d+:.{16,}$/.test(part))) return [{ id: '1', secret: text }]
  return parts.map((part) => ({
    id: part.slice(0, part.indexOf(':')),
    secret: part.slice(part.indexOf(':') + 1),
  }))
}
