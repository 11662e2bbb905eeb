import { expect, test } from 'vitest'
import { readSecrets } from './secrets.ts'

const OLD = '1:the-first-secret-of-all'
const NEW = '2:a-newer-secret-for-all'
const CONTEXT = 'table.column/1'

test('what is sealed opens again', () => {
  const secrets = readSecrets('a-secret-without-number')
  expect(secrets.open(secrets.seal('pässword', CONTEXT), CONTEXT)).toBe('pässword')
})

test('the same text is sealed differently each time', () => {
  const secrets = readSecrets(OLD)
  expect(secrets.seal('x', CONTEXT)).not.toBe(secrets.seal('x', CONTEXT))
})

test('after a rotation the newest key seals and the older still opens', () => {
  const sealedBefore = readSecrets(OLD).seal('kept', CONTEXT)
  const rotated = readSecrets(`${NEW},${OLD}`)
  expect([rotated.open(sealedBefore, CONTEXT), rotated.seal('x', CONTEXT).split('.')[0]]).toEqual([
    'kept',
    '2',
  ])
})

test('a secret without number counts as the first, so that numbering starts without a loss', () => {
  const sealed = readSecrets('the-first-secret-of-all').seal('kept', CONTEXT)
  expect(readSecrets(`${NEW},${OLD}`).open(sealed, CONTEXT)).toBe('kept')
})

test('a key that was dropped is named', () => {
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
] as const)('a sealed value with its %s does not open', ([, sealed]) => {
  expect(() => open(sealed, CONTEXT)).toThrow(Error)
})

test('a sealed value does not open in the place of another', () => {
  expect(() => open(seal('x', CONTEXT), 'table.column/2')).toThrow(Error)
})

test('each purpose has a key of its own, always the same, of the newest secret', () => {
  const key = (text: string, purpose: string) => readSecrets(text).deriveKey(purpose).toString('hex')
  expect(key(OLD, 'token')).toBe(key(OLD, 'token'))
  expect(new Set([key(OLD, 'token'), key(OLD, 'xsrf'), key(`${NEW},${OLD}`, 'token')]).size).toBe(3)
})
