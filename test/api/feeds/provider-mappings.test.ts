// @module-tag release
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '#contract/answer.ts'
import { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { TriedMapping } from '#contract/feeds/mappings/tried-mapping.ts'
import { MappingFile, providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import { fresh } from '#test/factories/test-organization.ts'
import { feedsIn, REAL_FEEDS } from '#test/factories/feeds/real-feeds.ts'

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const mapping = FeedMapping.parse({
  fields: {
    vin: { source: { kind: 'column', column: 'VIN' } },
    price: { source: { kind: 'firstOf', columns: ['Internet', 'Price'] } },
  },
})
const add = () => admin.call(providerMappings.add, { name: fresh('Mapping'), mapping })

/** Sends a sample as a browser does. */
async function attempt(
  fields: Record<string, string>,
  files: readonly { name: string; bytes: string | Buffer }[],
) {
  const { payload, headers } = multipart(fields, files)
  const { statusCode, body } = await forecourt.app.inject({
    method: 'POST',
    url: providerMappings.attempt.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${admin.token}` },
  })
  const answer: unknown = JSON.parse(body)
  return { status: statusCode, answer }
}
const tried = async (...given: Parameters<typeof attempt>): Promise<TriedMapping> => {
  const { answer } = await attempt(...given)
  return z.object({ status: z.literal(true), data: TriedMapping }).parse(answer).data
}

const CARS =
  'VIN,Stock,Year,Price\n1FTFW1E50PFA00001,A1,2023,"$45,000"\n,,2023,1\n1FTFW1E50PFA00002,A2,2022,Please Call\n'

describe('a provider mapping', () => {
  test('keeps every version and can restore one', async () => {
    const added = await add()
    expect(added).toMatchObject({ version: 1, fields: 2, mapping })
    const other = FeedMapping.parse({ fields: { stock: { source: { kind: 'column', column: 'S' } } } })
    const changed = await admin.call(providerMappings.update, { id: added.id, version: 1, mapping: other })
    expect(changed).toMatchObject({ version: 2, fields: 1, mapping: other })
    const back = await admin.call(providerMappings.restore, { id: added.id, version: 2, to: 1 })
    expect(back).toMatchObject({ version: 3, mapping })
    const versions = await admin.call(providerMappings.versions, { id: added.id })
    expect(versions.map(({ version, fields }) => [version, fields])).toEqual([
      [3, 2],
      [2, 1],
      [1, 2],
    ])
  })

  test('is not deleted while a feed source uses it, which is named', async () => {
    const { results } = await admin.call(feedSources.list, {})
    const source = results.find(({ mappingId }) => mappingId !== null)
    const refusal = await refusalOf(admin.call(providerMappings.remove, { id: source?.mappingId ?? '' }))
    expect(refusal).toMatchObject({
      status: 409,
      refusal: { message: expect.stringContaining(source?.name ?? '?') },
    })
    const free = await add()
    await admin.call(providerMappings.remove, { id: free.id })
    await expect(admin.call(providerMappings.get, { id: free.id })).toRefuse(404)
  })

  test('returns 409 with the current mapping if it was changed meanwhile', async () => {
    const { id } = await add()
    await admin.call(providerMappings.update, { id, version: 1, name: fresh('Mapping') })
    const late = await refusalOf(admin.call(providerMappings.update, { id, version: 1, mapping }))
    expect([late.status, late.refusal.current]).toMatchObject([409, { id, version: 2 }])
  })

  test('has a unique name within the customer', async () => {
    const { name } = await add()
    await expect(admin.call(providerMappings.add, { name: name.toUpperCase(), mapping })).toRefuse(409)
  })

  test('can be exported as a file and imported as a new mapping', async () => {
    const { id, name } = await add()
    const { body } = await forecourt.app.inject({
      method: 'GET',
      url: `/api/administration/export-provider-mapping/${id}`,
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const file = MappingFile.parse(JSON.parse(body))
    const copy = await admin.call(providerMappings.importOne, file)
    expect(copy).toMatchObject({ name: `${name} (2)`, mapping, version: 1 })
    expect(copy.id).not.toBe(id)
  })

  test('is read-only for organization users and not accessible to another customer', async () => {
    const { id } = await add()
    const dealer = await forecourt.as('northgate.dealer', 'Northgate Ford')
    await expect(dealer.call(providerMappings.update, { id, name: 'Mine' })).toRefuse(403)
    const harbor = await forecourt
      .as('harbor.admin', 'Harbor Honda')
      .catch(() => forecourt.as('harbor.admin'))
    await expect(harbor.call(providerMappings.get, { id })).toRefuse(404)
    await expect(harbor.call(providerMappings.update, { id, name: 'Mine' })).toRefuse(404)
  })
})

describe('trying a sample', () => {
  test('returns columns, a proposal, results with reasons, and the share of filled fields', async () => {
    const sample = await tried({}, [{ name: 'cars.csv', bytes: CARS }])
    expect(sample).toMatchObject({ format: 'csv', delimiter: ',', rowCount: 3, isWhole: true, accepted: 2 })
    expect(sample.columns[0]).toMatchObject({ name: 'VIN', ruleName: 'vin', filled: 2 / 3 })
    expect(sample.refused).toEqual([{ sentence: 'No VIN or stock number.', count: 1 }])
    expect(sample.results.map(({ line }) => line)).toEqual([2, 3, 4])
    expect(sample.results[0]?.values).toMatchObject({
      vin: '1FTFW1E50PFA00001',
      price: 4_500_000,
      make: 'Ford',
    })
    expect(sample.results[2]?.warnings).toContainEqual(expect.objectContaining({ target: 'price' }))
    expect(sample.filled).toContainEqual({ target: 'price', share: 0.5 })
  })

  test('accepts text, a mapping, and a second file to join', async () => {
    const text = await tried({ text: CARS, mapping: JSON.stringify(mapping) }, [])
    expect(text.problems).toEqual([{ target: 'price', sentence: 'The file has no column Internet.' }])
    const joined = FeedMapping.parse({
      fields: { ...mapping.fields, photos: { source: { kind: 'column', column: 'Pictures' } } },
      second: { column: 'Stock', secondColumn: 'Number' },
    })
    const both = await tried({ mapping: JSON.stringify(joined) }, [
      { name: 'cars.csv', bytes: CARS },
      { name: 'photos.csv', bytes: 'Number,Pictures\nA1,http://a/1.jpg\n' },
    ])
    expect(both.results[0]?.values.photos).toEqual(['http://a/1.jpg'])
  })

  test.each([
    ['nothing', {}, [], 'Send a file or text.'],
    [
      'an image',
      {},
      [{ name: 'a.png', bytes: Buffer.from('89504e470d0a1a0a', 'hex') }],
      'The file is an image (PNG).',
    ],
    [
      'entities',
      { text: '<!DOCTYPE a [<!ENTITY b "c">]><a/>' },
      [],
      'Line 1: The file declares a custom document type',
    ],
    [
      'an incomplete compressed file',
      {},
      [{ name: 'cars.csv.gz', bytes: gzipSync(CARS).subarray(0, 60) }],
      'The compressed file is damaged or incomplete.',
    ],
    ['an invalid mapping', { text: CARS, mapping: '{' }, [], 'Some fields are invalid.'],
  ])('rejects %s with a message', async (_, fields, files, sentence) => {
    const { status, answer } = await attempt(fields, files)
    expect(status).toBe(400)
    expect(Refusal.parse(answer).message).toContain(sentence)
  })

  test('reads 8 MB of a larger file without reporting its end as an error', async () => {
    const rows = Array.from(
      { length: 160_000 },
      (_, at) => `1FTFW1E50PF${String(at).padStart(6, '0')},A${at},2023,45000 and more words here`,
    )
    const sample = await tried({}, [
      { name: 'large.csv', bytes: `VIN,Stock,Year,Note\n${rows.join('\n')}\n` },
    ])
    expect(sample).toMatchObject({ rowCount: 2_000, isWhole: false, refusal: null, accepted: 2_000 })
  })

  test('reads compressed files up to the same size as plain ones', async () => {
    const joined = FeedMapping.parse({ ...mapping, second: { column: 'Stock', secondColumn: 'Number' } })
    const both = await tried({ mapping: JSON.stringify(joined) }, [
      { name: 'cars.csv.gz', bytes: gzipSync(CARS) },
      { name: 'photos.csv.gz', bytes: gzipSync('Number,Pictures\nA1,http://a/1.jpg\n') },
    ])
    expect(both).toMatchObject({ format: 'csv', rowCount: 3, isWhole: true })
    expect(both.columns.map(({ name }) => name)).toEqual([
      'VIN',
      'Stock',
      'Year',
      'Price',
      'Number',
      'Pictures',
    ])
    const rows = Array.from({ length: 400_000 }, (_, at) => `,A${at},2023,45000 and more words here`)
    const large = gzipSync(`VIN,Stock,Year,Note\n${rows.join('\n')}\n`)
    const first = await tried({}, [{ name: 'large.csv.gz', bytes: large }])
    expect(first).toMatchObject({ rowCount: 2_000, isWhole: false, refusal: null, accepted: 2_000 })
    // The rest of a large first file doesn't prevent reading the second file.
    const after = await tried({ mapping: JSON.stringify(joined) }, [
      { name: 'large.csv.gz', bytes: large },
      { name: 'photos.csv', bytes: 'Number,Pictures\nA1,http://a/1.jpg\n' },
    ])
    expect(after.columns.at(-1)?.name).toBe('Pictures')
  })

  test.skipIf(REAL_FEEDS === null)('reads every real feed', async () => {
    const folder = REAL_FEEDS ?? ''
    for (const name of feedsIn(folder)) {
      const sample = await tried({}, [{ name, bytes: readFileSync(`${folder}/${name}`) }])
      const rejected = sample.refused.reduce((sum, { count }) => sum + count, 0)
      expect((sample.accepted + sample.leftOut + rejected) / sample.rowCount).toBeGreaterThanOrEqual(0.95)
    }
  })
})
