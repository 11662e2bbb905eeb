import { expect, test } from 'vitest'
import {
  describeCounts,
  describeRun,
  describeTakenAway,
  fieldTitle,
  refuseFiles,
  showFeedValue,
  sortChanges,
} from './feed-labels.ts'

const counts = { new: 12, changed: 41, prices: 8, missing: 3, refused: 2, leftOut: 4 }
const none = { new: 0, changed: 0, prices: 0, missing: 0, refused: 0, leftOut: 0 }

test('summarizes a run without zero counts', () => {
  expect(describeCounts(counts)).toBe('12 new, 41 changed (8 prices), 3 missing, 2 rejected, 4 left out')
  expect(describeCounts({ ...none, changed: 1, prices: 1 })).toBe('1 changed (1 price)')
  expect(describeCounts(none)).toBe('no changes')
})

test('never rounds the share of matched columns up to 100%', () => {
  expect(describeRun({ ...none, columns: { known: 299, total: 300 } })).toBe(
    '99% of columns matched: no changes.',
  )
  expect(describeRun({ ...none, new: 1, columns: null })).toBe('1 new.')
})

test('says what a run takes away, in the past tense once it is applied', () => {
  const takenAway = { gone: 1, removed: 2, prices: 2, photos: 1, mileages: 1, lowerMileages: 0 }
  const said =
    'away: 1 vehicle sold or archived, 2 vehicles removed, the price of 2 vehicles, photos of 1 vehicle, the mileage of 1 vehicle.'
  expect(describeTakenAway({ takenAway, backOnSale: 0, moved: 0, status: 'review', heldPrices: null })).toBe(
    `Takes ${said}`,
  )
  const heldPrices = { open: 3, sentence: '' }
  expect(describeTakenAway({ takenAway, backOnSale: 0, moved: 0, status: 'applied', heldPrices })).toBe(
    `Took ${said} 3 prices not taken.`,
  )
  const nothing = { gone: 0, removed: 0, prices: 0, photos: 0, mileages: 0, lowerMileages: 0 }
  const silent = { takenAway: nothing, heldPrices: null }
  expect(describeTakenAway({ ...silent, backOnSale: 0, moved: 0, status: 'ready' })).toBe('')
  expect(describeTakenAway({ ...silent, backOnSale: 1, moved: 0, status: 'ready' })).toBe(
    'Puts 1 vehicle back on sale.',
  )
  expect(describeTakenAway({ ...silent, backOnSale: 2, moved: 1, status: 'applied' })).toBe(
    'Put 2 vehicles back on sale. Moved 1 vehicle to another lot.',
  )
})

test('formats values for display under either field name', () => {
  expect(fieldTitle('priceCents')).toBe('Price')
  expect(fieldTitle('price')).toBe('Price')
  expect(fieldTitle('lotId')).toBe('Lot')
  expect(showFeedValue('priceCents', 4_500_000)).toBe('45,000.00')
  expect(showFeedValue('year', 2023)).toBe('2023')
  expect(showFeedValue('mileage', 18_240)).toBe('18,240')
  expect(showFeedValue('photos', ['a', 'b'])).toBe('2 photos')
  expect(showFeedValue('options', [])).toBe('none')
  expect(showFeedValue('trim', null)).toBe('none')
})

test('sorts the price first', () => {
  const change = (field: string) => ({ field, before: null, after: 1, isFromVin: false })
  const sorted = sortChanges([change('doors'), change('mileage'), change('priceCents')])
  expect(sorted.map(({ field }) => field)).toEqual(['priceCents', 'mileage', 'doors'])
})

test('lists the files when there are too many, and uploads none', () => {
  const named = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at + 1}.csv` }))
  const rule = { most: 2, rule: 'A feed is one file, or two.' }
  expect([refuseFiles(named(1), rule), refuseFiles(named(2), rule)]).toEqual([null, null])
  expect(refuseFiles(named(3), rule)).toBe(
    "These files weren't uploaded: 1.csv, 2.csv, 3.csv. A feed is one file, or two.",
  )
  expect(refuseFiles(named(1_200), rule)).toBe(
    "These files weren't uploaded: 1.csv, 2.csv, 3.csv, 4.csv, 5.csv, 1,195 more. A feed is one file, or two.",
  )
  expect(refuseFiles([], rule)).toBe("Folders can't be uploaded. Drop the files in the folder instead.")
})
