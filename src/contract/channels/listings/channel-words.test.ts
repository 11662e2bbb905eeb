import { expect, test } from 'vitest'
import { BUILT_IN_VALUES } from '#contract/feeds/values/built-in-values.ts'
import { canonicalValue } from '#contract/vehicles/vin/canonical.ts'
import { CHANNEL_WORDS, channelWord, type Drive } from './channel-words.ts'

const BLANK: Drive = { body: null, fuel: null, electrification: null, transmission: null, drivetrain: null }
const meta = (field: 'body' | 'fuel' | 'transmission' | 'drivetrain', drive: Partial<Drive>) =>
  channelWord('meta', field, { ...BLANK, ...drive })
/** Receivers have one word for several of our values. */
const MERGED = new Set(['CVT', 'Dual clutch', 'google Plug-in hybrid'])

test('every own value has a word of each receiver, or none by name, and the word is read as that value', () => {
  const wrong = Object.entries(CHANNEL_WORDS).flatMap(([receiver, fields]) =>
    Object.entries(fields).flatMap(([field, words]) => {
      if (field !== 'body' && field !== 'fuel' && field !== 'transmission' && field !== 'drivetrain')
        return [field]
      const own = BUILT_IN_VALUES[field].map(({ value }) => value)
      const named = new Map<string, string>(Object.entries(words))
      return own.filter((value) => {
        const word = named.get(value)
        if (word === '' || word === 'OTHER' || MERGED.has(value) || MERGED.has(`${receiver} ${value}`))
          return false
        return word === undefined || canonicalValue(field, word) !== value
      })
    }),
  )
  expect(wrong).toEqual([])
})

test('fuel is told from fuel and electrification, and transmissions and bodies from whole words', () => {
  expect(meta('fuel', { fuel: 'Gasoline', electrification: 'plug-in' })).toBe('PLUGIN_HYBRID')
  expect(meta('fuel', { fuel: 'Plug-in hybrid', electrification: 'hybrid' })).toBe('PLUGIN_HYBRID')
  expect(meta('fuel', { fuel: 'Gasoline', electrification: 'mild' })).toBe('GASOLINE')
  expect(meta('fuel', { electrification: 'electric' })).toBe('ELECTRIC')
  expect(meta('fuel', { fuel: 'Natural gas' })).toBe('OTHER')
  expect(meta('fuel', {})).toBe('')
  expect(meta('transmission', { transmission: 'Dual clutch' })).toBe('AUTOMATIC')
  expect(meta('transmission', { transmission: '6-Speed Manual with auto rev-match' })).toBe('MANUAL')
  expect(meta('transmission', { transmission: 'Automatic with manual mode' })).toBe('AUTOMATIC')
  expect(meta('body', { body: 'Avant' })).toBe('WAGON')
  expect(meta('drivetrain', { drivetrain: '2WD' })).toBe('')
  expect(channelWord('google', 'fuel', { ...BLANK, fuel: 'Gasoline', electrification: 'plug-in' })).toBe(
    'hybrid',
  )
  expect(channelWord('google', 'body', { ...BLANK, body: 'Cargo Van' })).toBe('full size van')
})
