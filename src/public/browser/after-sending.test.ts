import { expect, test } from 'vitest'
import { afterSending } from './after-sending.ts'

test.each([
  ['the thank-you page is opened', { status: 200, isRedirected: true, hasForm: false }, 'follow'],
  ['the next step is shown', { status: 200, isRedirected: false, hasForm: true }, 'show'],
  ['mistakes are shown in the form', { status: 422, isRedirected: false, hasForm: true }, 'show'],
  ['a closed form shows what was typed', { status: 410, isRedirected: false, hasForm: false }, 'show'],
  ['too much text stays in the form', { status: 413, isRedirected: false, hasForm: false }, 'sayWhy'],
  ['too many forms: this one stays', { status: 429, isRedirected: false, hasForm: false }, 'sayWhy'],
  ['a form that failed stays', { status: 500, isRedirected: false, hasForm: false }, 'sayWhy'],
  [
    'a received form is not lost with its thank-you page',
    { status: 500, isRedirected: true, hasForm: false },
    'follow',
  ],
  ['a server that restarts gets it again', { status: 502, isRedirected: false, hasForm: false }, 'sendAgain'],
  [
    'a database that is away is waited for',
    { status: 503, isRedirected: false, hasForm: false },
    'sendAgain',
  ],
  [
    'a gateway that gave up is asked again',
    { status: 504, isRedirected: false, hasForm: false },
    'sendAgain',
  ],
  ['a full disk is explained', { status: 507, isRedirected: false, hasForm: false }, 'sayWhy'],
  ['an address that is gone is explained', { status: 404, isRedirected: false, hasForm: false }, 'sayWhy'],
] as const)('%s', (_what, answer, expected) => {
  expect(afterSending(answer)).toBe(expected)
})
