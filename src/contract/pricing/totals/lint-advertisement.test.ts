import { expect, test } from 'vitest'
import { lintAdvertisement } from './lint-advertisement.ts'

test.each([
  ['Only $299/month for 72 months!', 'A monthly payment also needs the APR and the down payment.'],
  ['$2,000 down and drive away.', 'A down payment also needs the APR and the number of payments.'],
  ['2.9% financing available.', 'A rate must be called the APR.'],
  ['2.9 percent financing available.', 'A rate must be called the APR.'],
  ['2.9% for 60 months on this car.', 'A rate must be called the APR.'],
  [
    'Lease it for $249 per month.',
    'A lease payment also needs the number of payments, the amount due at signing, and whether a security deposit is required.',
  ],
  ['Great price, plus $85 doc fee.', 'Mandatory dealer fees must be part of the advertised price.'],
  ['Price excludes dealer fees.', 'Mandatory dealer fees must be part of the advertised price.'],
  [
    'Just $21,500 with military rebate.',
    'Not every buyer gets this offer, so it may not lower the advertised price. List it separately.',
  ],
  ['MSRP: $47,825.', 'An MSRP without a selling price counts as the advertised price.'],
] as const)('%s', (text, message) => {
  expect(lintAdvertisement(text, 'us').map((one) => one.message)).toEqual([message])
  expect(lintAdvertisement(text, 'none')).toEqual([])
})

test.each([
  'One owner. Two keys & a ramp.',
  'Open from 8:30 AM to 10:30 PM.',
  '$299/month for 72 months at 5.9% APR with $2,000 down.',
  'Lease for $249 per month, 36 months, $3,000 due at signing, no security deposit.',
  'MSRP $47,825, our price $44,180 with all dealer fees.',
  'Power doors slide down at the push of a button.',
])('has nothing against: %s', (text) => {
  expect(lintAdvertisement(text, 'us-ca')).toEqual([])
})

test.each([
  ['Was $31,000, now only $21,490!', ['$21,490']],
  ['$21.9k and ready to go. Call for $20,999.50.', ['$21.9k', '$20,999.50']],
  ['Our price: $21,985.', []],
  ['Our price: $22,400.', []],
  ['MSRP $21,500, our price $21,985.', []],
  ['Save $12,000 on this van, $15,000 below MSRP, with $11,000 in upgrades.', []],
  ['Your trade-in is worth $14,000, and $12,500 down would do.', []],
  ['A cargo box for $1,200 extra.', []],
  ['It could be yours for 20,500 today, or 20.5k.', ['20,500', '20.5k']],
  ['USD 20,500, that is 20500 dollars.', ['USD 20,500', '20500']],
  ['It has 20,500 miles, and 18,250 on the odometer of the other.', []],
  ['You said that your budget is $20,000.', []],
  ['The extended warranty is $14,000? No, $1,400.', []],
  ['We have a 2019 for $19,900 as well.', []],
])('compares the amounts with the total price of $21,985: %s', (text, lower) => {
  const words = (law: 'us' | 'ca' | 'none', total: number | null) =>
    lintAdvertisement(text, law, total)
      .filter(({ message }) => message.startsWith('This is below the total price of $21,985.'))
      .map((one) => one.words)
  expect(words('us', 2_198_500)).toEqual(lower)
  expect(words('ca', 2_198_500)).toEqual(lower)
  expect(words('none', 2_198_500)).toEqual([])
  expect(words('us', null)).toEqual([])
})

test('says where the words are', () => {
  const text = 'Nice car. Plus dealer fees.'
  const [finding] = lintAdvertisement(text, 'ca')
  expect(text.slice(finding?.from)).toMatch(/^Plus dealer fees/)
  expect(finding?.words).toBe('Plus dealer fees')
})
