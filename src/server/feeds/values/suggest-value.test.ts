import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { canonicalValue } from '#contract/vehicles/vin/canonical.ts'
import { type FeedRow, textOf } from '#contract/feeds/mappings/source-row.ts'
import { ANY_SHAPE } from '#contract/feeds/mappings/feed-shape.ts'
import { BUILT_IN_VALUES } from '#contract/feeds/values/built-in-values.ts'
import { MAPPED_FIELDS, type MappedField, valueKey } from '#contract/feeds/values/mapped-fields.ts'
import { feedsIn, REAL_FEEDS } from '#test/factories/feeds/real-feeds.ts'
import { openFeed } from '#server/formats/open-feed.ts'
import { similarity } from '#contract/parsing/similarity.ts'
import { decodeVinField } from './note-unmapped.ts'
import { suggestValue } from './suggest-value.ts'

const suggest = (field: MappedField, raw: string, vinValues: (string | null)[] = []) =>
  suggestValue({ field, raw, vinValues, known: [] })

describe('suggestValue', () => {
  test('follows five VINs that agree, with more certainty the more VINs there are', () => {
    const five = suggest('body', 'Grand Cherokee', Array(5).fill('SUV'))
    expect(five).toEqual({ value: 'SUV', certainty: 97, reason: '5 of 5 sample VINs decode to SUV.' })
    expect(suggest('body', 'Grand Cherokee', ['SUV'])?.certainty).toBe(75)
  })

  test('has low certainty if VINs disagree', () => {
    expect(suggest('body', 'Compass', ['SUV', 'SUV', 'SUV', 'Sedan'])?.certainty).toBeLessThan(80)
  })

  test('corrects a typo, with less certainty if the VINs disagree', () => {
    const slip = suggest('transmission', 'Automtic')
    expect(slip).toMatchObject({ value: 'Automatic' })
    expect(slip?.certainty).toBeLessThan(95)
    expect(suggest('body', 'Convertble', ['SUV', 'SUV'])?.certainty).toBeLessThan(80)
  })

  test('combines spelling and VINs', () => {
    expect(suggest('make', 'Ford Truck', ['Ford'])).toMatchObject({ value: 'Ford', certainty: 95 })
  })

  test("uses the customer's existing mappings", () => {
    const known = [{ raw: 'Geartronic 8', canonical: 'Automatic' }]
    const made = suggestValue({ field: 'transmission', raw: 'GEARTRONIC-8', vinValues: [], known })
    expect(made).toMatchObject({ value: 'Automatic', certainty: 99 })
  })

  test('returns null without evidence', () => {
    expect(suggest('genericColor', 'Meteorite')).toBeNull()
    expect(suggest('model', 'Wrangler Unlimi', ['Wrangler'])).toBeNull()
  })
})

test('counts swapped letters once and never finds short words similar by chance', () => {
  expect(similarity('Sedna', 'Sedan')).toBeCloseTo(0.8 ** 1.5)
  expect(similarity('FWD', 'RWD')).toBe(0)
  expect(similarity('Cab & Chassis', 'cab chassis')).toBe(1)
})

test('maps every built-in spelling to its standard value', () => {
  const wrong = MAPPED_FIELDS.flatMap((field) =>
    BUILT_IN_VALUES[field].flatMap(({ value, spellings }) =>
      [value, ...spellings].flatMap((one) =>
        canonicalValue(field, one) === value ? [] : [`${field} ${one}: ${canonicalValue(field, one)}`],
      ),
    ),
  )
  expect(wrong).toEqual([])
})

/** The correct values of spellings in real feeds that have no built-in mapping; found by looking at the vehicles. */
const TRUTH: Readonly<Record<string, string>> = {
  caravan: 'Minivan',
  'grand caravan': 'Minivan',
  'town & country': 'Minivan',
  pacifica: 'Minivan',
  giulia: 'Sedan',
  challenger: 'Coupe',
  mustang: 'Coupe',
  '200': 'Sedan',
  fusion: 'Sedan',
  malibu: 'Sedan',
  continental: 'Sedan',
  dart: 'Sedan',
  small_car: 'Hatchback',
  '500l': 'Hatchback',
  '2500': 'Truck',
  '1500': 'Truck',
  ram: 'Truck',
  gladiator: 'Truck',
  tacoma: 'Truck',
}
const isSuv = /stelvio|renegade|cherokee|wrangler|compass|durango|journey|sorento|equinox|escape|rogue|qx50/

/** Every distinct value of the matching columns, with some VINs of their rows. */
async function valuesOf(folder: string, column: RegExp): Promise<Map<string, string[]>> {
  const values = new Map<string, string[]>()
  for (const file of feedsIn(folder)) {
    const feed = await openFeed(createReadStream(join(folder, file)), ANY_SHAPE)
    const wanted = feed.columns.filter((one) => column.test(one))
    const vinColumn = feed.columns.find((one) => /^vin$/i.test(one)) ?? ''
    for await (const row of feed.rows) for (const one of wanted) note(values, row, { one, vinColumn })
  }
  return values
}

function note(
  values: Map<string, string[]>,
  row: FeedRow,
  { one, vinColumn }: { one: string; vinColumn: string },
) {
  const value = valueKey(textOf(row, one))
  const vin = textOf(row, vinColumn)
  const vins = values.get(value) ?? []
  if (value !== '' && value.length < 60) values.set(value, vins)
  if (vin.length === 17 && vins.length < 5 && !vins.includes(vin)) vins.push(vin)
}

describe.skipIf(REAL_FEEDS === null)('real feeds (skipped if ../shared/data is missing)', () => {
  test.for([
    ['body', /body/i],
    ['transmission', /trans/i],
  ] as const)(
    'suggests correct values for %s, and is never both certain and wrong',
    async ([field, column]) => {
      const figures = { spellings: 0, known: 0, right: 0, wrong: 0, none: 0, sure: 0, sureWrong: 0 }
      const mistakes: string[] = []
      for (const [raw, vins] of await valuesOf(REAL_FEEDS ?? '', column)) {
        figures.spellings += 1
        const known = canonicalValue(field, raw)
        if (known !== null) figures.known += 1
        const truth = known ?? TRUTH[raw] ?? (isSuv.test(raw) ? 'SUV' : null)
        const vinValues = vins.map((vin) => decodeVinField(field, vin, 2026))
        const suggestion = suggest(field, raw, vinValues)
        const isRight = suggestion?.value === truth
        if (suggestion === null) figures.none += 1
        else if (isRight) figures.right += 1
        else figures.wrong += 1
        if (suggestion !== null && suggestion.certainty >= 95) {
          figures.sure += 1
          if (!isRight) figures.sureWrong += 1
        }
        if (suggestion !== null && !isRight)
          mistakes.push(`${raw}: ${suggestion.value} ${suggestion.certainty}, not ${truth}`)
      }
      process.stdout.write(`suggestions for ${field}: ${JSON.stringify(figures)} ${mistakes.join('; ')}\n`)
      expect(figures.spellings).toBeGreaterThan(10)
      expect(figures.sureWrong).toBe(0)
      expect(figures.right).toBeGreaterThan(figures.wrong * 5)
    },
  )
})
