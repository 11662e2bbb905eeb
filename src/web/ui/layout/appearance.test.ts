import { expect, test } from 'vitest'
import { Appearance } from '#contract/identity/branding/appearance.ts'
import { readAppearance } from './appearance.ts'

const USUAL = readAppearance(null)

test('the default appearance is valid in the contract', () => {
  expect(Appearance.parse(USUAL)).toEqual(USUAL)
  expect(USUAL).toMatchObject({ scheme: 'auto', layout: 'vertical', isMenuFixed: true })
})

test('a stored appearance is read back', () => {
  const chosen = { ...USUAL, scheme: 'dark', direction: 'rtl', headerColor: 'ink', isBoxed: true }
  expect(readAppearance(JSON.stringify(chosen))).toEqual(chosen)
})

test.for(['', 'nonsense', '[]', '{"scheme":"green","layout":1,"isBoxed":"yes"}'])(
  'invalid stored text gives the default: %s',
  (stored) => {
    expect(readAppearance(stored)).toEqual(USUAL)
  },
)

test('one invalid part does not affect the others', () => {
  expect(readAppearance('{"scheme":"green","direction":"rtl"}')).toEqual({ ...USUAL, direction: 'rtl' })
})
