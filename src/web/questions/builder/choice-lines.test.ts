import { expect, test } from 'vitest'
import { linesOf, readChoices } from './choice-lines.ts'

const BEFORE = [
  { value: 'm', title: { en: 'Morning', es: 'Mañana' } },
  { value: 'e', title: { en: 'Evening' } },
]

test('choices are shown one per line and read again unchanged', () => {
  expect(linesOf(BEFORE, 'en')).toBe('Morning\nEvening')
  expect(readChoices('Morning\nEvening\n', BEFORE, 'en')).toEqual(BEFORE)
})

test('moved and renamed choices keep their values and other languages', () => {
  expect(readChoices('Evening\nMorning', BEFORE, 'en').map(({ value }) => value)).toEqual(['e', 'm'])
  expect(readChoices('Early\nEvening', BEFORE, 'en')).toEqual([
    { value: 'm', title: { en: 'Early', es: 'Mañana' } },
    BEFORE[1],
  ])
})

test('new lines get values of their own', () => {
  expect(
    readChoices(' Noon \n\nMorning\nNoon\nm\nOther\n日', BEFORE, 'en').map(({ value }) => value),
  ).toEqual(['noon', 'm', 'noon_2', 'm_2', 'other_2', 'choice'])
})
