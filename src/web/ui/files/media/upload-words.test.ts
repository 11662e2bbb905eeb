import { expect, test } from 'vitest'
import { describeProgress, describeTotal, showTimeLeft } from './upload-words.ts'

test.for([
  [0.2, '1 second left'],
  [31.5, '32 seconds left'],
  [90, 'about 2 minutes left'],
  [7_300, 'about 2 hours left'],
] as const)('%s seconds are shown as "%s"', ([seconds, words]) => {
  expect(showTimeLeft(seconds)).toBe(words)
})

test('progress has the speed and the time left once the speed is known', () => {
  const one = { sent: 10_000_000, speed: null, file: { size: 50_000_000 } }
  expect(describeProgress(one)).toBe('10 MB of 50 MB')
  expect(describeProgress({ ...one, speed: 2_000_000 })).toBe(
    '10 MB of 50 MB, 2 MB per second, 20 seconds left',
  )
  expect(describeProgress({ ...one, sent: 50_000_000 })).toBe('Saving, 50 MB')
  expect(
    describeTotal([
      { ...one, speed: 2_000_000 },
      { ...one, sent: 0 },
    ]),
  ).toBe('10 MB of 100 MB, 2 MB per second, 45 seconds left')
})
