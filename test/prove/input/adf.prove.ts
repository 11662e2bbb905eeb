import { expect, test } from 'vitest'
import { ADF_RULES } from '#test/suites/adf.ts'

test.each(ADF_RULES)('$rule, in 10,000 cases', ({ check }) => {
  expect(() => check(10_000)).not.toThrow()
})
