import { expect, test } from 'vitest'
import { FORM_LIMIT, readFormFields } from './form-limit.ts'

const encoded = (characters: number) => `a=${encodeURIComponent('\u0416'.repeat(characters))}`

test('a form takes 250,000 characters of any script, and not many more', () => {
  expect(encoded(250_000).length).toBeLessThan(FORM_LIMIT)
  expect(readFormFields(encoded(250_000))?.get('a')).toHaveLength(250_000)
  expect(readFormFields(encoded(270_000))).toBeNull()
})
