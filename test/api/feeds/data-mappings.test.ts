// @module-tag release
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unmappedValues } from '#contract/feeds/values/unmapped-values.ts'
import { valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import { prepareMapping } from '#contract/feeds/mappings/map-row.ts'
import { inTenantOf } from '#test/harness/in-tenant.ts'
import { noteUnmapped, valueMapOf } from '#server/feeds/index.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let dealer: Caller
let harbor: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
})
afterAll(() => forecourt.close())

const add = (raw: string, canonical: string | null = 'SUV') =>
  admin.call(valueMappings.add, { field: 'body', raw, canonical })
/** Reports values like a feed run. */
const note = (run: string, values: Parameters<typeof noteUnmapped>[2]) =>
  inTenantOf(forecourt, ford, (db) => noteUnmapped(db, { run, providerMappingId: null }, values))
const queued = async (search: string, caller = admin) =>
  (await caller.call(unmappedValues.list, { search })).results

describe('a data mapping', () => {
  test('is unique per value regardless of spelling, even if two users add it at once', async () => {
    const raw = fresh('Sporty thing')
    const made = await Promise.allSettled([add(raw), add(` ${raw.toUpperCase()}  `, 'Wagon')])
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const late = await refusalOf(add(raw, 'Van'))
    expect([late.status, late.refusal.current]).toMatchObject([409, { field: 'body' }])
  })

  test('is refused once the customer has 20,000, however it is added', async () => {
    // Without the audit log, which takes most of the time.
    await forecourt.owner.query(`begin; set local session_replication_role = replica;
      insert into value_mappings (customer_id, field, raw, raw_key, canonical)
      select ${ford.customerId}, 'body', 'Full ' || n, 'full ' || n, 'SUV' from generate_series(1, 20000
        - (select count(*)::int from value_mappings where customer_id = ${ford.customerId})) n; commit`)
    const refusal =
      'There can be at most 20,000 data mappings. Delete those that no feed needs anymore first.'
    await expect(add(fresh('One more'))).toRefuse(409, refusal)
    const text = `Value,Field,Becomes\n${fresh('One more')},Body,SUV\n`
    await expect(admin.call(valueMappings.importMany, { text })).toRefuse(409, refusal)
    await forecourt.owner.query(`delete from value_mappings where raw = 'Full 1'`)
    await add(fresh('The last one'))
    await forecourt.owner.query(`begin; set local session_replication_role = replica;
      delete from value_mappings where raw like 'Full %'; commit`)
  })

  test('returns 409 with the current mapping if another user changed it', async () => {
    const { id, raw } = await add(fresh('Value'))
    const change = { id, field: 'body' as const, raw, version: 1 }
    await admin.call(valueMappings.update, { ...change, canonical: 'Van' })
    const late = await refusalOf(admin.call(valueMappings.update, { ...change, canonical: 'Coupe' }))
    expect([late.status, late.refusal.current]).toMatchObject([409, { canonical: 'Van', version: 2 }])
  })

  test('of a field with fixed choices must map to one of them', async () => {
    const wrong = admin.call(valueMappings.add, { field: 'condition', raw: fresh('X'), canonical: 'Shiny' })
    await expect(wrong).toRefuse(400, 'Choose one of new, used, cpo, demo.')
  })

  test('can be read but not changed by users of one rooftop, and is unknown to another customer', async () => {
    const { id, raw } = await add(fresh('Value'))
    expect(await dealer.call(valueMappings.get, { id })).toMatchObject({ raw, canonical: 'SUV' })
    await expect(dealer.call(valueMappings.remove, { id })).toRefuse(403)
    await expect(dealer.call(valueMappings.apply, {})).toRefuse(403)
    await expect(harbor.call(valueMappings.get, { id })).toRefuse(404)
    await expect(harbor.call(valueMappings.remove, { id })).toRefuse(404)
    await expect(harbor.call(valueMappings.removeMany, { ids: [id] })).toRefuse(404)
  })

  test('can be imported: counts added, changed and unchanged lines, and rejects the file if a line is invalid', async () => {
    const [one, two, three] = [fresh('Value'), fresh('Value'), fresh('Value')]
    await add(one)
    await add(two)
    const text = `Value,Field,Becomes,Provider mapping\n${one},Body,SUV,\n"${two}",body,"Van, high",\n${three},Drivetrain,,\n`
    expect(await admin.call(valueMappings.importMany, { text })).toEqual({ added: 1, changed: 1, same: 1 })
    expect(await admin.call(valueMappings.importMany, { text })).toEqual({ added: 0, changed: 0, same: 3 })
    const found = await admin.call(valueMappings.list, { search: three })
    expect(found.results).toMatchObject([{ field: 'drivetrain', canonical: null }])
    const wrong = `Value,Field,Becomes\n${fresh('Value')},Body,SUV\nx,Bodies,SUV\nx,Condition,Shiny\n`
    const refusal = await refusalOf(admin.call(valueMappings.importMany, { text: wrong }))
    expect(refusal.refusal.fields?.['text']).toBe(
      'Line 3: Choose a field. Line 4: Choose one of new, used, cpo, demo.',
    )
    await expect(admin.call(valueMappings.importMany, { text: 'A,B\n1,2\n' })).toRefuse(400)
    const both = `Value,Field,Becomes\nCab 4,Body,Pickup\ncab 4,Body,Sedan\n`
    expect(
      (await refusalOf(admin.call(valueMappings.importMany, { text: both }))).refusal.fields?.['text'],
    ).toBe('Line 3: “cab 4” becomes Sedan here, but becomes Pickup in an earlier line.')
    // However wrong or empty its lines are, a file has no more than can be read quickly.
    for (const line of ['x,Body,SUV\n', 'x,Bodies,SUV\n', '\n']) {
      const long = `Value,Field,Becomes\n${line.repeat(10_001)}`
      await expect(admin.call(valueMappings.importMany, { text: long })).toRefuse(
        400,
        'at most 5,000 mappings',
      )
    }
  })

  test('applies to imports: a provider mapping takes precedence over a general one, and both over built-in ones', async () => {
    const mappingId = await ford.addMapping()
    const raw = fresh('Roomy')
    await add(raw, 'Wagon')
    await admin.call(valueMappings.add, {
      field: 'body',
      raw,
      canonical: 'Van',
      providerMappingId: mappingId,
    })
    await add('4D Sedan', 'Saloon')
    const skipped = fresh('Nothing')
    await add(skipped, null)
    const [of, ofAll] = await inTenantOf(forecourt, ford, async (db) => [
      await valueMapOf(db, mappingId),
      await valueMapOf(db, null),
    ])
    expect([of?.('body', raw.toUpperCase()), ofAll?.('body', raw), ofAll?.('fuel', raw)]).toEqual([
      'Van',
      'Wagon',
      undefined,
    ])
    const mapping = FeedMapping.parse({
      fields: Object.fromEntries(
        ['stock', 'body'].map((name) => [name, { source: { kind: 'column', column: name } }]),
      ),
    })
    const map = prepareMapping(mapping, {
      unit: 'mi',
      today: '2026-11-21',
      columns: ['stock', 'body'],
      ...(ofAll && { ownWord: ofAll }),
    })
    const read = (body: string) => map({ line: 1, raw: '', cells: { stock: 'A1', body }, problems: [] })
    expect(read('4d sedan').values.body).toBe('Saloon')
    expect(read('coupe').values.body).toBe('Coupe')
    expect(read(skipped)).toMatchObject({ unmapped: [], warnings: [] })
    expect(read(skipped).values.body ?? null).toBeNull()
  })
})

