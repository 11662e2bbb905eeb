import { expect, test } from 'vitest'
import { readSecrets } from './secrets.ts'

const OLD = '1:the-first-secret-of-all'
const NEW = '2:a-newer-secret-for-all'
const CONTEXT = 'table.column/1'

test('opens what it sealed', () => {
  const secrets = readSecrets('a-secret-without-number')
  expect(secrets.open(secrets.seal('pässword', CONTEXT), CONTEXT)).toBe('pässword')
})

test('seals the same text differently each time', () => {
  const secrets = readSecrets(OLD)
  expect(secrets.seal('x', CONTEXT)).not.toBe(secrets.seal('x', CONTEXT))
})

test('after a rotation, seals with the newest key and still opens values of the older one', () => {
  const sealedBefore = readSecrets(OLD).seal('kept', CONTEXT)
  const rotated = readSecrets(`${NEW},${OLD}`)
  expect([rotated.open(sealedBefore, CONTEXT), rotated.seal('x', CONTEXT).split('.')[0]]).toEqual([
    'kept',
    '2',
  ])
})

test('a secret without a number counts as number 1, so existing values still open', () => {
  const sealed = readSecrets('the-first-secret-of-all').seal('kept', CONTEXT)
  expect(readSecrets(`${NEW},${OLD}`).open(sealed, CONTEXT)).toBe('kept')
})

test('names a key that was removed', () => {
  const sealed = readSecrets(OLD).seal('lost', CONTEXT)
  expect(() => readSecrets(NEW).open(sealed, CONTEXT)).toThrow(
    'No key of FORECOURT_SECRET opens a value sealed with key 1.',
  )
})

const { seal, open } = readSecrets(OLD)
const parts = seal('text', CONTEXT).split('.')
const flip = (text = '') => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`)

test.for([
  ['text changed', [parts[0], parts[1], flip(parts[2])].join('.')],
  ['nonce changed', [parts[0], flip(parts[1]), parts[2]].join('.')],
  ['text cut', [parts[0], parts[1], parts[2]?.slice(0, 8)].join('.')],
  ['key number missing', parts.slice(1).join('.')],
  ['nothing', ''],
] as const)('does not open a sealed value: %s', ([, sealed]) => {
  expect(() => open(sealed, CONTEXT)).toThrow(Error)
})

test('does not open a sealed value in the place of another', () => {
  expect(() => open(seal('x', CONTEXT), 'table.column/2')).toThrow(Error)
})

test('derives a stable key for each purpose from the newest secret', () => {
  const key = (text: string, purpose: string) => readSecrets(text).deriveKey(purpose).toString('hex')
  expect(key(OLD, 'token')).toBe(key(OLD, 'token'))
  expect(new Set([key(OLD, 'token'), key(OLD, 'xsrf'), key(`${NEW},${OLD}`, 'token')]).size).toBe(3)
})
