import { expect, test } from 'vitest'
import { findAmount } from './typed-amounts.ts'

const find = (text: string) => findAmount(text, { mayBeOff: false })

test.each([
  ['Only $44,995 today', '$44,995'],
  ['Yours for 19,995$', '19,995$'],
  ['**19,995**$', '19,995$'],
  ['$ 19,995', '$ 19,995'],
  ['１９，９９５ dollars', '19,995 dollars'],
  ['USD 12k', 'USD 12k'],
  ['C$ 31,000', 'C$ 31,000'],
  ['19,9\u00ad95 €', '19,995 €'],
  ['two hundred dollars', 'two hundred dollars'],
  ['For twenty grand it is yours', 'twenty grand'],
  ['20 grand.', '20 grand'],
  ['Twenty-five thousand bucks', 'Twenty-five thousand bucks'],
  ['299 monthly.', '299 monthly'],
  ['Lease at 299 monthly for 36 months', '299 monthly'],
  ['299/mo', '299/mo'],
  ['only 299 every month', '299 every month'],
  ['299 biweekly', '299 biweekly'],
  ['149 bi-weekly, plus tax', '149 bi-weekly'],
  ['75 a week', '75 a week'],
  ['150 every two weeks', '150 every two weeks'],
  ['payments of 299', 'payments of 299'],
  ['199 down', '199 down'],
  ['2,500 due at signing', '2,500 due at'],
  ['Now 19,995', 'Now 19,995'],
  ['just 19,995!', 'just 19,995'],
  ['MSRP is 25,000', 'MSRP is 25,000'],
  ['MSRP 25,000, sale price 23,500', 'MSRP 25,000'],
  ['as low as 199', 'low as 199'],
  ['starting at 19995', 'starting at 19995'],
  ['Drive it home for 18,500 plus tax', 'for 18,500'],
  ['It is yours for twenty thousand', 'for twenty thousand'],
  ['On sale for 21\u00a0995 $', '995 $'],
  ['USD19,995', 'USD19,995'],
  ['19,995 American dollars', '19,995 American dollars'],
  ['Dollar 19,995', 'Dollar 19,995'],
  ['300 euros', '300 euros'],
  ['99¢ oil change', '99¢'],
  ['$twenty', '$twenty'],
  ['𝟭𝟵,𝟵𝟵𝟱 dollars', '19,995 dollars'],
  ['٩٩٥ dollars', '995 dollars'],
  ['The F-150 costs 38500', 'costs 38500'],
  ['24990 plus tax', '24990 plus tax'],
  ['24,990 + tax', '24,990 + tax'],
  ['Prices start at 24990', 'start at 24990'],
  ['Lease for 299', 'Lease for 299'],
  ['199 mo', '199 mo'],
  ['Rebate of 1,500', 'Rebate of 1,500'],
  ['2,000 cash back', '2,000 cash back'],
  ['only 24.990', 'only 24.990'],
  ['Under 20k', 'Under 20k'],
  ['Oil change 49.95', '49.95'],
] as const)('%s', (text, amount) => {
  expect(find(text)?.toLowerCase()).toContain(amount.toLowerCase())
})

test.each([
  '2 Grand Cherokees and 3 Grand Wagoneers arrived',
  'Visit us at 20 Grand Avenue',
  'Our 20 grand prizes, and 2 grand openings',
  '24 monthly newsletters a year',
  '52 weekly specials',
  'Only 2026 models, from 2019 on',
  'Now 5,000 miles between oil changes',
  'Just 12,000 km',
  'Over 1,200 reviews and 10,000 customers',
  'At 4500 Main Street, open 7 days a week, 24 hours a day',
  'Call 801-555-0199 or 801.555.0142',
  'Only 3 left. 36 months, 10,000 miles a year',
  '0% APR as low as 2.9%',
  'From 9 to 5, from 1985 to now',
  'Go 500 down the road',
  'Ford F-150, Ram 2500 and Silverado 3500',
  'Towing up to 13,000 pounds, 3.55 axle ratio, 10.25 inch wheels, a 5.7 L engine',
  'Lease for 36 months. A 36 mo warranty. Under 20k miles. 12.5 percent.',
  'Our dollar menu. A discount of 15%. Costs nothing. 2,000 trucks in stock.',
  'Starting at 8 AM on November 30',
])('no amount: %s', (text) => {
  expect(find(text)).toBeNull()
})

test('what is taken off is allowed in a special', () => {
  expect(findAmount('$20 off an oil change', { mayBeOff: true })).toBeNull()
  expect(findAmount('$20 off, now 19.95 dollars', { mayBeOff: true })).toBe('19.95 dollars')
})
