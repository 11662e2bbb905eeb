import { expect, test } from 'vitest'
import { findAmount } from './typed-amounts.ts'
import { isVehicleName } from './vehicle-amounts.ts'

const find = (text: string) => findAmount(text, { mayBeOff: false })

test.each([
  // A number beside a vehicle that counts nothing.
  '2023 Ford Escape SE - 19,400',
  'F-150 XLT 38,500',
  'Escape: 19400',
  '2021 F-150, 41,000 miles, 32,500',
  '#FU10363 / 38,500',
  '23,450 for this Maverick',
  '19,400 • 2023 Escape',
  '2023 Escape\n19,400',
  '- F-150 XLT: 38,500\n- Escape SE: 19,400',
  'Grab the Maverick before Sunday: 23,450 and it is yours.',
  // Compared with what others ask.
  'KBB 27,900',
  '36,000 elsewhere, 33,210 here',
  'We dropped the Escape to 26,775 overnight',
  '15,000 and under lot',
  // Loans and leases.
  'Monthly from 289',
  'Your payment could be 319',
  'Payments that start at 279',
  '299/36',
  'Lease 36/10: 299',
  '1,999 DAS',
  'Hold it with 250',
  // Fees and services.
  'Documentation charge 85',
  'Delivery 300',
  'Detailing starts at 149',
  'Four tires mounted for 649',
  'Brake pads, installed: 189',
  // What is taken off or given.
  'Knocked 3,200 off the Explorer',
  'Holiday cash: 1,000',
  'We’ll add 1,000 to your trade',
  'half a grand off',
  '%2423,450',
  // Spanish.
  'Treinta mil dólares',
  'Ahorre 2,000',
  'Enganche de 1,500',
  'A partir de 23 450',
])('“%s” names an amount', (text) => {
  expect(find(text)).not.toBeNull()
})

test.each([
  '2021 F-150, 41,000 miles',
  'Escape Hybrid: 42 city, 36 highway',
  'Northgate Ford, 23450 Auburn Boulevard',
  'Ford: 4,811 five-star reviews',
  'Ranger tows up to 7,500 pounds',
  'Mustang\n1,250 reasons',
  'F-150, 2500 and 3500',
  '1,250 Broncos sold',
  'We escape to 23,450 places',
  'Tires 275/65R18, 235/60',
  'Delivery within 100 miles',
  'Detailing starts at 8 on weekdays',
  'Payments for 36 months',
  'Desde 1995',
  'Desde 300 millas',
  'Took 40 off-road trips',
])('“%s” names none', (text) => {
  expect(find(text)).toBeNull()
})

test.each([
  ['F-150 XLT', true],
  ['2024 Explorer', true],
  ['All Ford', true],
  ['Oil change for your F-150', false],
  ['Ford brake service', false],
  ['Car wash', false],
])('“%s” names a vehicle for sale: %s', (title, is) => {
  expect(isVehicleName(title)).toBe(is)
})

test('a long text is read quickly', () => {
  const text = '2023 Ford Escape SE, F-150, 41,000 miles, one owner. KBB Monthly delivery '.repeat(55)
  const start = performance.now()
  find(text)
  expect(performance.now() - start).toBeLessThan(150)
})
