import { expect, test } from 'vitest'
import { makeUnitTable } from '#contract/carbon/factors/unit-table.ts'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { readEntry } from '#web/ui/grid/read-entry.ts'
import { columnsOf } from './activity-columns.ts'

const unit = (code: string, dimension: string, toBase: string) => ({
  code,
  name: code,
  dimension,
  base: dimension === 'energy' ? 'MJ' : 'kg',
  toBase,
})
const unitTable = makeUnitTable({
  units: [
    unit('kWh', 'energy', '3.6'),
    unit('therm', 'energy', '105.505585262'),
    unit('ton-hour', 'energy', '12.66067023144'),
    unit('kJ', 'energy', '0.001'),
  ],
  aliases: [
    { alias: 'therms', unit: 'therm', basis: null },
    { alias: 'kWh (Gross CV)', unit: 'kWh', basis: 'gross' },
  ],
})
const column = columnsOf(
  'calculated',
  { units: ['kWh', 'therm', 'ton-hour'], unitTable, isMoney: false, today: '2026-11-22' },
  () => null,
  () => undefined,
).find(({ key }) => key === 'unit')
const read = (text: string) => (column ? readEntry(text, column, localeFormat('en-US')) : null)

test('a pasted unit is never completed: kW, th and ton are rejected like in the API', () => {
  expect(read('kW')).toEqual({ refusal: expect.stringMatching(/^Unknown unit “kW”\. Did you mean k.+\?$/) })
  expect(read('th')).toHaveProperty('refusal')
  expect(read('ton')).toEqual({ refusal: '“ton” is ambiguous. Enter short ton, t or long ton.' })
})

test('exact names and aliases are units; a calorific basis in the name is kept', () => {
  expect(read('kwh')).toEqual({ value: 'kWh' })
  expect(read('Therms')).toEqual({ value: 'therm' })
  expect(read('kWh (Gross CV)')).toEqual({ value: 'kWh (Gross CV)' })
})
