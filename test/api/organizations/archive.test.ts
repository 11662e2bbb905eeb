import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

// What buyers and participants no longer see of an archived organization: test/suites/visibility.

let forecourt: TestApp
let admin: Caller
let toyota: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
})
afterAll(() => forecourt.close())
afterEach(() => admin.call(organizations.restore, toyotaId()))

const toyotaId = () => ({ id: toyota.organizationId })
const archive = () => admin.call(organizations.archive, toyotaId())
const choicesOf = async (caller: Caller) =>
  (await caller.call(organizations.change, {})).map(({ name }) => name)

test('it is shown as archived with when and by whom, is left out of choices, and keeps its data', async () => {
  const lotId = await toyota.addLot()
  const archived = await archive()
  expect(archived).toMatchObject({
    archivedAt: expect.stringMatching(/Z$/),
    archivedBy: expect.stringMatching(/\w/),
  })
  // Again changes nothing.
  expect(await archive()).toEqual(archived)
  expect(await admin.call(organizationProfiles.get, toyotaId())).toMatchObject(archived)
  const { results } = await admin.call(organizations.list, { filter: 'status == "archived"' })
  expect(results.map(({ name }) => name)).toEqual(['Northgate Toyota'])
  expect(await choicesOf(admin)).not.toContain('Northgate Toyota')
  // The setting of the lot stays, but buyers don't see it.
  const ofLot = { filter: `organizationId == ${toyota.organizationId}`, pageSize: 200 }
  const hidden = (await admin.call(lots.list, ofLot)).results.find(({ id }) => id === lotId)
  expect(hidden).toMatchObject({ isPublic: true, isVisible: false })
  expect(await admin.call(lots.get, { id: lotId })).toMatchObject({ id: lotId, isPublic: true })
  expect(await admin.call(organizations.restore, toyotaId())).toEqual({ archivedAt: null, archivedBy: null })
  expect(await choicesOf(admin)).toContain('Northgate Toyota')
})

test('its vehicles say why they are not published, and are again after it is restored', async () => {
  const id = await toyota.addVehicle({
    year: 2022,
    make: 'Toyota',
    model: 'Corolla',
    status: 'live',
    priceCents: 1_900_000,
    photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: 'Front' }],
  })
  const read = async () => (await admin.call(vehicles.get, { id })).notPublishedReason
  expect(await read()).toBeNull()
  await archive()
  expect(await read()).toBe('organization is archived')
  await admin.call(organizations.restore, toyotaId())
  expect(await read()).toBeNull()
})

test('who works only there is signed out and told at sign-in; others choose another organization', async () => {
  const name = 'toyota.only'
  await toyota.addMember({ userName: name, userType: 'Dealer user' })
  const [only, both] = [await forecourt.as(name), await forecourt.as('northgate.admin', 'Northgate Toyota')]
  await archive()
  await expect(only.call(lots.list, {})).toRefuse(401)
  await expect(both.call(lots.list, {})).toRefuse(403, 'Choose an organization first.')
  const signIn = (password: string) =>
    refusalOf(forecourt.anonymous.call(auth.signIn, { username: name, password }))
  expect(await signIn(DEMO_PASSWORD)).toMatchObject({
    status: 401,
    refusal: { message: expect.stringContaining('Your organization was archived') },
  })
  // Only who knows the password reads it.
  expect((await signIn('wrong password')).refusal.message).not.toContain('archived')
  await admin.call(organizations.restore, toyotaId())
  await (await forecourt.as(name)).call(lots.list, {})
  await both.call(lots.list, {})
})

test('no one is invited to it', async () => {
  const { id } = await toyota.addParticipant()
  await archive()
  await expect(admin.call(assessmentParticipants.send, { ids: [id] })).toRefuse(409, 'is archived')
})

test('nothing is added to its lots: no lead, vehicle or address for leads', async () => {
  const lotId = await toyota.addLot()
  const from = await (await testOrganization(forecourt, 'Northgate Ford')).addLot()
  const { id } = await admin.call(vehicles.add, { lotId: from, year: 2020, make: 'Toyota', model: 'Camry' })
  await archive()
  const refusal = expect.objectContaining({ lotId: expect.stringContaining('archived organization') })
  const fieldsOf = async (call: Promise<unknown>) => (await refusalOf(call)).refusal.fields
  expect(
    await fieldsOf(
      admin.call(leads.add, {
        lotId,
        type: 'general',
        sourceName: 'Phone',
        lastName: 'Late',
        email: 'late@mail.example',
      }),
    ),
  ).toEqual(refusal)
  expect(
    await fieldsOf(admin.call(vehicles.add, { lotId, year: 2020, make: 'Toyota', model: 'Camry' })),
  ).toEqual(refusal)
  expect(await fieldsOf(admin.call(vehicles.update, { id, lotId }))).toEqual(refusal)
  expect(
    await fieldsOf(admin.call(inboundAddresses.add, { label: 'Late', sourceName: 'Late', lotId })),
  ).toEqual(refusal)
})

test('nothing new is put into it either: no lot, facility or inventory', async () => {
  const organizationId = toyota.organizationId
  await archive()
  const period = { periodStart: '2031-01-01', periodEnd: '2031-12-31' }
  for (const call of [
    () => admin.call(lots.add, { code: 'LATE', name: 'Late lot', organizationId }),
    () =>
      admin.call(facilities.add, {
        organizationId,
        level: 'site',
        code: 'LATE',
        name: 'Late',
        control: [
          { validFrom: '2000-01-01', ownership: '100', operationalControl: true, financialControl: true },
        ],
      }),
    () => admin.call(carbonInventories.add, { organizationId, name: 'Late', boundary: 'equity', ...period }),
  ])
    expect(JSON.stringify(await refusalOf(call()))).toContain('rchived')
})

test('the current organization and the last one are not archived', async () => {
  const { id } = await testOrganization(forecourt, 'Northgate Ford').then(({ organizationId }) => ({
    id: organizationId,
  }))
  await expect(admin.call(organizations.archive, { id })).toRefuse(409, 'You are working in Northgate Ford')
  await archive()
  const operator = await forecourt.as('super', 'Northgate Ford')
  await expect(operator.call(organizations.archive, { id })).toRefuse(409)
})
