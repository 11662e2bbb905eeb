import { expect, test } from 'vitest'
import {
  type AnswerValues,
  fillTemplate,
  openVariables,
  problemOfAnswer,
  unknownVariables,
} from './fill-template.ts'

const values: AnswerValues = {
  firstName: 'Marcus',
  name: 'Marcus Bell',
  vehicle: '2023 Ford F-150 XLT',
  stock: 'P41877',
  price: 'The total price of the 2023 Ford F-150 XLT is $44,180. Includes all dealer fees.',
  lot: 'Northgate Ford',
  salesperson: 'Luis Ortega',
  appointment: null,
}

test('fills in what the lead has, with the price in its sentence', () => {
  expect(fillTemplate('Hello {firstName}, the {vehicle} is here. {price} {salesperson}', values)).toBe(
    'Hello Marcus, the 2023 Ford F-150 XLT is here. The total price of the 2023 Ford F-150 XLT is $44,180. Includes all dealer fees. Luis Ortega',
  )
})

test('a variable without a value stays, and the answer says so before it is sent', () => {
  const text = fillTemplate('See you {appointment}.', values)
  expect(text).toBe('See you {appointment}.')
  expect(openVariables(text)).toEqual(['appointment'])
  expect(problemOfAnswer(text)).toBe('Replace {appointment} first. This lead has no value for it.')
  expect(problemOfAnswer('See you on {Saturday}.')).toBeNull()
})

test('what a buyer calls themselves is not filled in again', () => {
  expect(fillTemplate('Hello {firstName}', { ...values, firstName: '{price} $1' })).toBe('Hello {price} $1')
})

test('names words in braces that are no variable', () => {
  expect(unknownVariables('{firstName} {first_name} {price} {prize}')).toEqual(['first_name', 'prize'])
})
