import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { customFields } from '#contract/vehicles/vehicles/custom-fields/custom-fields.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { reports } from '#contract/reports/reports.ts'
import { views } from '#contract/lists/views.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let dealer: Caller
let harbor: Caller
const field = (key: string, more: Partial<CustomField> = {}): CustomField => ({
  key,
  name: key,
  kind: 'text',
  unit: null,
  choices: [],
  isArchived: false,
  ...more,
})
const FIELDS: CustomField[] = [
  field('board', { name: 'Key board' }),
  field('length', { name: 'Length', kind: 'number', unit: 'm' }),
  field('inspected', { name: 'Inspected on', kind: 'date' }),
  field('loaner', { name: 'Loaner', kind: 'flag' }),
  field('stage', { name: 'Stage', kind: 'choice', choices: ['Wash', 'Photos', 'Ready'] }),
]
const keep = (wanted: readonly CustomField[], caller = admin) =>
  caller.call(customerDetails.update, { customFields: [...wanted] })

beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
  // Replaces the demo fields with those of the test.
  await forecourt.owner.query(`update vehicles set custom = '{}'`)
  await keep(FIELDS)
})
afterAll(() => forecourt.close())

const { uploadFeed, csv, apply, undo, stockOf, onLot } = feedImports(() => forecourt)

test('administrators manage them, everyone who sees vehicles can read them, and other customers cannot', async () => {
  expect(await dealer.call(customFields.list, {})).toEqual(FIELDS)
  expect((await harbor.call(customFields.list, {})).map(({ key }) => key)).not.toContain('board')
  await expect(keep([], dealer)).toRefuse(403)
  const activity = await admin.call(customerDetails.activity, {})
  expect(activity[0]?.what).toBe('Changed custom vehicle fields')
})

test.for([
  [[field('Board')], 'customFields.0.key'],
  [[field('a'), field('a', { name: 'b' })], 'customFields.1.key'],
  [[field('a', { name: 'Same' }), field('b', { name: 'SAME' })], 'customFields.1.name'],
  [[field('a', { kind: 'choice' })], 'customFields.0.choices'],
  [[field('a', { name: 'N\u0000' })], 'customFields.0.name'],
  [[...FIELDS.slice(1), field('board', { name: 'Key board', kind: 'number' })], 'customFields.4.kind'],
  [Array.from({ length: 51 }, (_, at) => field(`f${at}`)), 'customFields'],
] as const)('%#: rejects an invalid field at its position', async ([wrong, place]) => {
  const { status, refusal } = await refusalOf(keep(wrong))
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([400, [place]])
})

test('a vehicle stores their values with the author and lock, and rejects invalid values', async () => {
  const lotId = await ford.addLot()
  const { id } = await admin.call(vehicles.add, {
    lotId,
    make: 'Ford',
    custom: { custom_board: ' B 4 ', custom_length: 5.25, custom_loaner: false, custom_stage: 'wash' },
  })
  const kept = await admin.call(vehicles.get, { id })
  expect(kept.custom).toEqual({
    custom_board: 'B 4',
    custom_length: 5.25,
    custom_loaner: false,
    custom_stage: 'Wash',
  })
  expect(kept.locked).toContain('custom_length')
  expect(kept.provenance.custom_board).toMatchObject({ source: 'user', by: 'Dana Whitfield' })
  const changed = await admin.call(vehicles.update, {
    ...kept,
    custom: { custom_board: null, custom_inspected: '2026-11-20' },
    locks: { custom_length: false },
  })
  expect(changed.custom).toEqual({
    custom_length: 5.25,
    custom_loaner: false,
    custom_stage: 'Wash',
    custom_inspected: '2026-11-20',
  })
  expect(changed.locked).not.toContain('custom_length')
  const { status, refusal } = await refusalOf(
    admin.call(vehicles.update, {
      id,
      custom: {
        custom_length: 'long',
        custom_inspected: '2026-02-30',
        custom_stage: 'Gone',
        custom_board: 'x'.repeat(201),
        custom_none: 'x',
      },
    }),
  )
  expect(status).toBe(400)
  expect(Object.keys(refusal.fields ?? {}).toSorted()).toEqual(
    ['board', 'inspected', 'length', 'none', 'stage'].map((key) => `custom.custom_${key}`),
  )
  await expect(admin.call(vehicles.update, { id, custom: { custom_board: 'a\u0000b' } })).toRefuse(400)
  await expect(harbor.call(vehicles.update, { id, custom: {} })).toRefuse(404)
  await admin.call(vehicles.remove, { id })
  expect((await admin.call(vehicles.restore, { id })).custom).toEqual(changed.custom)
})

