import { expect, test } from 'vitest'
import { describeTotal } from './upload-words.ts'

const half = { sent: 10_000_000, speed: null, file: { size: 20_000_000 } }

test.for([
  [null, '10 MB of 20 MB'],
  [0, '10 MB of 20 MB, waiting for the connection'],
  [5_000_000, '10 MB of 20 MB, 5 MB per second, 2 seconds left'],
  [100_000, '10 MB of 20 MB, 100 kB per second, about 2 minutes left'],
  [1_000, '10 MB of 20 MB, 1 kB per second, about 3 hours left'],
] as const)('at %s bytes per second the progress is "%s"', ([speed, words]) => {
  expect(describeTotal([{ ...half, speed }])).toBe(words)
})

test('the progress of several files is their sum', () => {
  const waiting = { ...half, sent: 0 }
  expect(describeTotal([{ ...half, speed: 1_000_000 }, waiting])).toBe(
    '10 MB of 40 MB, 1 MB per second, 30 seconds left',
  )
})
