import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { facilities, type NewFacility } from '#contract/organizations/facilities/facilities.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, placeOf, type Place } from '#test/factories/places.ts'

let forecourt: TestApp
let admin: Caller
let keeper: Caller
let ford: Place
let toyota: Place
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  keeper = await forecourt.as('northgate.sustain', 'Northgate Ford')
  ford = await placeOf(forecourt, 'Northgate Ford')
  toyota = await placeOf(forecourt, 'Northgate Toyota')
})
afterAll(() => forecourt.close())

const owned = (validFrom: string, ownership = '100') => ({
  validFrom,
  ownership,
  operationalControl: true,
  financialControl: true,
})
const newFacility = (more: Partial<NewFacility> = {}): NewFacility => ({
  level: 'site',
  code: fresh('X').replace(' ', ''),
  name: fresh('Facility'),
  control: [owned('2020-01-01')],
  ...more,
})
const fieldsOf = (call: Promise<unknown>) =>
  call.then(
    () => 'let through',
    (error: unknown) => (error instanceof Refused ? [error.status, error.refusal.fields] : error),
  )

describe('the demo world', () => {
  test.for([
    ['Northgate Ford', ['AUB', 'AUB-P', 'AUB-S', 'MAD', 'WSA']],
    ['Northgate Toyota', ['FUL', 'FUL-W', 'FUX']],
  ] as const)('%s has its facilities, in the order of their codes', async ([name, codes]) => {
    const { organizationId } = await placeOf(forecourt, name)
    const tree = await admin.call(facilities.tree, { organization: organizationId })
    expect(tree.map(({ code }) => code)).toEqual(codes)
    expect(tree.find(({ code }) => code === codes[0])?.lotName).toBe(name)
  })
})

describe('adding', () => {
  test('a facility comes back as it was given, the earliest row of control first', async () => {
    const given = newFacility({
      type: 'workshop',
      country: 'us',
      gridRegion: 'CAMX',
      floorArea: 1250.5,
      staff: '12',
      openedOn: '2021-02-03',
      control: [owned('2024-01-01', '60.25'), owned('2021-02-03', '50')],
    })
    const added = await keeper.call(facilities.add, given)
    expect(added).toMatchObject({
      organizationId: ford.organizationId,
      country: 'US',
      floorArea: '1250.5',
      staff: 12,
      openedOn: '2021-02-03',
      closedOn: null,
      control: [owned('2021-02-03', '50'), owned('2024-01-01', '60.25')],
      version: 1,
      updatedBy: 'Priya Raman',
    })
    expect(await keeper.call(facilities.get, { id: added.id })).toEqual(added)
  })

  test('a code is unique in its organization, not in the customer', async () => {
    expect(await fieldsOf(keeper.call(facilities.add, newFacility({ code: 'aub' })))).toEqual([
      409,
      { code: 'This code is already in use.' },
    ])
    await expect(
      admin.call(facilities.add, newFacility({ code: 'AUB', organizationId: toyota.organizationId })),
    ).resolves.toMatchObject({ code: 'AUB' })
  })

  test.for([
    [{ control: [] }, { control: 'Say who owns and controls it: at least one row.' }],
    [
      { control: [owned('2024-01-01'), owned('2024-01-01')] },
      { 'control.1.validFrom': 'Another row begins on this day.' },
    ],
    [{ openedOn: '2019-12-31' }, { control: 'The first row must begin on the day it opened, or earlier.' }],
    [{ openedOn: '2024-05-01', closedOn: '2024-04-30' }, { closedOn: 'It cannot close before it opened.' }],
    [{ country: 'CA', gridRegion: 'CAMX' }, { gridRegion: 'Only the United States have these subregions.' }],
    [{ openedOn: '2024-02-30' }, { openedOn: 'Opened must be a day such as 2026-01-31.' }],
    [{ country: 'XX' }, { country: 'Choose a country.' }],
    [
      { control: [owned('2020-01-01', '100.1')] },
      { 'control.0.ownership': 'Ownership must be a number from 0 to 100 with at most 4 decimals.' },
    ],
  ] as const)('%j is refused on its field', async ([more, fields]) => {
    const wrong = { ...newFacility(), ...structuredClone(more) }
    // The rows of the table are read-only; the call takes plain lists.
    expect(await fieldsOf(keeper.call(facilities.add, JSON.parse(JSON.stringify(wrong))))).toEqual([
      400,
      fields,
    ])
  })

  test('a lot belongs to one facility, and to the organization of it', async () => {
    const [own, foreign] = [await ford.addLot(), await toyota.addLot()]
    const first = await keeper.call(facilities.add, newFacility({ lotId: own }))
    expect(await fieldsOf(keeper.call(facilities.add, newFacility({ lotId: own })))).toEqual([
      409,
      { lotId: 'This lot has a facility already.' },
    ])
    for (const caller of [keeper, admin]) {
      expect(await fieldsOf(caller.call(facilities.add, newFacility({ lotId: foreign })))).toEqual([
        400,
        { lotId: 'Choose a lot of this organization.' },
      ])
    }
    // A lot that goes, or moves to the sister, leaves its facility behind.
    await admin.call(lots.update, { id: own, organizationId: toyota.organizationId })
    expect(await keeper.call(facilities.get, { id: first.id })).toMatchObject({ lotId: null, lotName: null })
  })
})

