import { expect, test } from 'vitest'
import { pickLanguage, textIn } from './texts.ts'

test.for<[string[], string, string]>([
  [['en', 'es'], 'es', 'es'],
  [['en', 'es'], 'es-MX', 'es'],
  [['en', 'es-MX'], 'es', 'es-MX'],
  [['en', 'fr'], 'de', 'en'],
  [['en', 'fr'], 'not a language', 'en'],
  [[], 'fr', 'en'],
])('of %j, the closest to %s', ([languages, wanted, expected]) => {
  expect(pickLanguage(languages, wanted)).toBe(expected)
})

test('a missing text is shown in the first language that has it', () => {
  expect(textIn({ en: 'Name', es: ' ' }, 'es', ['en', 'es'])).toBe('Name')
  expect(textIn({ es: 'Nombre' }, 'fr', ['en', 'es'])).toBe('Nombre')
  expect(textIn({}, 'constructor', ['en'])).toBe('')
  expect(textIn(undefined, 'en', ['en'])).toBe('')
})