const HEAD = 'VIN,Stock,Make,Key Board,length,Loaner,Stage'
const ONE = '1FTFW1E50PFA00501,C1,Ford,B 1,"5,10",yes,Photos'
const TWO = '1FADP3F20DL200502,C2,Ford,B 2,4.40,no,Elsewhere'

test('a feed fills them by name, a second import changes nothing, and undo restores all vehicles exactly', async () => {
  const lotId = await ford.addLot()
  const before = await stockOf(ford)
  const run = await uploadFeed(admin, { lotId }, csv(HEAD, ONE, TWO))
  expect(run).toMatchObject({ new: 2, columns: { known: 7, total: 7 } })
  expect(run.warnings.map(({ sentence }) => sentence)).toEqual([
    'The VIN has a wrong check digit. Check it for typos.',
    expect.stringContaining("isn't an option of Stage"),
  ])
  await apply(admin, run.id)
  const [one, two] = await onLot(lotId)
  const vehicle = await admin.call(vehicles.get, { id: one?.id ?? '' })
  expect(vehicle.custom).toEqual({
    custom_board: 'B 1',
    custom_length: 5.1,
    custom_loaner: true,
    custom_stage: 'Photos',
  })
  expect(vehicle.provenance.custom_loaner).toMatchObject({ source: 'feed', run: run.id })

  const again = await uploadFeed(admin, { lotId }, csv(HEAD, ONE, TWO))
  expect(again).toMatchObject({ changed: 0, unchanged: 2 })

  // A user locks one field and changes another of one vehicle: undo keeps that and restores the rest.
  await admin.call(vehicles.update, { id: one?.id ?? '', locks: { custom_stage: true } })
  const stock = await stockOf(ford)
  const next = await uploadFeed(
    admin,
    { lotId },
    csv(HEAD, ONE.replace('B 1', 'B 9').replace('Photos', 'Ready'), TWO.replace('4.40', '4.50')),
  )
  const rows = (await admin.call(feedRuns.rows, { runId: next.id, kind: 'changed' })).results
  expect(
    rows.map(({ changes, locked }) => [changes.map((change) => [change.field, change.after]), locked]),
  ).toEqual([
    [[['custom_board', 'B 9']], ['custom_stage']],
    [[['custom_length', 4.5]], []],
  ])
  await apply(admin, next.id)
  await undo(admin, next.id)
  expect(await stockOf(ford)).toEqual(stock)

  const last = await uploadFeed(admin, { lotId }, csv(HEAD, ONE, TWO.replace('B 2', 'B 7')))
  await apply(admin, last.id)
  await admin.call(vehicles.update, { id: two?.id ?? '', custom: { custom_board: 'By hand' } })
  expect(await undo(admin, last.id)).toMatchObject({ notUndone: 1 })
  const left = await admin.call(feedRuns.rows, { runId: last.id, state: 'notUndone' })
  expect(left.results.map(({ note }) => note)).toEqual(['Changed since: Key board.'])
  await forecourt.owner.query('delete from vehicles where lot_id = $1', [lotId])
  expect(await stockOf(ford)).toEqual(before)
})