describe('the tree', () => {
  test('what stands in something has a lower level, and moving never makes a circle', async () => {
    const group = await keeper.call(facilities.add, newFacility({ level: 'group' }))
    const entity = await keeper.call(facilities.add, newFacility({ level: 'entity', parentId: group.id }))
    const site = await keeper.call(facilities.add, newFacility({ parentId: entity.id }))
    for (const parentId of [site.id, group.id, entity.id]) {
      await expect(keeper.call(facilities.update, { id: group.id, parentId })).toRefuse(400)
    }
    // Straight to the database, too: two moves at once have nobody to look at both.
    await expect(
      forecourt.owner.query(`update facilities set parent_id = $1, parent_level = 'site' where id = $2`, [
        site.id,
        group.id,
      ]),
    ).rejects.toMatchObject({ constraint: 'facilities_below_parent' })
    expect(await fieldsOf(keeper.call(facilities.update, { id: group.id, level: 'site' }))).toEqual([
      400,
      { level: 'Facilities stand below it that may not stand in this level. Move them first.' },
    ])
    await expect(keeper.call(facilities.update, { id: site.id, parentId: null })).resolves.toMatchObject({
      parentId: null,
    })
  })

  test('nothing stands in a facility of the sister', async () => {
    const parentId = await toyota.addFacility()
    for (const caller of [keeper, admin]) {
      expect(
        await fieldsOf(caller.call(facilities.add, newFacility({ level: 'building', parentId }))),
      ).toEqual([400, { parentId: 'Choose a facility of this organization.' }])
    }
  })

  test('one in which others stand is not deleted, nor is an organization with facilities', async () => {
    const site = await keeper.call(facilities.add, newFacility())
    const building = await keeper.call(facilities.add, newFacility({ level: 'building', parentId: site.id }))
    await expect(keeper.call(facilities.remove, { id: site.id })).toRefuse(409, '1 facility stands in')
    await keeper.call(facilities.remove, { id: building.id })
    await expect(keeper.call(facilities.remove, { id: site.id })).resolves.toBeNull()
    const { id, name } = await admin.call(organizations.save, { name: fresh('With a site') })
    await admin.call(facilities.add, newFacility({ organizationId: id }))
    await expect(admin.call(organizations.remove, { id })).toRefuse(
      409,
      `${name} is in use: 1 facility belong`,
    )
  })

  test('somebody of one rooftop does not see the tree of the sister', async () => {
    await expect(keeper.call(facilities.tree, { organization: toyota.organizationId })).toRefuse(404)
    await expect(keeper.call(facilities.lots, { organization: toyota.organizationId })).toRefuse(404)
  })
})

describe('changing', () => {
  test('closing keeps it and its history', async () => {
    const { id, control } = await keeper.call(facilities.add, newFacility({ openedOn: '2021-01-01' }))
    const closed = await keeper.call(facilities.update, { id, closedOn: '2025-06-30' })
    expect(closed).toMatchObject({ closedOn: '2025-06-30', control, version: 2 })
    await expect(keeper.call(facilities.update, { id, openedOn: '2019-01-01' })).toRefuse(400)
  })

  test('only rows of control changed: the version rises, and a stale write is refused with what is there', async () => {
    const made = await keeper.call(facilities.add, newFacility())
    const current = await keeper.call(facilities.update, {
      ...made,
      control: [...made.control, owned('2025-01-01', '51')],
    })
    expect([current.version, current.control.length]).toEqual([2, 2])
    const refused = await admin
      .call(facilities.update, { id: made.id, name: 'Too late', version: 1 })
      .catch((error: unknown) => error)
    expect(refused instanceof Refused ? [refused.status, refused.refusal.current] : null).toEqual([
      409,
      current,
    ])
  })

  test('of two people who save the same version at once one is refused', async () => {
    const { id } = await keeper.call(facilities.add, newFacility())
    const answers = await Promise.allSettled(
      [keeper, admin].map((caller) =>
        caller.call(facilities.update, { id, name: fresh('Raced'), version: 1 }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('the database itself', () => {
  test.for([
    ['the last row of control taken away', 'delete from facility_control where facility_id = $1'],
    [
      'a first row that begins too late',
      `update facility_control set valid_from = '2024-01-01' where facility_id = $1`,
    ],
    ['an opening before the first row', `update facilities set opened_on = '2019-01-01' where id = $1`],
  ] as const)('refuses %s', async ([, statement]) => {
    const { id } = await keeper.call(facilities.add, newFacility({ openedOn: '2021-01-01' }))
    await expect(forecourt.owner.query(statement, [id])).rejects.toMatchObject({
      constraint: 'facility_control_whole',
    })
  })

  test('refuses two rows of control on one day', async () => {
    const { id } = await keeper.call(facilities.add, newFacility())
    const again = `insert into facility_control select * from facility_control where facility_id = $1`
    await expect(forecourt.owner.query(again, [id])).rejects.toMatchObject({ code: '23505' })
  })
})
