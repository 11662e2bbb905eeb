import { describe, expect, test } from 'vitest'
import { hitsOf, readPairs, readToyotas, readVinCases } from '#test/factories/vehicles/vin-pairs.ts'
import { decodeVin } from './decode-vin.ts'

const NOW = 2026
const summarize = (vin: string) => {
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
  expect(summarize(vin ?? '')).toBe(vehicle)
})

test('ignores case, spaces and dashes', () => {
  expect(decodeVin(' 1hgcm 82633-a004352 ', NOW)).toMatchObject({ vin: '1HGCM82633A004352', refusal: null })
})

test('rejects a letter that VINs cannot contain and suggests a correction', () => {
  expect(decodeVin('1HGCM82633AOO4352', NOW)).toMatchObject({
    refusal: "A VIN can't contain the letter O.",
    suggestion: '1HGCM82633A004352',
    values: {},
  })
})

test('reports a wrong check digit but still decodes the vehicle', () => {
  const { checkDigit, warnings, values } = decodeVin('1HGCM82643A004352', NOW)
  expect(checkDigit).toEqual({ verdict: 'wrong', found: '4', expected: '3' })
  expect(warnings).toEqual(['The check digit (character 9) is 4 but should be 3.'])
  expect(values.model?.value).toBe('Accord')
})

test('does not warn about a filler check digit in a European VIN', () => {
  const { checkDigit, warnings, values } = decodeVin('WVWZZZ1JZ3W386752', NOW)
  expect(checkDigit.verdict).toBe('unused')
  expect(warnings.join(' ')).not.toContain('check digit')
  expect(values.make?.value).toBe('Volkswagen')
})

test('decodes a VIN with a masked serial number, without a check digit', () => {
  const { refusal, checkDigit, warnings, values } = decodeVin('2T3A1RFV0PC28I073', NOW)
  expect([refusal, checkDigit.verdict, checkDigit.expected]).toEqual([null, 'unused', ''])
  expect(warnings).toEqual(['The serial number has a letter where a digit is expected. It may be masked.'])
  expect(values.model?.value).toBe('RAV4')
})

test('uses character 7 of a car to choose between the two model years of character 10', () => {
  expect(summarize('1G1YY22G9Y5100001')).toMatch(/^2000 Chevrolet/)
  expect(summarize('1G1YC2D47Y5102754')).toMatch(/^2000 Chevrolet/)
  expect(decodeVin('1FTFW1E59NKD69096', NOW).values.year?.value).toBe('2022')
  expect(decodeVin('1FTEF15N0NLA00001', NOW).values.year?.value).toBe('1992')
})

test('uses the later year for a bus or heavy truck and warns that it is ambiguous', () => {
  const { values, warnings } = decodeVin('1M8GDM9AXKP042788', NOW)
  expect(values.year?.value).toBe('2019')
  expect(warnings).toEqual(['Character 10 could mean 2019 or 1989.'])
})

test('accepts next model year as the latest', () => {
  expect(decodeVin('3FTTW8A35TRA58370', 2026).values.year?.value).toBe('2026')
  expect(decodeVin('3FTTW8A35VRA58370', 2026).values.year?.value).toBe('2027')
  expect(decodeVin('3FTTW8A35WRA58370', 2026).values.year?.value).toBe('1998')
})

test('states which characters each value comes from', () => {
  const { values } = decodeVin('1FTFW5L86RFB45612', NOW)
  expect(values.year?.from).toBe('Character 10: R')
  expect(values.model).toEqual({ value: 'F-150', from: 'Characters 4 to 6: FW5' })
  expect(values.engine).toEqual({ value: '3.5 L V6 turbo, GTDI', from: 'Characters 5 to 8: W5L8' })
})

test('states when a value applies to all vehicles of the manufacturer', () => {
  const { fuel } = decodeVin('1HD9P2AMYHU3NRZR0', NOW).values
  expect(fuel).toEqual({ value: 'Gasoline', from: 'All vehicles with this manufacturer code and year' })
})

test('never throws, whatever text is entered', () => {
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

describe.skipIf(pairs === null || feedPairs === null || cases === null)('real VINs in ../shared/data', () => {
  const shareOf = (all: NonNullable<typeof pairs>, what: 'year' | 'make' | 'model' | 'sameModel') =>
    all.filter((pair) => hitsOf(pair, decodeVin(pair.vin, NOW))[what]).length / all.length

  test('decodes year and make of at least 99% and the model of at least 94%', () => {
    const all = pairs ?? []
    expect(shareOf(all, 'year')).toBeGreaterThanOrEqual(0.99)
    expect(shareOf(all, 'make')).toBeGreaterThanOrEqual(0.99)
    expect(shareOf(all, 'model')).toBeGreaterThanOrEqual(0.94)
    expect(shareOf(all, 'sameModel')).toBeGreaterThanOrEqual(0.94)
  })

  test('does the same for a real feed, in which some years are wrong', () => {
    const all = feedPairs ?? []
    expect(shareOf(all, 'year')).toBeGreaterThanOrEqual(0.98)
    expect(shareOf(all, 'make')).toBeGreaterThanOrEqual(0.99)
    expect(shareOf(all, 'model')).toBeGreaterThanOrEqual(0.94)
  })

  test('handles every case of format and check digit', () => {
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

  test.for(['Camry', 'RAV4', 'Sienna', 'Tundra'])(
    'decodes every %s in Toyota inventory, including masked VINs',
    (model) => {
      const wrong = (readToyotas(model) ?? []).filter((pair) => {
        const decoded = decodeVin(pair.vin, NOW)
        const { year, make, model: isModel } = hitsOf(pair, decoded)
        return decoded.refusal !== null || !year || !make || !isModel
      })
      expect(wrong).toEqual([])
    },
  )
})