test('lists can filter by them, and views and exports can include them as columns', async () => {
  const lotId = await ford.addLot()
  const add = (stock: string, custom: Record<`custom_${string}`, string | number | boolean>) =>
    admin.call(vehicles.add, { lotId, stock, custom })
  await add('F1', {
    custom_length: 4.2,
    custom_stage: 'Wash',
    custom_loaner: true,
    custom_inspected: '2026-03-01',
  })
  await add('F2', { custom_length: 5.5, custom_board: 'North wall' })
  await add('F3', {})
  const found = async (rule: string) => {
    const filter = `lotId == ${lotId} && ${rule}`
    return (await admin.call(vehicles.list, { filter, sort: 'stock' })).results.map(({ stock }) => stock)
  }
  expect(await found('custom_length > 5')).toEqual(['F2'])
  expect(await found('custom_stage == "Wash"')).toEqual(['F1'])
  expect(await found('custom_loaner')).toEqual(['F1'])
  expect(await found('custom_board.contains("north")')).toEqual(['F2'])
  expect(await found('custom_inspected < date("2026-04-01")')).toEqual(['F1'])
  await expect(harbor.call(vehicles.list, { filter: 'custom_length > 5' })).toRefuse(400)

  const state = { columns: ['name', 'custom_length'], filter: 'custom_length > 5' }
  const view = await admin.call(views.add, { list: 'vehicles', name: fresh('View'), state, scope: 'private' })
  expect(view.state).toMatchObject(state)

  const file = await admin.send({
    method: 'POST',
    url: reports.exportList.path,
    payload: {
      list: 'vehicles',
      format: 'csv',
      columns: ['stock', 'custom_length', 'custom_loaner', 'custom_stage'],
      filter: `lotId == ${lotId}`,
      sort: 'stock',
    },
  })
  expect(file.text.split(/\r?\n/).slice(0, 4)).toEqual([
    '\uFEFF"Stock","Length (m)","Loaner","Stage"',
    '"F1",4.2,"Yes","Wash"',
    '"F2",5.5,,',
    '"F3",,,',
  ])
})

test('a bulk change sets one value, and undo reverts vehicles that still have it', async () => {
  const lotId = await ford.addLot()
  const ids = await Promise.all(
    ['G1', 'G2', 'G3'].map(async (stock) => (await admin.call(vehicles.add, { lotId, stock })).id),
  )
  const selection = { ids }
  const change = { custom: 'custom_stage', value: 'ready' } as const
  await expect(admin.call(vehicles.change, { selection, change: { ...change, value: 'no' } })).toRefuse(400)
  const job = await admin.call(vehicles.change, { selection, change })
  expect(job.title).toBe('Set Stage to Ready for 3 vehicles')
  await forecourt.jobs.runDue()
  const read = async () =>
    Promise.all(ids.map(async (id) => (await admin.call(vehicles.get, { id })).custom.custom_stage ?? null))
  expect(await read()).toEqual(['Ready', 'Ready', 'Ready'])
  expect((await admin.call(vehicles.get, { id: ids[0] ?? '' })).locked).toContain('custom_stage')
  await admin.call(vehicles.update, { id: ids[1] ?? '', custom: { custom_stage: 'Wash' } })
  await admin.call(jobs.undo, { id: job.id })
  await forecourt.jobs.runDue()
  expect(await read()).toEqual([null, 'Wash', null])
  expect((await admin.call(vehicles.get, { id: ids[0] ?? '' })).locked).not.toContain('custom_stage')
})

