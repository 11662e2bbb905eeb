import { expect, test } from 'vitest'
import { problemMessage } from './problem-messages.ts'
import { ENGLISH, FRENCH, GERMAN, SPANISH } from './problem-texts.ts'

test.for<[Parameters<typeof problemMessage>, string]>([
  [['tooLarge', 'en', '12500.5'], 'Enter 12,500.5 or less.'],
  [['tooLarge', 'de', '12500.5'], 'Geben Sie 12.500,5 oder weniger ein.'],
  [['tooSmall', 'en', '-5'], 'Enter \u22125 or more.'],
  [['tooEarly', 'en', '2026-03-01'], 'Enter Mar 1, 2026 or a later date.'],
  [['tooEarly', 'es-MX', '2026-03-01'], 'Introduzca el 1 mar 2026 o una fecha posterior.'],
  [['unknown', 'en', '$& color'], 'This form has no question "$& color".'],
  [['required', 'ja'], 'Answer this question.'],
  [['oneRequired', 'fr', 'VIN, Plaque'], 'Répondez à l’une de ces questions : VIN, Plaque.'],
  [['emailOrPhone', 'en'], 'Enter an email address or a phone number.'],
])('%j', ([input, message]) => {
  expect(problemMessage(...input)).toBe(message)
})

test('every translation has the same placeholders', () => {
  const placeholders = (messages: Readonly<Record<string, string>>) =>
    Object.entries(messages).map(([code, text]) => [code, /\{\w+\}/.exec(text)?.[0]])
  for (const messages of [SPANISH, FRENCH, GERMAN])
    expect(placeholders(messages)).toEqual(placeholders(ENGLISH))
})
