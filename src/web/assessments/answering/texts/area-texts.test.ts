import { expect, test } from 'vitest'
import { PARTICIPANT_LANGUAGES } from '#contract/participants/invitations/participants.ts'
import { areaTexts, browserLanguage } from './area-texts.ts'

test('texts are filled in each language', () => {
  const shown = PARTICIPANT_LANGUAGES.map((language) => areaTexts(language)('answered', { n: 3, m: 7 }))
  expect(shown).toEqual(['3 of 7 answered', '3 de 7 respondidas', '3 réponses sur 7', '3 von 7 beantwortet'])
})

test('a text in the fill is not filled again', () => {
  expect(areaTexts('en')('asks', { name: '{name} $&' })).toBe('{name} $& asks for a change')
})

test('the first language of the browser that exists is used', () => {
  expect([
    browserLanguage(['pt-BR', 'es-MX', 'en']),
    browserLanguage(['fr-CA']),
    browserLanguage([]),
  ]).toEqual(['es', 'fr', 'en'])
})
