import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
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

const whole = {
  legalName: 'Northgate Kia LLC',
  industry: 'naics-441110',
  country: 'US',
  currency: 'USD',
  fiscalYearStart: 7,
  consolidation: 'equity',
} as const
const site = {
  level: 'site',
  code: 'ONE',
  name: 'One',
  control: [{ validFrom: '2020-01-01', ownership: '100', operationalControl: true, financialControl: true }],
} as const
const PNG = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64')}`

const rowOf = async (caller: Caller, name: string) =>
  (await caller.call(organizations.list, { pageSize: 200 })).results.find((row) => row.name === name)

test('the steps of an organization and its progress in the list follow the filled-in fields', async () => {
  const name = fresh('Northgate Kia')
  const { id, steps, version } = await admin.call(organizationProfiles.add, { name })
  expect([steps, version]).toEqual([{ organization: 'empty', facility: 'locked' }, 2])
  expect(await rowOf(admin, name)).toMatchObject({
    facilities: 0,
    people: 1,
    progress: 'empty',
    country: null,
  })

  const begun = await admin.call(organizationProfiles.update, { id, country: 'us' })
  expect(begun.steps).toEqual({ organization: 'partly', facility: 'empty' })
  const filled = await admin.call(organizationProfiles.update, { id, ...whole })
  expect(filled).toMatchObject({ ...whole, steps: { organization: 'complete', facility: 'empty' } })
  expect(await rowOf(admin, name)).toMatchObject({ progress: 'partly', country: 'US' })

  const control = structuredClone(site.control)
  const { id: facility } = await admin.call(facilities.add, {
    ...site,
    control: [...control],
    organizationId: id,
  })
  expect((await admin.call(organizationProfiles.get, { id })).steps.facility).toBe('partly')
  await admin.call(facilities.update, { id: facility, type: 'showroom', country: 'CA', floorArea: 10 })
  expect((await admin.call(organizationProfiles.get, { id })).steps.facility).toBe('complete')
  expect(await rowOf(admin, name)).toMatchObject({ facilities: 1, progress: 'complete' })
})

test('a user with the reach of one organization sees only the names of others', async () => {
  expect(await rowOf(manager, 'Northgate Ford')).toMatchObject({ country: 'US', facilities: 5 })
  expect(await rowOf(manager, 'Northgate Toyota')).toMatchObject({
    country: null,
    facilities: null,
    people: null,
    progress: null,
  })
  await expect(manager.call(organizationProfiles.get, { id: toyota.organizationId })).toRefuse(404)
  await expect(manager.call(organizationProfiles.members, { id: toyota.organizationId })).toRefuse(404)
})

describe('changing', () => {
  test('a user with the reach of one organization can edit its profile but not rename it', async () => {
    const before = await manager.call(organizationProfiles.get, { id: ford.organizationId })
    const saved = await manager.call(organizationProfiles.update, { ...before, city: 'Carmichael' })
    expect([saved.city, saved.version, saved.mayRename]).toEqual(['Carmichael', before.version + 1, false])
    await expect(
      manager.call(organizationProfiles.update, { id: ford.organizationId, name: 'Mine now' }),
    ).toRefuse(403, 'Name, logo and time zone can only be changed by users')
    await expect(
      manager.call(organizationProfiles.update, { id: toyota.organizationId, city: 'Elsewhere' }),
    ).toRefuse(404)
  })

  test('rejects a stale version with the current organization, whichever of its two rows changed', async () => {
    const { id, version } = await admin.call(organizationProfiles.add, { name: fresh('Halves') })
    const renamed = await admin.call(organizationProfiles.update, { id, version, name: fresh('Renamed') })
    const refused = await admin
      .call(organizationProfiles.update, { id, version, legalName: 'Late' })
      .catch((error: unknown) => error)
    expect(refused instanceof Refused ? [refused.status, refused.refusal.current] : null).toEqual([
      409,
      renamed,
    ])
  })

  test('rejects a name in use on its field', async () => {
    const refused = await admin
      .call(organizationProfiles.add, { name: 'northgate toyota' })
      .catch((error: unknown) => error)
    expect(
      refused instanceof Refused ? [refused.status, Object.keys(refused.refusal.fields ?? {})] : null,
    ).toEqual([409, ['name']])
  })

  test('stores a logo as an image and keeps it while an organization uses it', async () => {
    const { id, logo } = await admin.call(organizationProfiles.add, { name: fresh('Pictured'), logo: PNG })
    expect(logo).toMatch(/^\/api\/auth\/brand-picture\/[0-9a-f]{64}$/)
    const hash = (logo ?? '').slice(-64)
    const isKept = async () =>
      (await forecourt.owner.query('select from white_label_pictures where hash = $1', [hash])).rowCount === 1
    const other = await admin.call(organizationProfiles.add, { name: fresh('Same'), logo: PNG })
    await admin.call(organizationProfiles.update, { id, logo: '' })
    expect(await isKept()).toBe(true)
    await admin.call(organizationProfiles.update, { id: other.id, logo: null })
    expect(await isKept()).toBe(false)
  })

  test.for([
    [{ industry: 'naics-999999' }, 'industry'],
    [{ country: 'UK' }, 'country'],
    [{ fiscalYearStart: 13 }, 'fiscalYearStart'],
    [{ contacts: [{ name: 'A', email: 'nobody' }] }, 'contacts.0.email'],
  ] as const)('rejects %j on its field', async ([change, field]) => {
    const input = { id: ford.organizationId, ...JSON.parse(JSON.stringify(change)) }
    const refused = await admin.call(organizationProfiles.update, input).catch((error: unknown) => error)
    expect(
      refused instanceof Refused ? [refused.status, Object.keys(refused.refusal.fields ?? {})] : null,
    ).toEqual([400, [field]])
  })
})

test('lists members with their user type, active users first', async () => {
  const members = await manager.call(organizationProfiles.members, { id: ford.organizationId })
  expect(members).toContainEqual(
    expect.objectContaining({ name: 'Luis Ortega', userTypeName: 'Dealer user', isActive: true }),
  )
  expect(members.map(({ isActive }) => isActive)).toEqual(
    members.map(({ isActive }) => isActive).toSorted((a, b) => Number(b) - Number(a)),
  )
})
