import { expect, test } from 'vitest'
import { newWebhookSecret, signWebhook } from './sign-webhook.ts'

test('signs like the example of Standard Webhooks', () => {
  const headers = signWebhook(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    seconds: 1_614_265_330,
    body: '{"test": 2432232314}',
  })
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('signs with the former secret too, so that a receiver that knows either accepts the call', () => {
  const call = { id: 'msg_1', seconds: 1_614_265_330, body: '{}' }
  const [present, former] = [newWebhookSecret(), newWebhookSecret()]
  const signatureOf = (...secrets: string[]) => signWebhook(secrets, call)['webhook-signature']
  expect(signatureOf(present, former)).toBe(`${signatureOf(present)} ${signatureOf(former)}`)
})

test('a new secret has 24 bytes', () => {
  expect(Buffer.from(newWebhookSecret().slice('whsec_'.length), 'base64')).toHaveLength(24)
})
