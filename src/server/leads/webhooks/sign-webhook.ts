import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A new secret as Standard Webhooks write it: 24 random bytes in Base64. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(24).toString('base64')}`

/**
 * The headers that sign a call (Standard Webhooks 1.0.0): HMAC-SHA256 of `id.timestamp.body`. `id` is the same in every
 * attempt, so that the receiver recognizes a call it already has; `seconds` is the time of this attempt. With several secrets,
 * one signature of each: a receiver that knows any of them accepts the call.
 */
export function signWebhook(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}
