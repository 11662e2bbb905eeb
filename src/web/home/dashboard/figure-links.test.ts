import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('a figure gets its link only from the answer that counted it', () => {
  // What the path of an answer opens is proved by test/suites/figures.ts; a path that a page writes isn't.
  const files = globSync('src/web/**/*.tsx').filter((file) =>
    readFileSync(file, 'utf8').includes('fc-figure-link'),
  )
  expect(files).toEqual(['src/web/home/dashboard/CountFigure.tsx'])
})
