import { expect, test } from 'vitest'
import { postWebhook } from './post-webhook.ts'

test.for([
  '127.0.0.1',
  '10.0.0.8',
  '169.254.169.254',
  '[::1]',
  '[::ffff:192.168.1.1]',
  '0.0.0.0',
  'localhost',
])('a webhook to %s is refused, because it is not on the public internet', async (host) => {
  const call = { body: '{}', headers: {}, allowsPrivate: false }
  const outcome = await postWebhook(`https://${host}:65000/hook`, call)
  expect(outcome).toMatchObject({ kind: 'failed', status: null })
  expect(outcome.response).toMatch(/public/)
})
