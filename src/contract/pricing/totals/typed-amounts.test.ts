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
  // What is taken off or given back.
  ['2,500 off every Tundra', '2,500 off'],
  ['TAKE 750 OFF', '750 off'],
  ['Three hundred off MSRP', 'Three hundred off'],
  ['Trade up and save up to 3,000 on each truck', 'save up to 3,000'],
  ['1,250 below sticker', '1,250 below sticker'],
  ['3,500 in factory rebates', '3,500 in factory rebates'],
  ['Plus 1,000 loyalty cash', '1,000 loyalty cash'],
  ['Drive it and get 750 back', 'get 750 back'],
  ['1,250 toward your lease', '1,250 toward your'],
  // Prices of vehicles.
  ['33,900 MSRP', '33,900 MSRP'],
  ['31,480 out-the-door', '31,480 out-the-door'],
  ['Total: 31,480', 'Total: 31,480'],
  ['27,450 before taxes', '27,450 before taxes'],
  ['27450 + TTL', '27450 + TTL'],
  ['It sells for 27450', 'sells for 27450'],
  ['Marked down to 15,488', 'Marked down to 15,488'],
  ['Our price this week | 15,488', 'price this week | 15,488'],
  ['SUVs from 11,990 to 18,990', 'from 11,990 to 18,990'],
  ['Vans between 15k and 25k', 'between 15k and 25k'],
  ['12K or less', '12K or less'],
  ['2023 F-150 XLT, 38,985', '38,985'],
  ['Only 15,488 🔥', '15,488'],
  ['Thirty-one thousand four hundred eighty', 'Thirty-one thousand four hundred eighty'],
  ['22750,-', '22750,-'],
  // Payments.
  ['Just 349 for 39 months', '349 for 39 months'],
  ['349 x 72 months', '349 x 72 months'],
  ['36 months at 259', '36 months at 259'],
  ['Lease: 259', 'Lease: 259'],
  ['Finance from 319', 'Finance from 319'],
  ['Deposit of 250', 'Deposit of 250'],
  ['You pay just 185', 'pay just 185'],
  ['Vans from 45/day', '45/day'],
  // Fees, services and gifts.
  ['Processing fee of 175', 'fee of 175'],
  ['Brake job 225', 'Brake job 225'],
  ['Tires from 79 each', 'Tires from 79'],
  ['119.99 ea', '119.99 ea'],
  ['75c a mile', '75c'],
  ['3 for 120', '3 for 120'],
  ['A gift card worth 75', 'gift card worth 75'],
  ['A 40-dollar gift card', '40-dollar'],
  // Other currencies, and ways to hide them.
  ['329,000 MXN', '329,000 MXN'],
  ['CHF 32’500', 'CHF 32’500'],
  ['₹1,250,000', '₹1,250,000'],
  ['Desde 27,450', 'Desde 27,450'],
  ['💰 27,450', '27,450'],
  ['&#36;27,450', '$27,450'],
  ['[27,450](https://shop.example/5) dollars', '27,450 dollars'],
  // Amounts beside numbers that count something.
  ['Only 12,044 miles, now 27,450', 'now 27,450'],
  ['Service at 30,000 miles\nOil change for 45', 'Oil change for 45'],
  ['Lease a RX 350 for 36 months at 459', '36 months at 459'],
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
  // Mileages and what is due by them.
  'Low miles: 12,044! Odometer: 41,870. Mileage is 64,200 and every service was done here.',
  'Timing belt done at 98,000, brakes at 41,500, new tires at 62,500 miles.',
  'We recommend an inspection at 15,000, 30,000 and 45,000 miles, and new oil every 7,500.',
  'The 60k service is done. Only 3,200 on the clock. Drives like 20k.',
  '5-year/60,000-mile powertrain warranty, then 10 year/100K on the battery',
  'Leases include 10,000, 12,000 or 15,000 miles a year',
  // What a vehicle can do.
  'Rated to tow 11,200 lbs. Payload: 1,940. GVWR 10,000. Tows up to 8,250.',
  '475 horsepower at 5,750 rpm, redline at 7,250',
  'Length 231.70 in, wheelbase of 157.20 inches, front legroom 43.90',
  'Wheels of 18 or 20 in, 35" tires, a 12.30-inch screen',
  // Models, places and numbers to call.
  'Now 1500, 2500 and 3500 chassis cabs. Lease a Lexus RX 350 for 36 months.',
  'One price. 5500 Madison Avenue, Sacramento, CA 95841. See the price, call 916-555-0188.',
  'Take exit 98 off I-80. We are 500 feet off the freeway, at 12001 Folsom Blvd.',
  'Stock: 48213. Text START to 55512. Use code WINTER250. Unit 14022 is in Folsom.',
  // Days and hours.
  'Save the day: 4.18.2027. Sale: 12/1 to 12/24. Special hours: 10 to 4. Today until 20:00.',
  'Sale ends November 30, 2026. Open 9-7. December 5, 12 and 19.',
  // What was counted.
  'We sold 4,812 vehicles last year, more than 12,310 since 2019. Trees planted: 5,250.',
  'Rated 4.85 of 5 by 3,418 customers. Our score is 98.50.',
  'Happy customers\n12,315\nReviews\n1,884',
  'Limited run of 2,500, one of 1,995 built',
  // Words for prices without one.
  '30 off-lease vehicles arrived. 50 off-road tires. Half off the first detail.',
  'APR from 2.99% for 36, 48 or 60 months. Lease for 24 or 36. Finance up to 84 months.',
  'Save 45 minutes. Save up to 600 gallons. Get 330 miles of range. Get back on the road in 45 minutes.',
  'Tires from 15 to 22 inches. Oil changes: 0W-20 or 5W-30. Rotation every 5,000 to 7,500.',
  'Pay in 60 seconds. Pay at 1 of 3 desks. Fees: see page 12. Worth a 60-mile drive.',
  'Earn 500 points. 1,000 bonus points when you join. Gift cards for the first 100.',
  'Twenty-five years in business. Two thousand cars. One hundred thousand miles, one owner.',
])('no amount: %s', (text) => {
  expect(find(text)).toBeNull()
})

test('what is taken off is allowed in a special', () => {
  expect(findAmount('$20 off an oil change', { mayBeOff: true })).toBeNull()
  expect(findAmount('Oil change 2026\n$20 off', { mayBeOff: true })).toBeNull()
  expect(findAmount('Take 1,500 off any truck, or five hundred off', { mayBeOff: true })).toBeNull()
  expect(findAmount('$20 off, now 19.95 dollars', { mayBeOff: true })).toBe('19.95 dollars')
  expect(findAmount('1,500 off, now 24,990', { mayBeOff: true })).toBe('now 24,990')
})

test('two fields are read on', () => {
  expect(find('Our price\n19,995 today')).toBe('price 19,995')
  expect(find('Oil change\n49')).toBe('Oil change 49')
})

test.each([
  '1',
  '1,',
  '111,',
  '1.',
  "1'",
  '1,000 and ',
  'price is from at ',
  'twenty ',
  '12 off ',
  '[a](',
  'miles: of ',
])('a long text of “%s” ends', (part) => {
  expect(find(`${part.repeat(4_000 / part.length)}miles`)).toBeNull()
})