describe('an unmapped value', () => {
  test('is queued with row count, vehicles and suggestion, and rows of one run add up', async () => {
    const raw = fresh('Grand Thing')
    const vin = '1C4RJFBG5JC123456'
    const vehicle = await ford.addVehicle({ vin, body: raw })
    await note('run 1', [{ field: 'body', raw, rows: 4, vins: [vin] }])
    await note('run 1', [{ field: 'body', raw: raw.toUpperCase(), rows: 3, vins: [] }])
    const [value] = await queued(raw)
    expect(value).toMatchObject({ field: 'body', rows: 7, suggestion: 'SUV', certainty: 75 })
    expect(value?.samples).toMatchObject([{ id: vehicle, vin }])
    await note('run 2', [{ field: 'body', raw, rows: 2, vins: [] }])
    expect(await queued(raw)).toMatchObject([{ id: value?.id, rows: 2, suggestion: 'SUV' }])
    expect(await queued(raw, harbor)).toEqual([])
  })

  test('shows users of one rooftop no vehicles of a sister organization', async () => {
    const toyota = await testOrganization(forecourt, 'Northgate Toyota')
    const [raw, vin] = [fresh('Value'), '4T1B11HK5JU000007']
    await toyota.addVehicle({ vin })
    await note('run', [{ field: 'body', raw, rows: 1, vins: [vin] }])
    expect((await queued(raw))[0]?.samples).toHaveLength(1)
    expect(await queued(raw, dealer)).toMatchObject([{ raw, samples: [] }])
  })

  test('leaves the queue when it is mapped and returns when that is undone', async () => {
    const raw = fresh('Value')
    await note('run', [{ field: 'body', raw, rows: 1, vins: [] }])
    const [value] = await queued(raw)
    const values = [{ id: value?.id ?? '', canonical: 'SUV' }]
    await expect(dealer.call(unmappedValues.resolve, { values })).toRefuse(403)
    await expect(harbor.call(unmappedValues.resolve, { values })).toRefuse(404)
    const both = await Promise.allSettled([
      admin.call(unmappedValues.resolve, { values }),
      admin.call(unmappedValues.resolve, { values: [{ id: value?.id ?? '', canonical: null }] }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await queued(raw)).toEqual([])
    await expect(admin.call(unmappedValues.get, { id: value?.id ?? '' })).toRefuse(404)
    const ids = both.flatMap((one) => (one.status === 'fulfilled' ? one.value.mappingIds : []))
    expect(await admin.call(valueMappings.removeMany, { ids })).toEqual({ removed: 1 })
    expect(await queued(raw)).toHaveLength(1)
  })

  test('is accepted in bulk only if its suggestion is certain enough', async () => {
    const sure = fresh('Sure')
    await ford.addUnmapped(sure)
    const unsure = fresh('Unsure')
    await note('run', [{ field: 'body', raw: unsure, rows: 1, vins: [] }])
    const { mappingIds } = await admin.call(unmappedValues.acceptSure, {})
    expect(mappingIds.length).toBeGreaterThan(0)
    expect([await queued(sure), (await queued(unsure)).length]).toEqual([[], 1])
    await expect(admin.call(unmappedValues.acceptSure, {})).toRefuse(409)
  })
})

describe('applying mappings to existing vehicles', () => {
  test('changes unmapped feed values but not locked fields, and can be undone', async () => {
    const [raw, gone] = [fresh('Half truck'), fresh('Nothing')]
    const lot = await ford.addLot()
    const fields = { lotId: lot, body: ` ${raw} `.trim().toUpperCase() }
    const open = await ford.addVehicle({ ...fields, transmission: gone })
    const locked = await ford.addVehicle({ ...fields, locksEdits: true })
    await add(raw, 'Truck')
    await admin.call(valueMappings.add, { field: 'transmission', raw: gone, canonical: null })
    const preview = await admin.call(valueMappings.preview, {})
    expect(preview.changes).toContainEqual({
      field: 'body',
      from: fields.body,
      to: 'Truck',
      vehicles: 1,
      locked: 1,
    })
    expect(preview.changes).toContainEqual({
      field: 'transmission',
      from: gone,
      to: null,
      vehicles: 1,
      locked: 0,
    })
    expect(preview.samples.find(({ id }) => id === open)?.changes.toSorted()).toEqual([
      `Body: ${fields.body} \u2192 Truck`,
      `Transmission: ${gone} \u2192 empty`,
    ])
    const { id } = await admin.call(valueMappings.apply, {})
    await forecourt.jobs.runDue()
    expect(await admin.call(jobs.get, { id })).toMatchObject({ state: 'done', failures: 0, canUndo: true })
    const after = await admin.call(vehicles.get, { id: open })
    expect(after).toMatchObject({ body: 'Truck', transmission: null })
    expect(after.provenance).toMatchObject({
      body: { source: 'mapping' },
      transmission: { source: 'mapping' },
    })
    expect(await admin.call(vehicles.get, { id: locked })).toMatchObject({ body: fields.body })

    await admin.call(jobs.undo, { id })
    await forecourt.jobs.runDue()
    expect(await admin.call(vehicles.get, { id: open })).toMatchObject({
      body: fields.body,
      transmission: gone,
      provenance: {},
    })
  })

  test("shows no other customer's vehicles", async () => {
    const raw = fresh('Half truck')
    await ford.addVehicle({ body: raw })
    await harbor.call(valueMappings.add, { field: 'body', raw, canonical: 'Truck' })
    expect((await harbor.call(valueMappings.preview, {})).changes).toEqual([])
    await expect(harbor.call(valueMappings.apply, {})).toRefuse(409)
  })
})
