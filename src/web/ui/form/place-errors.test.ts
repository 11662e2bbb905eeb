import { expect, test } from 'vitest'
import { placeErrors } from './place-errors.ts'

const values = { email: '', makes: ['Ford', 'Kia'], contacts: [{ name: '', email: '' }] }

test('an error is placed at its field, even if the payload is nested deeper than the form', () => {
  expect(placeErrors({ email: 'No.' }, values).fields).toEqual({ email: 'No.' })
  expect(placeErrors({ 'user.email': 'No.' }, values).fields).toEqual({ email: 'No.' })
})

test('a list of words is one field; the rows of a list have their own fields', () => {
  expect(placeErrors({ 'makes.1': 'Too long.', makes: 'Too many.' }, values).fields).toEqual({
    makes: 'Too long.',
  })
  expect(placeErrors({ 'contacts.0.email': 'No.' }, values).fields).toEqual({ 'contacts.0.email': 'No.' })
  expect(placeErrors({ contacts: 'Too many.' }, values).fields).toEqual({ contacts: 'Too many.' })
})

test('an error for something a row does not show is placed at its list', () => {
  expect(placeErrors({ 'contacts.0': 'Bad row.' }, values).fields).toEqual({ contacts: 'Bad row.' })
  expect(placeErrors({ 'contacts.0.fax': 'No.' }, values).fields).toEqual({ contacts: 'No.' })
})

test('errors for fields that the form does not show are returned separately', () => {
  expect(placeErrors({ version: 'Old.', body: 'Bad.' }, values)).toEqual({
    fields: {},
    rest: ['Old.', 'Bad.'],
  })
})
