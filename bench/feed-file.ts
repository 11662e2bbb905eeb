import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The columns of a generated feed, with typical provider names. */
export const FEED_COLUMNS = [
  'VIN',
  'Stock Number',
  'Year',
  'Make',
  'Model',
  'Trim',
  'Body',
  'Exterior Color',
  'Mileage',
  'Price',
  'MSRP',
  'Fuel Type',
  'Transmission',
  'Drivetrain',
  'Description',
  'Photo URLs',
] as const

/** VIN prefixes that can be decoded, with the vehicle data in the feed. */
const MODELS = [
  ['1FTFW5L8', 'Ford', 'F-150', 'XLT', 'Truck'],
  ['1HGCM826', 'Honda', 'Accord', 'EX', 'Sedan'],
  ['5YJSA1E2', 'Tesla', 'Model S', '', 'Hatchback'],
  ['1FA6P8CF', 'Ford', 'Mustang', 'GT', 'Coupe'],
  ['JTDKARFU', 'Toyota', 'Prius', 'LE', 'Hatchback'],
] as const
const COLORS = ['Oxford White', 'Carbon Gray', 'Race Red', 'Blue'] as const

/** Percentage of vehicles with a different price in the next edition. */
const CHANGED_OF_100 = 14

/** Vehicles of a feed: `rows` of them, from number `first` on. In another edition, 14% of the prices are different. */
export type FeedPart = { first: number; rows: number; edition: number }

/** Writes a CSV of vehicles that depends only on the vehicles' numbers, so it is the same at every run. */
export async function writeFeed(path: string, ...parts: readonly FeedPart[]): Promise<void> {
  await pipeline(Readable.from(textOf(parts)), createWriteStream(path))
}

function* textOf(parts: readonly FeedPart[]): Generator<string> {
  let text = `${FEED_COLUMNS.join(',')}\n`
  for (const { first, rows, edition } of parts) {
    for (let n = first; n < first + rows; n += 1) {
      text += rowOf(n, edition)
      if (text.length < 65_536) continue
      yield text
      text = ''
    }
  }
  yield text
}

function rowOf(n: number, edition: number): string {
  const [start, make, model, trim, body] = MODELS[n % MODELS.length] ?? MODELS[0]
  const vin = `${start}0P${String(n).padStart(7, '0')}`
  const isChanged = edition > 0 && (n * 7) % 100 < CHANGED_OF_100
  const price = 15_000 + ((n * 37) % 40_000) + (isChanged ? edition * 100 : 0)
  const color = COLORS[n % COLORS.length] ?? ''
  const photos = [1, 2, 3].map((at) => `https://photos.example/${vin}/${at}.jpg`).join('|')
  const words = `"One owner, clean history. ${color} ${make} ${model}, number ${n}."`
  return `${vin},B${n},2023,${make},${model},${trim},${body},${color},${(n * 13) % 90_000},${price},${price + 2_000},Gasoline,Automatic,AWD,${words},${photos}\n`
}
