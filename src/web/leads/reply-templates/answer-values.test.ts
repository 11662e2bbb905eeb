import { expect, test } from 'vitest'
import { insertAnswer, insertAt } from './answer-values.ts'

const VEHICLE = {
  id: '1',
  title: '2023 Ford F-150',
  vin: null,
  stock: null,
  status: 'live',
  mileage: null,
  distanceUnit: 'mi',
  daysInStock: null,
  photo: null,
  isSoldElsewhere: false,
  totalCents: 2_008_500,
  law: 'us' as const,
  otherLeads: 0,
}

test('puts words at the cursor without gluing them to others', () => {
  expect(insertAt('', 'Hello', 0)).toEqual({ text: 'Hello', end: 5 })
  expect(insertAt('Hi there', 'Marcus', 2)).toEqual({ text: 'Hi Marcus there', end: 9 })
  expect(insertAt('Hi\n', 'Marcus', 3)).toEqual({ text: 'Hi\nMarcus', end: 9 })
})

test('a price comes with its disclaimers at the end of the answer, once', () => {
  const vehicle = {
    ...VEHICLE,
    priceText: 'The total price is $20,085.',
    priceDisclaimers: ['As is.', 'Used:\nno recalls.'],
  }
  const price = { words: vehicle.priceText, at: 3, lead: { vehicle } }
  const first = insertAnswer('Hi Marcus,\n', { ...price, at: 11 })
  expect(first).toEqual({
    text: 'Hi Marcus,\nThe total price is $20,085.\n\nAs is.\n\nUsed:\nno recalls.',
    end: 'Hi Marcus,\nThe total price is $20,085.'.length,
  })
  const second = insertAnswer(first.text, price)
  expect(second.text.match(/As is\./g)).toHaveLength(1)
  expect(second.text.match(/The total price is/g)).toHaveLength(2)
  // One that was wrapped by hand is there, and one that was deleted comes back.
  expect(insertAnswer('Used: no\nrecalls.', { ...price, at: 0 }).text.match(/recalls/g)).toHaveLength(1)
  expect(insertAnswer('Thanks', { words: 'Marcus', at: 0, lead: { vehicle } }).text).toBe('Marcus Thanks')
})
