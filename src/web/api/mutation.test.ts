import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isSame } from './mutation.ts'

test.each([
  [undefined, undefined, true],
  ['7', '7', true],
  ['7', 7, false],
  [{ id: '7', tags: ['a', { of: null }] }, { tags: ['a', { of: null }], id: '7' }, true],
  [{ id: '7' }, { id: '7', text: undefined }, false],
  [['a', 'b'], ['b', 'a'], false],
  [{ id: '7', text: 'one' }, { id: '7', text: 'two' }, false],
])('%j and %j are the same call: %s', (one, other, same) => {
  expect(isSame(one, other)).toBe(same)
})

test('two files are never the same call, whatever they contain', () => {
  const [one, other] = [new File(['a'], 'a.txt'), new File(['a'], 'a.txt')]
  expect([isSame({ file: one }, { file: one }), isSame({ file: one }, { file: other })]).toEqual([
    true,
    false,
  ])
})

test('a second click makes a new function, but not another call', () => {
  const act = (done: string) => ({ done, run: () => done })
  expect(isSame(act('Lead accepted'), act('Lead accepted'))).toBe(true)
  expect(isSame(act('Lead accepted'), act('Lead given back'))).toBe(false)
})

test('every write is made with the hook that makes no call twice at once', () => {
  const direct = globSync('src/web/**/*.{ts,tsx}').filter((file) =>
    /import \{[^}]*\buseMutation\b[^}]*\} from '@tanstack\/react-query'/.test(readFileSync(file, 'utf8')),
  )
  expect(direct).toEqual(['src/web/api/mutation.ts'])
})
