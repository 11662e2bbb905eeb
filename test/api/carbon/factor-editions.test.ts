// @module-tag release
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EditionPreview, factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { FactorDataset, factors } from '#contract/carbon/factors/factors.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { between } from '#test/harness/concurrently.ts'
import { findReferenceFile, readReferenceFile } from '#test/harness/reference-data.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { multipart } from '#test/harness/multipart.ts'
import { fresh, testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const GIVEN = [
  'factors_epa_hub_2021.csv',
  'factors_epa_hub_2024.csv',
  'factors_epa_hub_2025.csv',
  'factors_desnz_2020.csv',
  'factors_desnz_2024.csv',
  'factors_desnz_2025_scope3_outside.csv',
  'factors_useeio_v1_3.csv',
  'factors_useeio_v1_3_bygas.csv',
  'factors_grid_ember_country.csv',
]

const DETAILS = {
  publisher: 'Ontario',
  title: 'Emission factors',
  edition: '2025',
  year: 2025,
  region: 'CA',
  license: 'OGL-CA',
  attribution: 'Government of Ontario',
}
const TABLE = `scope,category,name,activity_path,region,unit,calorific_basis,boundary,gas,kg,basis,biogenic,table,rows
1,Stationary combustion,Natural gas,combustion/natural-gas,CA-ON,m3,,ttw,CO2,1.921,gas,no,Table A,Ontario
1,Stationary combustion,Natural gas,combustion/natural-gas,CA-ON,m3,,ttw,CH4,3.7e-5,gas,no,Table A,Ontario
2,Electricity,Grid,electricity/grid,CA-ON,kWh,,generation,CO2e,0.030,co2e,no,Table B,Ontario
`

async function upload(
  endpoint: { path: string },
  { bytes, details, by = admin }: { bytes: string | Uint8Array; details?: object; by?: Caller },
): Promise<unknown> {
  const fields = details === undefined ? {} : { details: JSON.stringify(details) }
  const { payload, headers } = multipart(fields, [{ name: 'edition.csv', bytes: Buffer.from(bytes) }])
  const { body } = await forecourt.app.inject({
    method: 'POST',
    url: endpoint.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${by.token}` },
  })
  return JSON.parse(body)
}
const Refused = z.object({ status: z.literal(false), message: z.string() })
const read = async (bytes: string | Uint8Array) =>
  z.object({ data: EditionPreview }).parse(await upload(factorEditions.read, { bytes })).data
const add = async (bytes: string, details: object) =>
  z.object({ data: FactorDataset }).parse(await upload(factorEditions.add, { bytes, details })).data
const refused = async (bytes: string | Uint8Array, details?: object, by?: Caller) => {
  const input = { bytes, ...(details && { details }), ...(by && { by }) }
  return Refused.parse(await upload(details ? factorEditions.add : factorEditions.read, input)).message
}

describe('importing an edition', () => {
  test('previews without saving, adds factors that are picked, and can be deleted', async () => {
    const preview = await read(TABLE)
    expect(preview).toMatchObject({ form: 'long', lines: 3, factors: 2, refusedLines: 0, refused: [] })
    expect(preview.sample[0]?.gases).toEqual([
      { gas: 'CO2', isBiogenic: false, basis: 'gas', kg: '1.921' },
      { gas: 'CH4', isBiogenic: false, basis: 'gas', kg: '0.000037' },
    ])
    const edition = await add(TABLE, DETAILS)
    expect(edition).toMatchObject({ origin: 'imported', factors: 2, publisher: 'Ontario' })
    const wanted = { query: 'electricity/grid', region: 'CA-ON', date: '2025-06-01', unit: 'kWh' }
    const found = await admin.call(factors.find, wanted)
    expect(found.candidates.find(({ factor }) => factor.id === found.chosenId)?.factor).toMatchObject({
      datasetId: edition.id,
      co2e: '0.03',
      year: 2025,
    })

    const harbor = await forecourt.as('harbor.admin')
    expect((await harbor.call(factors.datasets, {})).datasets.map(({ id }) => id)).not.toContain(edition.id)
    expect((await refusalOf(harbor.call(factorEditions.remove, { id: edition.id }))).status).toBe(404)

    expect(await refused(TABLE, DETAILS)).toContain('This edition already exists')
    await admin.call(factorEditions.remove, { id: edition.id })
    expect((await admin.call(factors.find, wanted)).chosenId).toBe(null)
  })

  test('adds an edition only once if it is imported twice at the same time', async () => {
    const details = { ...DETAILS, edition: fresh('Edition') }
    const both = await Promise.all([0, 1].map(() => upload(factorEditions.add, { bytes: TABLE, details })))
    const done = both.map((answer) => z.object({ status: z.boolean() }).parse(answer).status)
    expect(done.toSorted((one, other) => Number(one) - Number(other))).toEqual([false, true])
  })

  test('cannot be deleted while its factors are being used', async () => {
    const edition = await add(TABLE.replaceAll('CA-ON', 'CA'), { ...DETAILS, edition: fresh('Edition') })
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `select id from emission_factors where dataset_id = $1 and activity = 'electricity/grid'`,
      [edition.id],
    )
    const factorId = rows[0]?.id ?? ''
    const world = await ledgerWorld(forecourt, await testOrganization(forecourt, 'Northgate Ford'), admin)
    const what = { activity: 'electricity/grid', scope: '2', unit: 'kWh', country: 'CA' } as const
    const source = await world.addSource(what)
    const [saved, removed] = await between(forecourt.owner, 'lock table calculation_lines in share mode', [
      () => world.save(source, bill('100', 'kWh', { factorId })),
      () => admin.call(factorEditions.remove, { id: edition.id }),
    ])
    expect(saved).toMatchObject({ value: { rows: [{ state: 'saved', record: { factorId } }] } })
    expect(removed).toMatchObject({ status: 'rejected', reason: { status: 409 } })
  })

  test('requires access to the whole customer', async () => {
    const dealer = await forecourt.as('northgate.dealer')
    expect(await refused(TABLE, DETAILS, dealer)).toMatch(/permission|whole customer/)
  })

  test('reads the DESNZ flat file from a workbook with text above the header row', async () => {
    const head = ['ID', 'Scope', 'Level 1', 'Level 2', 'Level 3', 'Level 4', 'Column Text', 'UOM', 'GHG/Unit']
    const bytes = await writeXlsx({
      sheets: [
        { name: 'Introduction', rows: [['About these factors']] },
        {
          name: 'Factors by Category',
          rows: [
            ['UK Government GHG Conversion Factors'],
            [],
            [...head, 'GHG Conversion Factor 2026'],
            ['1_1', 'Scope 1', 'Fuels', 'Gaseous fuels', 'Butane', '', '', 'tonnes', 'kg CO2e', 3033.38067],
            [
              '1_2',
              'Scope 1',
              'Fuels',
              'Gaseous fuels',
              'Butane',
              '',
              '',
              'tonnes',
              'kg CO2e of CO2 per unit',
              3029.26,
            ],
            ['2_1', 'Scope 3', 'WTT- fuels', 'Gaseous fuels', 'Butane', '', '', 'tonnes', 'kg CO2e', 344.3],
            [
              '3_1',
              'Outside of Scopes',
              'Outside of scopes',
              'Forecourt fuels',
              '',
              '',
              '',
              'litres',
              'kg CO2e',
              0.1,
            ],
            ['4_1', 'Scope 1', 'Fuels', 'Odd fuel', '', '', '', 'hogsheads', 'kg CO2e', 1],
          ],
        },
      ],
    })
    const preview = await read(bytes)
    expect(preview).toMatchObject({
      form: 'desnz',
      details: { publisher: 'UK DESNZ', year: 2026, region: 'GB', gwpSet: 'AR5' },
      lines: 5,
      factors: 3,
      refused: [{ line: 8, name: 'Odd fuel', sentence: expect.stringContaining('Unknown unit') }],
    })
    // The activity name of the library, so that a 2026 inventory finds it like the former edition.
    expect(preview.sample[0]).toMatchObject({ activity: 'combustion/butane', unit: 't', scopes: ['1'] })
    expect(preview.sample[0]?.gases.map(({ gas, basis }) => `${gas} ${basis}`)).toEqual([
      'CO2e co2e',
      'CO2 co2e',
    ])
    expect(preview.sample[1]?.scopes).toEqual(['3.3'])
  })

  test('reads the price year of spend-based factors', async () => {
    const preview = await read(
      `2017 NAICS Code,2017 NAICS Title,GHG,Unit,Supply Chain Emission Factors without Margins,Margins of Supply Chain Emission Factors,Supply Chain Emission Factors with Margins,Reference USEEIO Code
441110,New Car Dealers,All GHGs,"kg CO2e/2022 USD, purchaser price",0.091,0.010,0.101,4411A0
`,
    )
    expect(preview).toMatchObject({
      form: 'useeio',
      lines: 1,
      factors: 2,
      refused: [],
      details: { year: 2022 },
    })
  })
})

test.each([
  ['an empty file', '', 'The file is empty.'],
  ['an image', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'neither a CSV file nor a workbook'],
  ['a truncated workbook', Buffer.from('504b030400000000', 'hex'), "can't be read"],
  ['another table', 'a,b\n1,2\n', 'No sheet in this file has a known format'],
])('rejects %s with a sentence', async (_, bytes, sentence) => {
  expect(await refused(bytes)).toContain(sentence)
})

test('reports invalid lines with their line number and keeps the others', async () => {
  const preview = await read(
    `${TABLE}9,Odd,Somewhere,,CA,kWh,,ttw,CO2,1,gas,no,,\n1,Odd,Unit,,CA,hogsheads,,ttw,CO2,1,gas,no,,\n1,Odd,Gas,,CA,kg,,ttw,Phlogiston,1,gas,no,,\n1,Odd,Minus,,CA,kg,,ttw,CO2,-1,gas,no,,\n`,
  )
  expect(preview).toMatchObject({ lines: 7, factors: 2, refusedLines: 4 })
  expect(preview.refused.map(({ line, sentence }) => [line, sentence.slice(0, 24)])).toEqual([
    [5, 'Unknown scope \u201c9\u201d. Use 1'.slice(0, 24)],
    [6, 'Unknown unit \u201chogsheads\u201d'],
    [7, 'There is no GWP for \u201cPhl'],
    [8, "kg per unit can't be neg"],
  ])
})

test.skipIf(findReferenceFile('carbon') === null).each(GIVEN)(
  'a published table, %s, is accepted or rejected with a reason',
  async (name) => {
    const preview = await read(readReferenceFile(`carbon/${name}`) ?? '')
    const valid = preview.lines - preview.refusedLines
    console.log(
      `${name}: ${valid} of ${preview.lines} lines in ${preview.factors} factors, ${preview.known} of known activities`,
    )
    const reasons = Map.groupBy(preview.refused, ({ sentence }) => sentence)
    for (const [sentence, lines] of reasons) console.log(`  ${lines.length}+ rejected: ${sentence}`)
    expect(preview.refused.every(({ sentence }) => sentence.length > 10)).toBe(true)
    // The country averages are life-cycle values and not scope 2 factors, so all of them are rejected.
    expect(valid / preview.lines >= 0.9).toBe(!name.includes('ember'))
  },
)
