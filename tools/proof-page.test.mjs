import { expect, test } from 'vitest'
import { collectFigures, replaceRow } from './proof-page.mjs'

const run = {
  part: 'kills',
  commit: 'abc1234',
  date: '2026-11-22',
  passed: 12,
  failed: 0,
  wall: '5 min 1 s',
  cpu: '320',
  figures: [],
}
const rowsOf = (page) => page.split('\n').filter((line) => /^\| (?!part)[a-z]/.test(line))

test('a run of a part replaces its former row and leaves those of the others', () => {
  const first = replaceRow('', run)
  const both = replaceRow(first, { ...run, part: 'feeds', figures: ['slowest = 3 s', 'a | b'] })
  const third = replaceRow(both, { ...run, commit: 'def5678 + changes', failed: 1 })
  expect(rowsOf(third)).toEqual([
    '| feeds | abc1234 | 2026-11-22 | 12 | 0 | 5 min 1 s | 320 | slowest = 3 s; a \\| b |',
    '| kills | def5678 + changes | 2026-11-22 | 12 | 1 | 5 min 1 s | 320 |  |',
  ])
})

test('figures come from the file and from the output, each once', () => {
  const output = 'stdout | a.prove.ts\nfigure: slowest answer = 12 ms\n✓ fine\n  figure: memory = 3 MB\n'
  expect(collectFigures({ output, file: 'memory = 3 MB\n\nrows = 1,000,000\n' })).toEqual([
    'memory = 3 MB',
    'rows = 1,000,000',
    'slowest answer = 12 ms',
  ])
})
