import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { facilities, type NewFacility } from '#contract/organizations/facilities/facilities.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let manager: Caller
let ford: TestOrganization
let toyota: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  manager = await forecourt.as('northgate.sustain', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
})
afterAll(() => forecourt.close())

const controlFrom = (validFrom: string, ownership = '100') => ({
  validFrom,
  ownership,
  operationalControl: true,
  financialControl: true,
})
const newFacility = (more: Partial<NewFacility> = {}): NewFacility => ({
  level: 'site',
  code: fresh('X').replace(' ', ''),
  name: fresh('Facility'),
  control: [controlFrom('2020-01-01')],
  ...more,
})
const fieldsOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Refused ? [error.status, error.refusal.fields] : error),
  )

describe('the demo world', () => {
  test.for([
    ['Northgate Ford', ['AUB', 'AUB-P', 'AUB-S', 'MAD', 'WSA']],
    ['Northgate Toyota', ['FUL', 'FUL-W', 'FUX']],
  ] as const)('%s has its facilities, ordered by code', async ([name, codes]) => {
    const { organizationId } = await testOrganization(forecourt, name)
    const tree = await admin.call(facilities.tree, { organization: organizationId })
    expect(tree.map(({ code }) => code)).toEqual(codes)
    expect(tree.find(({ code }) => code === codes[0])?.lotName).toBe(name)
  })
})

describe('adding', () => {
  test('returns the facility as it was sent, with the earliest row of control first', async () => {
    const given = newFacility({
      type: 'workshop',
      country: 'us',
      gridRegion: 'CAMX',
      floorArea: 1250.5,
      staff: '12',
      openedOn: '2021-02-03',
      control: [controlFrom('2024-01-01', '60.25'), controlFrom('2021-02-03', '50')],
    })
    const added = await manager.call(facilities.add, given)
    expect(added).toMatchObject({
      organizationId: ford.organizationId,
      country: 'US',
      floorArea: '1250.5',
      staff: 12,
      openedOn: '2021-02-03',
      closedOn: null,
      control: [controlFrom('2021-02-03', '50'), controlFrom('2024-01-01', '60.25')],
      version: 1,
      updatedBy: 'Priya Raman',
    })
    expect(await manager.call(facilities.get, { id: added.id })).toEqual(added)
  })

  test('rejects a code that is used in the organization, but not one used elsewhere in the customer', async () => {
    expect(await fieldsOf(manager.call(facilities.add, newFacility({ code: 'aub' })))).toEqual([
      409,
      { code: 'This code is already in use.' },
    ])
    await expect(
      admin.call(facilities.add, newFacility({ code: 'AUB', organizationId: toyota.organizationId })),
    ).resolves.toMatchObject({ code: 'AUB' })
  })

  test.for([
    [{ control: [] }, { control: 'Add at least one row of ownership and control.' }],
    [
      { control: [controlFrom('2024-01-01'), controlFrom('2024-01-01')] },
      { 'control.1.validFrom': 'Another row starts on this date.' },
    ],
    [{ openedOn: '2019-12-31' }, { control: 'The first row must start on or before the opening date.' }],
    [
      { openedOn: '2024-05-01', closedOn: '2024-04-30' },
      { closedOn: 'The last day in use must not be before the opening date.' },
    ],
    [{ country: 'CA', gridRegion: 'CAMX' }, { gridRegion: 'Grid regions apply only in the United States.' }],
    [{ openedOn: '2024-02-30' }, { openedOn: 'Opened must be a date such as 2026-01-31.' }],
    [{ country: 'XX' }, { country: 'Choose a country.' }],
    [
      { control: [controlFrom('2020-01-01', '100.1')] },
      { 'control.0.ownership': 'Ownership must be a number from 0 to 100 with at most 4 decimals.' },
    ],
  ] as const)('rejects %j on its field', async ([more, fields]) => {
    const wrong = { ...newFacility(), ...structuredClone(more) }
    // The test table is read-only, but the call needs mutable arrays.
    expect(await fieldsOf(manager.call(facilities.add, JSON.parse(JSON.stringify(wrong))))).toEqual([
      400,
      fields,
    ])
  })

  test('a lot can be linked to one facility only, in its own organization', async () => {
    const [own, foreign] = [await ford.addLot(), await toyota.addLot()]
    const first = await manager.call(facilities.add, newFacility({ lotId: own }))
    expect(await fieldsOf(manager.call(facilities.add, newFacility({ lotId: own })))).toEqual([
      409,
      { lotId: 'This lot is already linked to a facility.' },
    ])
    for (const caller of [manager, admin]) {
      expect(await fieldsOf(caller.call(facilities.add, newFacility({ lotId: foreign })))).toEqual([
        400,
        { lotId: 'Choose a lot of this organization.' },
      ])
    }
    // A lot that is deleted or moved to another organization is unlinked from its facility.
    await admin.call(lots.update, { id: own, organizationId: toyota.organizationId })
    expect(await manager.call(facilities.get, { id: first.id })).toMatchObject({ lotId: null, lotName: null })
  })
})

