// @module-tag release
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { FeedRun } from '#contract/feeds/runs/feed-runs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { findReferenceFile } from '#test/harness/reference-data.ts'

const FOLDER = findReferenceFile('outside/feeds')
let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  if (FOLDER === null) return
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt?.close())
const { uploadFeed, apply, rowsOf } = feedImports(() => forecourt)

type Row = Awaited<ReturnType<typeof rowsOf>>[number]
type Read = { run: FeedRun; rows: Row[]; values: Record<string, unknown>[]; lotId: string }

/** A file as a person uploads it: its run and what each row gives a vehicle. */
async function read(name: string): Promise<Read> {
  const lotId = await ford.addLot()
  const bytes = readFileSync(`${FOLDER}/${name}`)
  const run = await uploadFeed(admin, { lotId }, { name, bytes })
  const rows = await rowsOf(admin, run.id)
  const values = rows.map(({ changes, stock }) => ({
    ...Object.fromEntries(changes.map(({ field, after }) => [field, after])),
    stock,
  }))
  return { run, rows, values, lotId }
}
const sentencesOf = ({ warnings }: FeedRun) => warnings.map(({ sentence }) => sentence).join('\n')
const of = (all: readonly Record<string, unknown>[], field: string) => all.map((one) => one[field])

const Encoded = z.object({ color: z.array(z.string()), make: z.array(z.string()), description: z.string() })
async function encoded(name: string, must: unknown) {
  const wanted = Encoded.parse(must)
  const { values } = await read(name)
  expect(of(values, 'color')).toEqual(wanted.color)
  expect(of(values, 'make')).toEqual(wanted.make)
  expect(values[0]?.['description']).toBe(wanted.description)
}

const TESTS: Readonly<Record<string, (must: unknown) => Promise<void>>> = {
  'enc-1252.csv': (must) => encoded('enc-1252.csv', must),
  'enc-utf16.csv': (must) => encoded('enc-utf16.csv', must),
  'enc-bom.csv': (must) => encoded('enc-bom.csv', must),
  'excel-guard.csv': async (must) => {
    const { stock } = z.object({ stock: z.array(z.string()) }).parse(must)
    const { rows, values } = await read('excel-guard.csv')
    expect(of(values, 'stock').slice(0, 3)).toEqual(stock)
    expect([rows[3]?.kind, rows[3]?.reasons]).toEqual([
      'refused',
      [expect.stringContaining('“1.2E+05” was shortened by a spreadsheet.')],
    ])
  },
  'economy-decimals.csv': async (must) => {
    const { cityMpg } = z.object({ cityMpg: z.array(z.number()) }).parse(must)
    const { run, values } = await read('economy-decimals.csv')
    expect(of(values, 'cityEconomy').map(Number)).toEqual(cityMpg)
    expect(of(values, 'highwayEconomy').map(Number)).toEqual([26.1, 26.4, 9.4])
    expect(of(values, 'co2')).toEqual([181, 180, undefined])
    expect(sentencesOf(run)).toContain("isn't a valid number")
  },
  'body-colour.csv': async () => {
    const { run, values } = await read('body-colour.csv')
    expect(values).toMatchObject([
      { color: 'Red', interiorColor: 'Black', trim: 'XLT', mileage: 12_000, year: 2023 },
    ])
    expect(run.unusedColumns).toEqual(['Series'])
  },
  'sold-flag.csv': async () => {
    const { run, rows, values } = await read('sold-flag.csv')
    expect(rows.map(({ stock, kind }) => [stock, kind])).toEqual([
      ['W-1022', 'leftOut'],
      ['W-1023', 'new'],
    ])
    expect(values[1]).toMatchObject({ color: 'Blue', trim: 'Lariat' })
    expect(run.unusedColumns).toEqual([])
  },
  'vin-other-make.csv': async () => {
    const { run, rows } = await read('vin-other-make.csv')
    expect(run.status).toBe('review')
    const found = rows.flatMap(({ warnings }) => warnings)
    for (const [at, feed] of ['2023 Citroën C3', '2023 Honda Civic', '2015 Ford F-150'].entries())
      expect(found[at]).toBe(`The VIN is that of a 2023 Ford F-150, but the feed says ${feed}.`)
    expect(run.reviewReasons).toEqual([expect.stringContaining('3 rows have the VIN of another vehicle.')])
    expect(rows.flatMap(({ changes }) => changes.filter(({ isFromVin }) => isFromVin))).toEqual([])
  },
  'long-description.csv': async () => {
    const { run, values } = await read('long-description.csv')
    expect(String(values[0]?.['description']).length).toBe(20_000)
    expect(sentencesOf(run)).toContain('Description has 44,003 characters. Only the first 20,000 are kept.')
  },
  'vins.csv': async () => {
    const { run, rows, lotId } = await read('vins.csv')
    await apply(admin, run.id, true)
    const { results } = await admin.call(vehicles.list, { filter: `lotId == ${lotId}`, sort: 'stock' })
    expect(results.map(({ stock, year, make, model }) => [stock, year, make, model])).toMatchObject([
      ['W-1031', 2024, 'Ford', 'F-150'],
      ['W-1032', 2024, 'Ford', 'F-150'],
      ['W-1033', null, 'Mercedes-Benz', null],
      ['W-1034', expect.anything(), 'Ford', expect.anything()],
      ['W-1035', 2016, expect.stringMatching(/^IC/), expect.anything()],
      ['W-1036', null, 'BMW', null],
    ])
    const warned = rows.filter(({ warnings }) => warnings.some((one) => one.includes('wrong check digit')))
    const stocks = warned.map(({ stock }) => stock)
    expect(stocks).toContain('W-1034')
    for (const european of ['W-1033', 'W-1036']) expect(stocks).not.toContain(european)
  },
}

describe.skipIf(FOLDER === null)(
  'Skipped if ../shared/data/outside/feeds is not on this machine: feeds of others',
  () => {
    const all: Record<string, { must?: unknown }> =
      FOLDER === null ? {} : JSON.parse(readFileSync(`${FOLDER}/../expected.json`, 'utf8'))
    const expected = Object.entries(all).flatMap(([name, { must }]) =>
      name.startsWith('feeds/') ? [{ name: name.slice('feeds/'.length), must }] : [],
    )

    test('there is a test for each file', () => {
      expect(readdirSync(FOLDER ?? '.').toSorted()).toEqual(Object.keys(TESTS).toSorted())
      expect(expected.filter(({ name }) => TESTS[name] === undefined)).toEqual([])
    })

    test.each(expected)('$name', async ({ name, must }) => {
      expect.hasAssertions()
      await TESTS[name]?.(must)
    })
  },
)
