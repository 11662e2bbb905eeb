import { expect, test } from 'vitest'
import { TEMPLATE_KEYS } from '#contract/mail/templates/templates.ts'
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts'

test('each email template has an ID and a title of its own', () => {
  const all = TEMPLATE_KEYS.map((key) => BUILT_IN_TEMPLATES[key])
  expect(all.length).toBeGreaterThan(10)
  for (const list of [all.map(({ id }) => id), all.map(({ title }) => title)])
    expect(list.filter((one, at) => list.indexOf(one) !== at)).toEqual([])
})