describe('the tree', () => {
  test('a facility has a lower level than its parent, so moving it never creates a cycle', async () => {
    const group = await manager.call(facilities.add, newFacility({ level: 'group' }))
    const entity = await manager.call(facilities.add, newFacility({ level: 'entity', parentId: group.id }))
    const site = await manager.call(facilities.add, newFacility({ parentId: entity.id }))
    for (const parentId of [site.id, group.id, entity.id]) {
      await expect(manager.call(facilities.update, { id: group.id, parentId })).toRefuse(400)
    }
    // Enforced by the database as well, for concurrent moves.
    await expect(
      forecourt.owner.query(`update facilities set parent_id = $1, parent_level = 'site' where id = $2`, [
        site.id,
        group.id,
      ]),
    ).rejects.toMatchObject({ constraint: 'facilities_below_parent' })
    expect(await fieldsOf(manager.call(facilities.update, { id: group.id, level: 'site' }))).toEqual([
      400,
      { level: 'This level is too low for the facilities below it. Move them first.' },
    ])
    await expect(manager.call(facilities.update, { id: site.id, parentId: null })).resolves.toMatchObject({
      parentId: null,
    })
  })

  test('rejects a parent in another organization', async () => {
    const parentId = await toyota.addFacility()
    for (const caller of [manager, admin]) {
      expect(
        await fieldsOf(caller.call(facilities.add, newFacility({ level: 'building', parentId }))),
      ).toEqual([400, { parentId: 'Choose a facility of this organization.' }])
    }
  })

  test('does not delete a facility that contains others, nor an organization with facilities', async () => {
    const site = await manager.call(facilities.add, newFacility())
    const building = await manager.call(facilities.add, newFacility({ level: 'building', parentId: site.id }))
    await expect(manager.call(facilities.remove, { id: site.id })).toRefuse(409, 'contains 1 facility')
    await manager.call(facilities.remove, { id: building.id })
    await expect(manager.call(facilities.remove, { id: site.id })).resolves.toBeNull()
    const { id, name } = await admin.call(organizations.save, { name: fresh('With a site') })
    await admin.call(facilities.add, newFacility({ organizationId: id }))
    await expect(admin.call(organizations.remove, { id })).toRefuse(409, `${name} has 1 facility.`)
  })

  test('hides the facilities of other organizations from a user with the reach of one', async () => {
    await expect(manager.call(facilities.tree, { organization: toyota.organizationId })).toRefuse(404)
    await expect(manager.call(facilities.lots, { organization: toyota.organizationId })).toRefuse(404)
  })
})

describe('changing', () => {
  test('a closed facility keeps its history', async () => {
    const { id, control } = await manager.call(facilities.add, newFacility({ openedOn: '2021-01-01' }))
    const closed = await manager.call(facilities.update, { id, closedOn: '2025-06-30' })
    expect(closed).toMatchObject({ closedOn: '2025-06-30', control, version: 2 })
    await expect(manager.call(facilities.update, { id, openedOn: '2019-01-01' })).toRefuse(400)
  })

  test('changing only control increases the version, and a stale write gets 409 with the current facility', async () => {
    const made = await manager.call(facilities.add, newFacility())
    const current = await manager.call(facilities.update, {
      ...made,
      control: [...made.control, controlFrom('2025-01-01', '51')],
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

  test('of two users who save the same version at the same time, one is rejected', async () => {
    const { id } = await manager.call(facilities.add, newFacility())
    const answers = await Promise.allSettled(
      [manager, admin].map((caller) =>
        caller.call(facilities.update, { id, name: fresh('Raced'), version: 1 }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('the database', () => {
  test.for([
    ['deleting the last row of control', 'delete from facility_control where facility_id = $1'],
    [
      'a first row that starts too late',
      `update facility_control set valid_from = '2024-01-01' where facility_id = $1`,
    ],
    ['an opening date before the first row', `update facilities set opened_on = '2019-01-01' where id = $1`],
  ] as const)('rejects %s', async ([, statement]) => {
    const { id } = await manager.call(facilities.add, newFacility({ openedOn: '2021-01-01' }))
    await expect(forecourt.owner.query(statement, [id])).rejects.toMatchObject({
      constraint: 'facility_control_whole',
    })
  })

  test('rejects two rows of control on one date', async () => {
    const { id } = await manager.call(facilities.add, newFacility())
    const again = `insert into facility_control select * from facility_control where facility_id = $1`
    await expect(forecourt.owner.query(again, [id])).rejects.toMatchObject({ code: '23505' })
  })
})
