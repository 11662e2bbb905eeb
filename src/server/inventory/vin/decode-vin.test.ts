import { describe, expect, test } from 'vitest'
import { hitsOf, readPairs, readToyotas, readVinCases } from '#test/factories/inventory/vin-pairs.ts'
import { decodeVin } from './decode-vin.ts'

const NOW = 2026
const tell = (vin: string) => {
  const { values } = decodeVin(vin, NOW)
  return [values.year, values.make, values.model].map((one) => one?.value ?? '?').join(' ')
}

test.for([
  ['1HGCM82633A004352', '2003 Honda Accord'],
  ['5YJSA1E21HF186172', '2017 Tesla Model S'],
  ['1FA6P8CF1J5109084', '2018 Ford Mustang'],
  ['JTDKARFU1J3073485', '2018 Toyota Prius'],
  ['1FVACYDC39HAJ2405', '2009 Freightliner M2'],
  ['1HD1KEM14DB652351', '2013 Harley-Davidson Electra Glide Ultra Limited'],
])('%s is a %s', ([vin, vehicle]) => {
  expect(tell(vin ?? '')).toBe(vehicle)
})

test('a VIN is read in whatever form it is written', () => {
  expect(decodeVin(' 1hgcm 82633-a004352 ', NOW)).toMatchObject({ vin: '1HGCM82633A004352', refusal: null })
})

test('a letter that no VIN has is refused, with the VIN it may be meant as', () => {
  expect(decodeVin('1HGCM82633AOO4352', NOW)).toMatchObject({
    refusal: 'No VIN has the letter O.',
    suggestion: '1HGCM82633A004352',
    values: {},
  })
})

test('a wrong check digit is told and nothing else: the vehicle is still found', () => {
  const { checkDigit, warnings, values } = decodeVin('1HGCM82643A004352', NOW)
  expect(checkDigit).toEqual({ verdict: 'wrong', found: '4', expected: '3' })
  expect(warnings).toEqual(['The check digit, character 9, is 4 and should be 3.'])
  expect(values.model?.value).toBe('Accord')
})

test('a filler for the check digit of a European VIN is no reason to warn', () => {
  const { checkDigit, warnings, values } = decodeVin('WVWZZZ1JZ3W386752', NOW)
  expect(checkDigit.verdict).toBe('unused')
  expect(warnings.join(' ')).not.toContain('check digit')
  expect(values.make?.value).toBe('Volkswagen')
})

test('a serial number that is masked by a letter of no VIN has no check digit, and is decoded', () => {
  const { refusal, checkDigit, warnings, values } = decodeVin('2T3A1RFV0PC28I073', NOW)
  expect([refusal, checkDigit.verdict, checkDigit.expected]).toEqual([null, 'unused', ''])
  expect(warnings).toEqual(['The serial number has a letter where there are digits: it may be masked.'])
  expect(values.model?.value).toBe('RAV4')
})

test('the seventh character tells which round of years the tenth means, for a car', () => {
  expect(tell('1G1YY22G9Y5100001')).toMatch(/^2000 Chevrolet/)
  expect(tell('1G1YC2D47Y5102754')).toMatch(/^2000 Chevrolet/)
  expect(decodeVin('1FTFW1E59NKD69096', NOW).values.year?.value).toBe('2022')
  expect(decodeVin('1FTEF15N0NLA00001', NOW).values.year?.value).toBe('1992')
})

test('of a bus or a heavy truck it tells nothing: the later year is taken, and the doubt told', () => {
  const { values, warnings } = decodeVin('1M8GDM9AXKP042788', NOW)
  expect(values.year?.value).toBe('2019')
  expect(warnings).toEqual(['Character 10 can mean 2019 or 1989.'])
})

test('next year is the last there can be', () => {
  expect(decodeVin('3FTTW8A35TRA58370', 2026).values.year?.value).toBe('2026')
  expect(decodeVin('3FTTW8A35VRA58370', 2026).values.year?.value).toBe('2027')
  expect(decodeVin('3FTTW8A35WRA58370', 2026).values.year?.value).toBe('1998')
})

test('each value says which characters it comes from', () => {
  const { values } = decodeVin('1FTFW5L86RFB45612', NOW)
  expect(values.year?.from).toBe('Character 10: R')
  expect(values.model).toEqual({ value: 'F-150', from: 'Characters 4 to 6: FW5' })
  expect(values.engine).toEqual({ value: '3.5 L V6 turbo, GTDI', from: 'Characters 5 to 8: W5L8' })
})

test('what a maker files of all its vehicles says so', () => {
  const { fuel } = decodeVin('1HD9P2AMYHU3NRZR0', NOW).values
  expect(fuel).toEqual({ value: 'Gasoline', from: 'All vehicles of that code and year' })
})

test('nothing that can be written into the field breaks it', () => {
  for (const written of [
    '',
    '0',
    '\u{1f697}'.repeat(17),
    '[*]|_#[A-Z]*|*_#',
    '0'.repeat(17),
    'Z'.repeat(17),
  ]) {
    expect(() => decodeVin(written, NOW)).not.toThrow()
  }
})

const pairs = readPairs('vin/decode_pairs.csv')
const feedPairs = readPairs('vin/feed_pairs.csv')
const cases = readVinCases()

describe.skipIf(pairs === null || feedPairs === null || cases === null)('real VINs of ../shared/data', () => {
  const shareOf = (all: NonNullable<typeof pairs>, what: 'year' | 'make' | 'model' | 'sameModel') =>
    all.filter((pair) => hitsOf(pair, decodeVin(pair.vin, NOW))[what]).length / all.length

  test('year and make of 99 in 100, the model of 94', () => {
    const all = pairs ?? []
    expect(shareOf(all, 'year')).toBeGreaterThanOrEqual(0.99)
    expect(shareOf(all, 'make')).toBeGreaterThanOrEqual(0.99)
    expect(shareOf(all, 'model')).toBeGreaterThanOrEqual(0.94)
    expect(shareOf(all, 'sameModel')).toBeGreaterThanOrEqual(0.94)
  })

  test('of a real feed as well, which has some years wrong itself', () => {
    const all = feedPairs ?? []
    expect(shareOf(all, 'year')).toBeGreaterThanOrEqual(0.98)
    expect(shareOf(all, 'make')).toBeGreaterThanOrEqual(0.99)
    expect(shareOf(all, 'model')).toBeGreaterThanOrEqual(0.94)
  })

  test('every case of form and check digit', () => {
    expect((cases ?? []).length).toBeGreaterThan(0)
    for (const { vin, isValid, isCheckDigitRight, note } of cases ?? []) {
      const { refusal, checkDigit } = decodeVin(vin, NOW)
      expect({ note, isValid: refusal === null, isRight: checkDigit.verdict === 'right' }).toEqual({
        note,
        isValid,
        isRight: isCheckDigitRight,
      })
    }
  })

  test.for(['Camry', 'RAV4', 'Sienna', 'Tundra'])('every %s that Toyota offers, masked ones too', (model) => {
    const wrong = (readToyotas(model) ?? []).filter((pair) => {
      const decoded = decodeVin(pair.vin, NOW)
      const { year, make, model: isModel } = hitsOf(pair, decoded)
      return decoded.refusal !== null || !year || !make || !isModel
    })
    expect(wrong).toEqual([])
  })
})
