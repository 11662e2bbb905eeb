import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SECRET_FIELD } from './kept-typing.ts'

test('no password, secret or token that is typed into a form is kept', () => {
  const files = globSync('src/web/**/*.tsx').map((file) => readFileSync(file, 'utf8'))
  const inputs = files.flatMap(
    (text) => text.match(/<PasswordInput[^>]*>|<\w+Input[^>]*type="password"[^>]*>/g) ?? [],
  )
  const names = inputs.flatMap(
    (input) => /field\('(\w+)'\)|getInputProps\('(\w+)'\)/.exec(input)?.slice(1) ?? [],
  )
  const fields = names.filter((name) => name !== undefined)
  expect(fields.length).toBeGreaterThan(1)
  expect(fields.filter((name) => !SECRET_FIELD.test(name))).toEqual([])
})
