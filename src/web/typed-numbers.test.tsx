import { expect, test } from 'vitest'
import { typedNumber, typedPercent, typeNumber } from '#contract/parsing/typed-number.ts'
import { handlerForm, BLANK as BLANK_HANDLER } from './mail/handlers/handler-form.ts'
import { destinationForm } from './leads/destinations/destination-form.ts'
import { ruleForm as leadRuleForm } from './leads/routing/rules/rule-form.ts'
import { readFixing } from './feeds/runs/fix-values.ts'
import { BLANK as BLANK_SOURCE, toInput as toSource } from './feeds/sources/source-form.ts'
import { ruleForm } from './pricing/rules/rule-form.ts'
import { scheduleTimes } from './ui/remote-servers/schedule.ts'
import { BLANK as BLANK_VEHICLE, toInput as toVehicle } from './vehicles/vehicles/page/vehicle-values.ts'

const price = ruleForm('USD')
const lead = leadRuleForm('USD', { isCatchAll: false })
const NO_FIX = { vin: '', stock: '', year: '', make: '', model: '', price: '', lotId: null }

/** What is stored of a text that was typed into a field for a number. */
const FIELDS: Readonly<Record<string, (text: string) => unknown>> = {
  'price rule, percentage': (percent) => price.toInput({ ...price.blank, percent }).percent,
  'price rule, days': (days) =>
    price.toInput({ ...price.blank, steps: [{ days, cents: '1', percent: '' }] }).steps?.[0]?.days,
  'lead rule, weight': (weight) =>
    lead.toInput({ ...lead.blank, targets: [{ destinationId: '1', weight }] }).targets[0]?.weight,
  'lead rule, repeated within': (dedupeMinutes) =>
    lead.toInput({ ...lead.blank, dedupeMinutes, dedupeUnit: 'minutes' }).dedupeMinutes,
  'destination, leads per day': (dailyCap) =>
    destinationForm.toInput({ ...destinationForm.blank, dailyCap }).dailyCap,
  'row of a feed, year': (year) =>
    readFixing({ ...NO_FIX, year }, { runId: '1', id: '1' }, 'USD').input.values.year,
  'feed source, port': (port) => toSource({ ...BLANK_SOURCE, kind: 'sftp', port }).port,
  'email handler, port': (port) => handlerForm.toInput({ ...BLANK_HANDLER, kind: 'smtp', port }).port,
  'schedule, hours': (everyHours) => scheduleTimes({ schedule: 'hours', everyHours, dailyAt: '' }).everyHours,
  'vehicle, mileage': (mileage) => toVehicle({ ...BLANK_VEHICLE, mileage }, [], 'USD').mileage,
  'vehicle, city economy': (cityEconomy) =>
    toVehicle({ ...BLANK_VEHICLE, cityEconomy }, [], 'USD').cityEconomy,
}

const TYPED: readonly (readonly [text: string, number: number])[] = [
  ['12', 12],
  [' 12 ', 12],
  ['0012', 12],
  ['1.5', 1.5],
  ['1.234', 1.234],
  ['1,234', 1234],
  ['1,234.5', 1234.5],
  ['1.234,56', 1234.56],
  ['1,5', Number.NaN],
  ['1e3', Number.NaN],
  ['0x10', Number.NaN],
  ['1.2.3', Number.NaN],
  ['12abc', Number.NaN],
  ['Infinity', Number.NaN],
]

test.for(Object.entries(FIELDS))('%s: what is typed is read whole or refused', ([, read]) => {
  expect(TYPED.map(([text]) => [text, read(text)])).toEqual(TYPED)
})

test('a number is shown so that it is read again', () => {
  for (const number of [0, 12, 1.5, 0.25, 1234.5, -3]) expect(typedNumber(typeNumber(number))).toBe(number)
  expect(typeNumber(null)).toBe('')
  expect(['30 %', '30%', '2.5', '%'].map(typedPercent)).toEqual([30, 30, 2.5, Number.NaN])
})
