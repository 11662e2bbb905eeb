import { expect, test } from 'vitest'
import { checkForm } from '#contract/marketing/forms/check-form.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { SUBMISSION_LIST } from '#contract/marketing/forms/submissions.ts'
import { checkDefinition } from '#contract/questions/check-definition.ts'
import { readRule } from '#contract/expressions/read.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import { countedSubmissions } from './counted-submissions.ts'
import { addressFor, newForm } from './new-form.ts'

test.for<[string, string]>([
  ['Book a test drive', 'book-a-test-drive'],
  ['  Café & Wünsche!  ', 'cafe-wunsche'],
  ['日本', ''],
  ['x'.repeat(59) + ' yes', 'x'.repeat(59)],
])('the address proposed for "%s" is "%s"', ([name, key]) => {
  expect(addressFor(name)).toBe(key)
})

test('a new form can be published as it is', () => {
  const form = forms.add.input.parse(newForm({ name: 'Ask', key: 'ask', lotId: null }))
  expect(checkForm({ draft: form.draft, leadFields: form.leadFields ?? {} })).toEqual({})
  expect(checkDefinition(form.draft).faults).toEqual([])
})

test('the filter for the counted submissions of a form is valid for every name', () => {
  const filter = countedSubmissions(String.raw`A "b" \c 'd'`)
  expect(
    readRule(
      filter,
      variablesOf(SUBMISSION_LIST, () => true),
    ).ok,
  ).toBe(true)
})