test('a bulk change can be undone again for what was in the way, but not into a field that is gone', async () => {
  const own = field('gone', { kind: 'choice', choices: ['One', 'Two'] })
  await keep([...FIELDS, own])
  const { id } = await admin.call(vehicles.add, {
    lotId: await ford.addLot(),
    custom: { custom_gone: 'One' },
  })
  const refusal = await refusalOf(keep([...FIELDS, { ...own, choices: ['Uno', 'Two'] }]))
  expect(refusal.message).toContain('Vehicles have “One” (1). Change them first, or keep the choice.')
  const set = async (value: string | null) => {
    const job = await admin.call(vehicles.change, {
      selection: { ids: [id] },
      change: { custom: 'custom_gone', value },
    })
    await forecourt.jobs.runDue()
    return job.id
  }
  const undoJob = async (job: string) => {
    const { id: undone } = await admin.call(jobs.undo, { id: job })
    await forecourt.jobs.runDue()
    return (await admin.call(jobs.failures, { id: undone })).map(({ reason }) => reason)
  }
  const value = async () => (await admin.call(vehicles.get, { id })).custom.custom_gone ?? null
  const [first, second] = [await set('Two'), await set('One')]
  expect(await undoJob(first)).toEqual([expect.stringContaining('changed')])
  expect(await undoJob(second)).toEqual([])
  expect(await value()).toBe('Two')
  const cleared = await set(null)
  await keep(FIELDS)
  expect(await undoJob(cleared)).toEqual(["The custom field doesn't exist anymore."])
  expect(await value()).toBe(null)
})

test('a channel file can include them as columns, and rejects unknown ones', async () => {
  const lotId = await ford.addLot()
  const { vin } = await admin.call(vehicles.add, {
    lotId,
    vin: '1FTFW1E50PFA00777',
    status: 'live',
    year: 2023,
    make: 'Ford',
    model: 'Ranger',
    priceCents: 3_999_900,
    photos: [{ kind: 'address', place: 'https://pictures.example/1.jpg' }],
    custom: { custom_board: 'B 8', custom_loaner: true },
  })
  const given = (value: string) =>
    channels.add.input.parse({
      name: fresh('Channel'),
      kind: 'csv',
      destination: 'pull',
      rule: `vin == "${vin}"`,
      columns: [
        { name: 'VIN', value: '{vin}' },
        { name: 'Board', value },
      ],
    })
  const wrong = await refusalOf(admin.call(channels.add, given('{custom_none}')))
  expect([wrong.status, Object.keys(wrong.refusal.fields ?? {})]).toEqual([400, ['columns.1.value']])
  const channel = await admin.call(channels.add, given('{custom_board}, {custom_loaner}, {custom_length}'))
  await admin.call(channels.run, { id: channel.id })
  await forecourt.channels.workDue()
  const { text } = await forecourt.anonymous.send({ method: 'GET', url: channel.feedPath ?? '/none' })
  expect(text).toBe('VIN,Board\n1FTFW1E50PFA00777,"B 8, yes, "\n')
})

test('a field with values can be archived but not deleted, and keeps its values', async () => {
  const lotId = await ford.addLot()
  const { id } = await admin.call(vehicles.add, { lotId, custom: { custom_board: 'B 3' } })
  const { status, refusal } = await refusalOf(keep(FIELDS.slice(1)))
  expect([status, refusal.message]).toEqual([409, expect.stringContaining('Archive it instead')])
  await keep([...FIELDS, field('empty', { name: 'Nothing' })])
  await keep(FIELDS.map((one) => (one.key === 'board' ? { ...one, isArchived: true } : one)))
  const kept = await admin.call(vehicles.get, { id })
  expect(kept.custom).toEqual({ custom_board: 'B 3' })
  await expect(admin.call(vehicles.update, { id, custom: { custom_board: 'B 4' } })).toRefuse(400)
  expect((await admin.call(vehicles.update, { ...kept, color: 'Blue' })).custom).toEqual(kept.custom)
  await expect(admin.call(vehicles.list, { filter: 'custom_board == "B 3"' })).toRefuse(400)
  const run = await uploadFeed(admin, { lotId }, csv(HEAD, ONE))
  expect(run.columns?.known).toBe(6)
  await keep(FIELDS)
  const again = await uploadFeed(admin, { lotId }, csv(HEAD, ONE))
  expect(again.columns?.known).toBe(7)
})
