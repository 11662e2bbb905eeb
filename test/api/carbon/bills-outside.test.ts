import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { importWorld, type ImportOptions } from '#test/factories/carbon/import-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { findReferenceFile } from '#test/harness/reference-data.ts'

/** Small files of the kinds that public bug reports describe, with what has to happen in expected.json beside their folder. */
const FOLDER = findReferenceFile('outside/carbon')

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const bytesOf = (name: string): Buffer => readFileSync(`${FOLDER}/${name}`)
/** What a file became: the quantity and period of each record. */
async function importOf(
  name: string,
  {
    answers = {},
    isGas = false,
    ...options
  }: ImportOptions & { answers?: Record<string, string>; isGas?: boolean } = {},
) {
  const world = await importWorld(forecourt, ford, admin)
  const sourceId = isGas ? world.gas : world.power
  const { first, last, done } = await world.bring(bytesOf(name), answers, {
    ...options,
    sourceId,
    file: name,
  })
  const records = await world.records()
  const months = (await world.totals()).months
  const rows = records.map(({ quantity, periodStart, periodEnd }) => [
    periodStart,
    periodEnd,
    Number(quantity),
  ])
  return {
    world,
    first,
    last,
    done,
    records,
    rows,
    months,
    sum: records.reduce((all, { quantity }) => all + Number(quantity), 0),
  }
}
type Tested = (of: Record<string, unknown>) => Promise<void>

const quantities = ({ records }: Awaited<ReturnType<typeof importOf>>) =>
  records.map(({ quantity }) => Number(quantity))

/** By the name of the file, or the entry of expected.json. */
const TESTS: Record<string, Tested> = {
  'meter-multiplier.csv': async ({ quantities_kWh: wanted }) => {
    const found = await importOf('meter-multiplier.csv')
    expect(quantities(found)).toEqual(wanted)
    expect(found.first.questions).toEqual([])
  },
  'gas-units.csv': async () => {
    const found = await importOf('gas-units.csv', { isGas: true })
    const stored = found.records.map(
      ({ periodStart, quantity, unit }) => `${periodStart.slice(5, 7)} ${Number(quantity)} ${unit}`,
    )
    expect(stored).toEqual([
      '01 12 MMcf',
      '02 900 Mcf',
      '03 80 mmBtu',
      '04 95 therm',
      '05 12 Dth',
      '07 50 ccf',
    ])
    expect(found.first.questions).toMatchObject([{ id: 'unit:mbtu', answer: null, lines: 1 }])
    expect(found.first.shown[0]).toMatchObject({ state: 'open', line: 7 })
    // The results, in kg: about 5.3 per therm.
    const kg = found.records.map(({ result }) => Number(result?.kg) / 5.31)
    const wanted = [124_000, 9_300, 800, 95, 120, 51.8]
    for (const [at, therms] of wanted.entries()) expect((kg[at] ?? 0) / therms).toBeCloseTo(1, 1)
  },
  'portal-meter-number-as-usage.csv': async ({ quantities_kWh: wanted }) => {
    const found = await importOf('portal-meter-number-as-usage.csv')
    expect(quantities(found)).toEqual(wanted)
    expect(found.records.map(({ cost }) => Number(cost))).toEqual([310.25, 320.75])
  },
  'amount-is-dollars.csv': async ({ quantities_kWh: wanted, cost }) => {
    const found = await importOf('amount-is-dollars.csv')
    expect(quantities(found)).toEqual(wanted)
    expect(found.records.map((record) => Number(record.cost))).toEqual(cost)
  },
  'espm-shared-days.csv': async ({ sum_kWh: sum }) => {
    const found = await importOf('espm-shared-days.csv')
    expect(found.sum).toBe(sum)
    expect(found.first.questions).toMatchObject([{ id: 'endDay', answer: 'next', isProposed: true }])
    expect(found.first.shown.flatMap(({ problems }) => problems)).toEqual([])
    expect(found.rows.at(-1)).toEqual(['2025-12-01', '2025-12-31', 3_720])
  },
  'first.csv then carbon/corrected.csv': async ({ sum_kWh: sum }) => {
    const found = await importOf('first.csv')
    const again = await found.world.preview(bytesOf('corrected.csv'))
    expect(again).toMatchObject({ ready: 0, open: 1, questions: [{ id: 'replace', answer: null }] })
    await found.world.bring(bytesOf('corrected.csv'), { replace: 'replace' })
    expect((await found.world.records()).map(({ quantity, version }) => [Number(quantity), version])).toEqual(
      [[sum, 2]],
    )
  },
  'am-pm.csv': async ({ from, to, quantity_kWh: quantity }) =>
    expect((await importOf('am-pm.csv')).rows).toEqual([[from, to, quantity]]),
  'compact-dates.csv': async ({ from, to, quantity_kWh: quantity }) =>
    expect((await importOf('compact-dates.csv')).rows).toEqual([[from, to, quantity]]),
  'credit.csv': async ({ sum_kWh: sum }) => expect((await importOf('credit.csv')).sum).toBe(sum),
  'interval-quarters.csv': async ({ sum_kWh: sum, days }) => {
    const found = await importOf('interval-quarters.csv')
    expect(found.sum).toBe(sum)
    expect(Object.fromEntries(found.rows.map(([day, , quantity]) => [day, quantity]))).toEqual(days)
    expect(found.first.sentence).toBe('192 lines, summed to 2 days: 2 valid.')
  },
  'read-dates.csv': async (must) => {
    const found = await importOf('read-dates.csv')
    expect(found.rows).toEqual(must)
    expect(found.first.shown[0]).toMatchObject({
      line: 2,
      state: 'refused',
      problems: [{ field: 'readDate' }],
    })
  },
  'french-1252.csv': async ({ quantities_kWh: wanted }) =>
    expect(quantities(await importOf('french-1252.csv'))).toEqual(wanted),
}

describe.skipIf(FOLDER === null)(
  'Skipped if ../shared/data/outside/carbon is not on this machine: bills of others',
  () => {
    const all: Record<string, { must?: Record<string, unknown> }> =
      FOLDER === null ? {} : JSON.parse(readFileSync(`${FOLDER}/../expected.json`, 'utf8'))
    const expected = Object.entries(all).flatMap(([name, { must }]) =>
      name.startsWith('carbon/') ? [{ name: name.slice('carbon/'.length), must: must ?? {} }] : [],
    )

    test('there is a test for each file', () => {
      const tested = Object.keys(TESTS).join(' ')
      expect(readdirSync(FOLDER ?? '.').filter((name) => !tested.includes(name))).toEqual([])
      expect(expected.filter(({ name }) => TESTS[name] === undefined)).toEqual([])
    })

    test.each(expected)('$name', async ({ name, must }) => {
      expect.hasAssertions()
      await TESTS[name]?.(must)
    })
  },
)
