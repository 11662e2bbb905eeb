import { expect, test } from 'vitest'
import { splitQuoted } from './quoted-text.ts'

test.each([
  [
    'Saturday at ten?\n\nOn Tue, Nov 18, 2026 at 9:41 AM Luis Ortega <l@n.example> wrote:\n> Yes.',
    'Saturday at ten?',
  ],
  ['Saturday?\n\nOn Tue, Nov 18, 2026 at 9:41 AM Luis Ortega\n<l@n.example> wrote:\n\n> Yes.', 'Saturday?'],
  ['Thanks\r\n\r\n-----Original Message-----\r\nFrom: Luis', 'Thanks'],
  ['Thanks\n________________________________\nFrom: Luis', 'Thanks'],
  ['On Saturday I could come by.\nIs ten fine?', 'On Saturday I could come by.\nIs ten fine?'],
])('the own words of %j', (text, own) => {
  expect(splitQuoted(text).own).toBe(own)
})

test('an email that is only a quote is shown whole', () => {
  expect(splitQuoted('> Yes.\n> Saturday.')).toEqual({ own: '> Yes.\n> Saturday.', quoted: '' })
})
