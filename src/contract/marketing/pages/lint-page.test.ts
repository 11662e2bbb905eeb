import { expect, test } from 'vitest'
import { blankBlock, type BlockType, type StoredBlock } from './blocks.ts'
import { lintPage, type PageFacts } from './lint-page.ts'

const FACTS: PageFacts = {
  laws: ['us'],
  hasFees: true,
  hasCertified: true,
  hasDisclaimers: true,
  gone: { vehicles: [], forms: [], lots: [] },
}
const NONE = { hasFees: false, hasCertified: false, hasDisclaimers: false }

const block = (type: BlockType, data: object, id: string = type): StoredBlock => {
  const blank = blankBlock(type, id)
  return { ...blank, data: { ...blank.data, ...data } }
}
const words = (text: string) => block('text', { text })
const findings = (
  blocks: StoredBlock[],
  more: Partial<Parameters<typeof lintPage>[0]> = {},
  facts: Partial<PageFacts> = {},
) =>
  lintPage(
    { title: 'Trucks', description: null, endsOn: null, blocks, locked: [], ...more },
    { ...FACTS, ...facts },
  ).map(({ severity, place, words: found }) => `${severity} ${place}: ${found}`)

const IN_TEXT = 'Block 1 (Text), Text'
test.each([
  ['Only 199 a month!', 'stops', '199 a month'],
  ['Lease it with nothing down.', 'stops', 'nothing down'],
  ['Drive home with no money down.', 'note', 'no money down'],
  ['0% financing all week.', 'stops', '0% financing'],
  ['0% APR financing for 72 months.', 'stops', 'APR financing for 72 months'],
  ['The lowest prices in town.', 'stops', 'lowest prices'],
  ['Best price guaranteed.', 'stops', 'Best price guaranteed'],
  ['We beat any dealer’s price.', 'stops', 'beat any dealer’s price'],
  ['Every truck below invoice.', 'stops', 'below invoice'],
  ['New SUVs at dealer cost.', 'stops', 'at dealer cost'],
  ['Only 3 left.', 'stops', 'Only 3 left'],
  ['A limited-time event.', 'stops', 'limited-time'],
  ['The sale ends today.', 'stops', 'ends today'],
  ['It was 31k and is now less.', 'stops', 'was 31k and is now'],
  ['Our winter clearance.', 'note', 'clearance'],
  ['A free oil change for everyone.', 'note', 'free'],
  ['15% off all tires.', 'note', '15% off'],
  ['Great cars, plus doc fees.', 'stops', 'plus doc fees'],
] as const)('%s', (text, severity, found) => {
  expect(findings([words(text)])).toEqual([`${severity} ${IN_TEXT}: ${found}`])
})

test.each(['All fees included.', 'Certified pre-owned SUVs.'])(
  'is true with what is entered, and not without: %s',
  (text) => {
    expect(findings([words(text)])).toEqual([])
    expect(findings([words(text)], {}, NONE)).toHaveLength(1)
  },
)

test.each([
  'Feel free to call our toll-free number. Accident-free cars, free of rust.',
  'Our certified technicians look at your car.',
  'Vehicles for sale at every store. Last year was good.',
  'The event ends today at the latest, on November 30.',
  'No down time while we work. It was here, and now it is there. Our last few years. 9 in. of ground clearance.',
  'A free car wash when you buy tires.',
  '0% APR financing for 72 months with 10% down.',
  'Lease for 199 per month, 36 months, $3,000 due at signing, no security deposit.',
])('has nothing against: %s', (text) => {
  expect(findings([words(text)])).toEqual([])
})

test('terms may be in another field of the block, in a disclaimer, and in one of the layout', () => {
  const terms = '0% APR for 72 months with 10% down.'
  const lead = block('hero', { title: '0% financing', text: '' })
  expect(findings([lead])).toEqual(['stops Block 1 (Hero), Title: 0% financing'])
  expect(findings([block('hero', { title: '0% financing', text: terms })])).toEqual([])
  expect(findings([lead, block('disclaimer', { text: terms })])).toEqual([])
  expect(findings([lead], { locked: [block('disclaimer', { text: terms }, 'locked')] })).toEqual([])
})

test('the last day of the page, of a countdown and of a special is an end', () => {
  const offer = 'A limited-time offer: 15% off'
  expect(findings([words(offer)], { endsOn: '2026-12-01' })).toEqual([])
  expect(findings([block('countdown', { text: offer, endsOn: '2026-12-01' })])).toEqual([])
  const special = {
    title: 'Tires',
    saving: '15% off',
    text: '',
    endsOn: '2026-12-01',
    terms: 'In stock only.',
  }
  expect(findings([block('specials', { items: [special] })])).toEqual([])
})

test('names block, field and place in a list, and the fields of the page itself', () => {
  const questions = block('questions', {
    items: [
      { question: 'Why us?', answer: 'Good cars.' },
      { question: 'Prices?', answer: 'The lowest prices.' },
    ],
  })
  expect(findings([words('Fine.'), questions], { title: 'Last chance', description: 'At cost' })).toEqual([
    'stops Title: Last chance',
    'stops Description: At cost',
    'stops Block 2 (Questions), Answer 2: lowest prices',
  ])
})

test('vehicles without a disclaimer, buttons without words and file names as texts are noted', () => {
  const vehicles = block('vehicles', {})
  expect(findings([vehicles], {}, NONE)).toEqual(['note Page: '])
  expect(findings([vehicles, block('disclaimer', { text: 'Prior sale.' })], {}, NONE)).toEqual([])
  const hero = block('hero', {
    title: 'Trucks',
    picture: { path: 'a.jpg', alt: 'IMG_1234.jpg' },
    button: { label: 'Click here', href: '/' },
  })
  expect(findings([hero])).toEqual([
    'note Block 1 (Hero), Button: Click here',
    'note Block 1 (Hero), Alternative text: IMG_1234.jpg',
  ])
})

test('follows the laws of all lots, and says each finding once', () => {
  expect(findings([words('0% financing.')], {}, { laws: ['us', 'us-ca'] })).toHaveLength(1)
  expect(findings([words('0% financing.')], {}, { laws: ['ca'] })).toEqual([])
  expect(findings([words('The lowest prices.')], {}, { laws: ['none'] })).toEqual([])
})
