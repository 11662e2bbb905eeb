import { expect, test } from 'vitest'
import { Appearance } from '#contract/identity/branding/appearance.ts'
import { readAppearance } from './appearance.ts'

const USUAL = readAppearance(null)

test('before anybody chose, the look is one that the contract takes', () => {
  expect(Appearance.parse(USUAL)).toEqual(USUAL)
  expect(USUAL).toMatchObject({ scheme: 'auto', layout: 'vertical', isMenuFixed: true })
})

test('what was chosen is read back', () => {
  const chosen = { ...USUAL, scheme: 'dark', direction: 'rtl', headerColor: 'ink', isBoxed: true }
  expect(readAppearance(JSON.stringify(chosen))).toEqual(chosen)
})

test.for(['', 'nonsense', '[]', '{"scheme":"green","layout":1,"isBoxed":"yes"}'])(
  'what makes no sense is as nobody chose it: %s',
  (stored) => {
    expect(readAppearance(stored)).toEqual(USUAL)
  },
)

test('one part that makes no sense does not spoil the others', () => {
  expect(readAppearance('{"scheme":"green","direction":"rtl"}')).toEqual({ ...USUAL, direction: 'rtl' })
})
