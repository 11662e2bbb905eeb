import { expect, test } from 'vitest'
import { isBlockType, type StoredBlock } from './blocks.ts'
import { faultsOnSave } from './check-blocks.ts'
import { addressPriceFault, priceFault } from './typed-prices.ts'

const block = (type: string, data: Record<string, unknown>, id = type): StoredBlock => {
  if (!isBlockType(type)) throw new Error(`${type} is no type.`)
  return { id, type, v: 1, data }
}
const button = { label: '', href: '' }
const shot = { path: 'front.jpg', alt: 'The front' }
const text = (words: string, id = 'text') => block('text', { heading: '', text: words }, id)
const hero = (title: string, href = '') =>
  block('hero', { title, text: '', picture: { path: '', alt: '' }, button: { label: 'Go', href } })
const gallery = (heading: string, ...captions: string[]) =>
  block('gallery', { heading, pictures: captions.map((caption) => ({ picture: shot, caption })) })
const questions = (...items: [string, string][]) =>
  block('questions', { heading: '', items: items.map(([question, answer]) => ({ question, answer })) })
const special = (saving: string, title = 'Oil change and inspection') =>
  block('specials', {
    heading: '',
    items: [{ title, saving, text: '', endsOn: '2026-12-31', terms: 'See the store.' }],
  })
const vehicle = (heading: string) =>
  block('vehicle', { heading, vehicleId: '1', hasPhotos: true, hasPrice: false, hasDetails: true })
const columns = (heading: string, words: string) =>
  block('columns', {
    heading: '',
    columns: [{ heading, text: words, picture: { path: '', alt: '' }, button }],
  })
const staff = (email: string) =>
  block('staff', { heading: '', people: [{ name: 'Ann', role: 'Sales', phone: '', email }] })

test.each<[string, StoredBlock[]]>([
  ['a saving that is only a number', [special('38,500')]],
  ['a saving that is a small number', [special('20')]],
  ['a saving that is a discount of a vehicle', [special('$20,000 off')]],
  ['a discount of a vehicle in the title of a special', [special('15% off', '$5,000 off any F-150')]],
  ['two neighboring texts', [text('Only $', 'a'), text('24,990 today', 'b')]],
  ['a text with a colon above a number', [text('Price:', 'a'), text('24,990', 'b')]],
  ['a text above a hero', [text('for only'), hero('24,990')]],
  ['captions of a gallery', [gallery('Only', '24,990', 'dollars')]],
  ['a number as the heading of a vehicle', [vehicle('24,990!')]],
  ['an answer to "how much"', [questions(['How much is it?', 'About 38,500.'])]],
  ['a number as the next question', [questions(['What does it cost?', 'See below.'], ['38,500', 'Yes.'])]],
  ['an amount off a vehicle', [special('$500 off', 'F-150 XLT')]],
  ['a share off a vehicle', [special('15% off', '2023 Ford Escape')]],
  ['half the price of a vehicle', [special('Half price', 'Any Ford')]],
  ['the address of a button', [hero('Go', 'https://x.example/buy-for-$19,995')]],
  ['the parameter of a button', [hero('Go', '/?q=only+$19,995')]],
  ['an email address', [staff('only-19995-dollars@northgate.example')]],
])('%s is refused as a typed price', (_, blocks) => {
  expect(faultsOnSave(blocks, { layout: null, before: [] })).toHaveLength(1)
})

test.each<[string, StoredBlock[]]>([
  ['an amount off a service', [special('$20 off')]],
  ['a share off', [special('15% off')]],
  ['a share off a service of a vehicle', [special('15% off', 'Brake service for your F-150')]],
  ['something free with a vehicle', [special('Free floor mats', 'F-150 XLT')]],
  ['the most that is taken off', [special('$1,000 off')]],
  ['tires', [special('Buy 3, get 1 free')]],
  ['what a number counts in the next text', [columns('12,000', 'happy customers')]],
  ['years above each other', [text('Family owned since 1974', 'a'), text('2026 models are here', 'b')]],
  [
    'a text above a number that is counted',
    [text('Only at our stores.', 'a'), text('2,500 cars and trucks', 'b')],
  ],
  ['a question about cost without an amount', [questions(['What does a test drive cost?', 'Nothing.'])]],
  [
    'a question about costs with miles',
    [questions(['What do inspections cost?', 'Free up to 100,000 miles.'])],
  ],
  ['a filter of the list', [hero('Go', '/vehicles?maxPrice=20000')]],
  ['a page of a year', [hero('Go', '/p/sale-2026')]],
  ['a phone', [hero('Go', 'tel:+1-415-555-0100')]],
])('%s is no typed price', (_, blocks) => {
  expect(faultsOnSave(blocks, { layout: null, before: [] })).toEqual([])
})

test('addresses and a title with its description are read as visitors read them', () => {
  for (const address of ['only-19995-dollars', 'usd-19995', 'now-for-$500'])
    expect(addressPriceFault(address)).toContain('is typed by hand')
  for (const address of ['winter-sale-2026', 'f-150', 'h4k2kr', 'truck-month'])
    expect(addressPriceFault(address)).toBeNull()
  expect(priceFault('Our price 19,995 today')).toContain('19,995')
})
