import { expect, test } from 'vitest'
import { type Lot, lotRecord } from '#contract/customers/lots/lots.ts'
import { findDifferences } from '#web/ui/record/differences.ts'
import { lotForm, showAddress, showField } from './lot-form.ts'

const { blank, check, labels, toInput, toValues } = lotForm
/** Every field has a value in an added lot, so a new field needs no change here. */
const lot: Lot = lotRecord.schema.parse({
  ...toInput({ ...blank, code: 'NGF', name: 'Northgate Ford', city: 'Sacramento', region: 'CA' }),
  id: '1',
  organizationId: '7',
  organizationName: 'Northgate Ford',
  isVisible: true,
  lacksFees: false,
  address: '5550 Auburn Blvd',
  makes: ['Ford'],
  dealerIds: ['4711'],
  hours: [
    { day: 'mon', opens: '09:00', closes: '12:00' },
    { day: 'mon', opens: '13:00', closes: '18:00' },
    { day: 'fri', opens: '20:00', closes: '02:00' },
  ],
  holidays: [{ on: '2026-12-25', name: 'Christmas Day', hours: [] }],
  zone: 'America/Los_Angeles',
  version: 3,
  updatedAt: '2026-11-14T10:00:00Z',
  updatedBy: 'Luis Ortega',
})

test('round-trips a lot', () => {
  expect(check(toValues(lot))).toEqual({})
  expect(toInput(toValues(lot))).toMatchObject({
    code: 'NGF',
    timeZone: null,
    organizationId: '7',
    dealerIds: ['4711'],
    hours: lot.hours,
    holidays: lot.holidays,
  })
})

test('reports invalid and unreadable hours at their day', () => {
  const values = {
    ...toValues(lot),
    tue: 'nine to five',
    wed: '9-18, 17-20',
    holidays: [{ on: '', name: 'Party', hours: '9' }],
  }
  expect(check(values)).toEqual({
    tue: expect.stringContaining('Enter hours such as'),
    wed: 'Wednesday has overlapping hours.',
    'holidays.0.on': 'Choose a date such as 2026-12-25.',
    'holidays.0.hours': expect.stringContaining('Enter hours such as'),
  })
  expect(showField('holidays', values)).toBe(' Party (9)')
  expect(showField('mon', values)).toBe('09:00-12:00, 13:00-18:00')
})

test('reports the required fields of an empty form', () => {
  expect(check(blank)).toEqual({ code: 'Code is required.', name: 'Name is required.' })
  expect(blank).toMatchObject({ type: 'both', organizationId: '', isPublic: true })
  expect(toInput(blank).organizationId).toBeUndefined()
})

test('lists only differences in a comparison, as text', () => {
  const mine = { ...toValues(lot), city: 'Davis', makes: ['Ford', 'Kia'] }
  expect(findDifferences(labels, mine, toValues(lot))).toEqual(['city', 'makes'])
  const shown = ['makes', 'postalCode', 'isPublic', 'type', 'organizationId']
  expect(shown.map((name) => showField(name, mine, lot))).toEqual([
    'Ford, Kia',
    'None',
    'Yes',
    'New and used',
    'Northgate Ford',
  ])
})

test('leaves out missing parts of an address', () => {
  expect(showAddress(lot)).toBe('5550 Auburn Blvd, Sacramento, CA')
})
