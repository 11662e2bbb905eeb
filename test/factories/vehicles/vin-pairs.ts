import { fitsVin } from '#contract/vehicles/vin/fits-vin.ts'
import type { VinFacts } from '#contract/vehicles/vin/vin.ts'
import { readReferenceFile } from '#test/harness/reference-data.ts'

/** A VIN with the expected vehicle. */
export type VinPair = { vin: string; year: string; make: string; model: string }
export type VinCase = { vin: string; isValid: boolean; isCheckDigitRight: boolean; note: string }
/** What a decoder got right. `model`: by the product's comparison; `sameModel`: equal except for case and punctuation. */
export type Hits = { year: boolean; make: boolean; model: boolean; sameModel: boolean }

const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','))

/** `vin/decode_pairs.csv` and `vin/feed_pairs.csv`. */
export function readPairs(path: string): VinPair[] | null {
  const text = readReferenceFile(path)
  return text === null
    ? null
    : rowsOf(text).map(([vin = '', year = '', make = '', model = '']) => ({ vin, year, make, model }))
}

/** `vin/validation_cases.csv`. */
export function readVinCases(): VinCase[] | null {
  const text = readReferenceFile('vin/validation_cases.csv')
  return text === null
    ? null
    : rowsOf(text).map(([vin = '', valid = '', right = '', note = '']) => ({
        vin,
        isValid: valid === 'yes',
        isCheckDigitRight: right.startsWith('yes'),
        note,
      }))
}

/** The vehicles in Toyota's file of one model. */
export function readToyotas(model: string): VinPair[] | null {
  const text = readReferenceFile(`feeds/toyota_oem_${model.toLowerCase()}.csv`)
  return text === null
    ? null
    : rowsOf(text).map((cells) => ({
        vin: cells.find((cell) => /^[A-Z0-9]{17}$/.test(cell)) ?? '',
        year: cells[0] ?? '',
        make: 'Toyota',
        model,
      }))
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '')

export function hitsOf({ year, make, model }: VinPair, { values }: VinFacts): Hits {
  return {
    year: values.year?.value === year,
    make: values.make !== undefined && fitsVin('make', make, values),
    model: values.model !== undefined && fitsVin('model', model, values),
    sameModel: plain(values.model?.value ?? '') === plain(model),
  }
}
