import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots, type NewLot } from '#contract/customers/lots/lots.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { openingAt } from '#contract/open-now.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { clock } from '#server/clock.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let dealer: Caller
beforeAll(async () => {
  forecourt = await testApp()
  dealer = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

const newLot = (more: Partial<NewLot> = {}): NewLot => ({
  name: fresh('Lot'),
  code: fresh('L').replace(' ', ''),
  ...more,
})
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof Refused ? error.refusal : null),
  )

// First, while the lots are those of the demo data.
describe('who sees which lots', () => {
  const namesFor = async (userName: string, organization?: string) => {
    const { results } = await (await forecourt.as(userName, organization)).call(lots.list, {})
    return results.map(({ name }) => name).toSorted()
  }

  test('an administrator lists the lots of every organization, a dealer only those of their own', async () => {
    const ford = ['Northgate Ford', 'Northgate Pre-Owned', 'Northgate Service']
    expect(await namesFor('northgate.dealer')).toEqual(ford)
    for (const organization of ['Northgate Ford', 'Northgate Toyota'])
      expect(await namesFor('northgate.admin', organization)).toEqual(
        [...ford, 'Fulton overflow', 'Northgate Toyota'].toSorted(),
      )
  })

  test('lots of a sister organization or another customer cannot be listed, searched or opened', async () => {
    const { results } = await (
      await forecourt.as('northgate.admin', 'Northgate Toyota')
    ).call(lots.list, { search: 'NGT' })
    const id = results[0]?.id ?? ''
    expect(results.map(({ name }) => name)).toEqual(['Northgate Toyota'])
    for (const person of ['northgate.dealer', 'harbor.dealer']) {
      const caller = await forecourt.as(person)
      expect((await caller.call(lots.list, { search: 'NGT' })).filteredRows).toBe(0)
      await expect(caller.call(lots.get, { id })).toRefuse(404)
    }
  })

  test('the count of lots without an address matches its filter', async () => {
    const dana = await forecourt.as('northgate.admin', 'Northgate Ford')
    const { lots: figures } = await dana.call(dashboard.get, {})
    const { results } = await dana.call(lots.list, { filter: 'address == null' })
    expect(results.map(({ name }) => name)).toEqual(['Fulton overflow'])
    expect(figures?.withoutAddress.count).toBe(results.length)
  })
})

describe('adding', () => {
  test('a lot needs a name and a code, and belongs to the current organization', async () => {
    const lot = await dealer.call(lots.add, { name: 'Main street', code: 'ms1' })
    const { id, updatedAt, organizationId, ...rest } = lot
    const home = await testOrganization(forecourt, 'Northgate Ford')
    expect({
      id: /^\d+$/.test(id),
      isNow: Math.abs(Date.parse(updatedAt) - clock.now()) < 60_000,
      organizationId,
    }).toEqual({
      id: true,
      isNow: true,
      organizationId: home.organizationId,
    })
    expect(rest).toEqual({
      organizationName: 'Northgate Ford',
      code: 'MS1',
      name: 'Main street',
      type: 'both',
      address: null,
      city: null,
      region: null,
      postalCode: null,
      phone: null,
      timeZone: null,
      priceLaw: null,
      makes: [],
      isPublic: true,
      isVisible: true,
      lacksFees: false,
      dealerIds: [],
      hours: [],
      holidays: [],
      zone: 'America/Los_Angeles',
      version: 1,
      updatedBy: 'Luis Ortega',
    })
  })

  test('rejects a code in use, ignoring case, also one of a sister organization that is out of reach', async () => {
    for (const code of ['ngf', 'NGT']) {
      expect(await refusalOf(dealer.call(lots.add, newLot({ code })))).toMatchObject({
        message: 'Another lot already has this code.',
        fields: { code: 'This code is already in use.' },
      })
    }
  })

  test('allows the same code for another customer', async () => {
    const harbor = await forecourt.as('harbor.dealer')
    await expect(harbor.call(lots.add, newLot({ code: 'NGF' }))).resolves.toMatchObject({ code: 'NGF' })
  })

  test('adds only one of several concurrent lots with the same code', async () => {
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map(() => dealer.call(lots.add, newLot({ code: 'RACE' }))),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.for([
    ['name', { name: '  ' }, 'Name is required.'],
    ['name', { name: 'x'.repeat(101) }, 'Name may have at most 100 characters.'],
    ['code', { code: 'x'.repeat(21) }, 'Code may have at most 20 characters.'],
    ['city', { city: 'x'.repeat(101) }, 'City may have at most 100 characters.'],
    ['city', { city: 'Two\nlines' }, 'City must be a single line of text.'],
    ['type', { type: 'garage' }, 'Type must be new, used, both or service.'],
    [
      'phone',
      { phone: 'call me' },
      'Phone can contain only digits, spaces, the characters + ( ) . - /, and an extension such as x12.',
    ],
    [
      'timeZone',
      { timeZone: 'Middle/Earth' },
      'This is not a time zone. Use a name such as America/Los_Angeles.',
    ],
    [
      'makes',
      { makes: Array.from({ length: 51 }, (_, at) => `Make ${at}`) },
      'A lot can have at most 50 makes.',
    ],
  ] as const)('rejects an invalid %s with a message: %j', async ([field, wrong, sentence]) => {
    const answer = await dealer.send({
      method: 'POST',
      url: lots.add.path,
      payload: { ...newLot(), ...wrong },
    })
    expect(JSON.parse(answer.text)).toEqual({
      status: false,
      data: null,
      message: 'Some fields are invalid.',
      fields: { [field]: sentence },
    })
  })

  test.for(['🚗 Lot', 'מגרש ראשי', 'Zoë Çelik', '<script>alert(1)</script>', `Bobby'); drop table lots; --`])(
    'stores the name %s unchanged',
    async (name) => {
      const { id } = await dealer.call(lots.add, newLot({ name }))
      expect((await dealer.call(lots.get, { id })).name).toBe(name)
    },
  )
})

describe('changing', () => {
  test('changes only the fields that were sent, and increments the version', async () => {
    const before = await dealer.call(lots.add, newLot({ city: 'Sacramento', makes: ['Ford'] }))
    const after = await dealer.call(lots.update, { id: before.id, phone: '+1 916 555 0100', version: 1 })
    expect(after).toEqual({ ...before, phone: '+1 916 555 0100', version: 2, updatedAt: after.updatedAt })
  })

  test('accepts the whole response of edit-lot, and empty text clears a field', async () => {
    const before = await dealer.call(lots.add, newLot({ city: 'Sacramento', phone: '+1 916 555 0100' }))
    const after = await dealer.call(lots.update, { ...before, city: ' ', phone: '' })
    expect([after.city, after.phone, after.version]).toEqual([null, null, 2])
  })

  test('rejects an outdated version with the current lot, without overwriting it', async () => {
    const { id } = await dealer.call(lots.add, newLot())
    const current = await dealer.call(lots.update, { id, name: 'First', version: 1 })
    const refusal = await refusalOf(dealer.call(lots.update, { id, name: 'Too late', version: 1 }))
    expect(refusal).toMatchObject({
      message: expect.stringContaining('was changed by someone else'),
      current,
    })
    expect(await dealer.call(lots.get, { id })).toEqual(current)
  })

  test('accepts only one of ten concurrent updates of the same version', async () => {
    const { id } = await dealer.call(lots.add, newLot())
    const tries = Array.from({ length: 10 }, (_, at) =>
      dealer.call(lots.update, { id, name: `Try ${at}`, version: 1 }),
    )
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test("rejects a code in use, but accepts the lot's own", async () => {
    const { id, code } = await dealer.call(lots.add, newLot())
    await expect(dealer.call(lots.update, { id, code })).resolves.toMatchObject({ code })
    await expect(dealer.call(lots.update, { id, code: 'NGF' })).toRefuse(
      409,
      'Another lot already has this code.',
    )
  })

  test('does not find a deleted lot', async () => {
    const { id } = await dealer.call(lots.add, newLot())
    await dealer.call(lots.remove, { id })
    await expect(dealer.call(lots.update, { id, name: 'Ghost' })).toRefuse(404, 'Lot not found.')
    await expect(dealer.call(lots.remove, { id })).toRefuse(404, 'Lot not found.')
    await expect(dealer.call(lots.get, { id })).toRefuse(404, 'Lot not found.')
  })
})

describe('the list', () => {
  let seller: Caller
  beforeAll(async () => {
    // Harbor's dealer has one lot in the demo data, so results are the lots added here.
    seller = await forecourt.as('harbor.dealer')
    for (const [code, name, city] of [
      ['A1', 'alpha 100% north', 'Bath'],
      ['A2', 'Beta_lot', null],
      ['A3', 'gamma\\delta', 'Ashton'],
      ['A4', 'Delta', 'bath'],
    ] as const) {
      await seller.call(lots.add, { code, name, city, ...(code === 'A4' && { makes: ['Volvo', 'Saab'] }) })
    }
  })

  const codes = async (
    query: Parameters<typeof seller.call<typeof lots.list.input, typeof lots.list.output>>[1],
  ) =>
    (await seller.call(lots.list, query)).results
      .map(({ code }) => code)
      .filter((code) => code.startsWith('A'))

  test.for([
    [undefined, ['A1', 'A2', 'A4', 'A3']],
    ['-name', ['A3', 'A4', 'A2', 'A1']],
    ['code', ['A1', 'A2', 'A3', 'A4']],
    ['city,-code', ['A3', 'A4', 'A1', 'A2']],
    ['-city,code', ['A1', 'A4', 'A3', 'A2']],
  ] as const)('sorts by %s without case, empty cells last', async ([sort, expected]) => {
    expect(await codes({ sort })).toEqual(expected)
  })

  test.for([
    ['%', ['A1']],
    ['_', ['A2']],
    ['\\', ['A3']],
    ['100%', ['A1']],
    ['BETA', ['A2']],
    ['saab', ['A4']],
    ['ash', ['A3']],
    ["'", []],
    [';', []],
    ['a%b', []],
  ] as const)('searches for %s as text', async ([search, expected]) => {
    expect(await codes({ search })).toEqual(expected)
  })

  test('counts matches and all rows, and returns one page', async () => {
    const { filteredRows, totalRows, results } = await seller.call(lots.list, {
      search: 'bath',
      page: 2,
      pageSize: 1,
      sort: 'code',
    })
    const { rows } = await forecourt.owner.query(
      `select from lots l join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id where o.name = 'Harbor Pre-Owned'`,
    )
    expect({ filteredRows, totalRows, codes: results.map(({ code }) => code) }).toEqual({
      filteredRows: 2,
      totalRows: rows.length,
      codes: ['A4'],
    })
  })

  test('returns all rows across pages without overlap', async () => {
    const { totalRows } = await seller.call(lots.list, {})
    const pages = await Promise.all(
      [1, 2, 3].map((page) => seller.call(lots.list, { page, pageSize: 2, sort: 'type' })),
    )
    const ids = pages.flatMap(({ results }) => results.map(({ id }) => id))
    expect(new Set(ids).size).toBe(Math.min(6, totalRows))
  })

  test('returns an empty page with counts past the end', async () => {
    const answer = await seller.call(lots.list, { page: 1000 })
    expect([answer.results, answer.totalRows > 0]).toEqual([[], true])
  })
})

test('search and uniqueness ignore case in every script, on every platform', async () => {
  const lot = await dealer.call(lots.add, { name: 'École Élysée', code: 'éc1' })
  expect(lot.code).toBe('ÉC1')
  const { results } = await dealer.call(lots.list, { search: 'éCOLE' })
  expect(results.map(({ id }) => id)).toContain(lot.id)
})

describe('opening hours', () => {
  const HOURS = [
    { day: 'mon' as const, opens: '09:00', closes: '12:00' },
    { day: 'mon' as const, opens: '13:00', closes: '18:00' },
    { day: 'fri' as const, opens: '20:00', closes: '02:00' },
  ]
  const CHRISTMAS = { on: '2026-12-25', name: 'Christmas Day', hours: [] }
  const NEW_YEAR = { on: '2026-01-01', name: 'New Year', hours: [{ opens: '12:00', closes: '16:00' }] }
  const add = (more: object = {}) => dealer.call(lots.add, { ...newLot(), ...more })

  test('stores hours and holidays in order, and keeps them when other fields change', async () => {
    const lot = await add({ hours: HOURS, holidays: [CHRISTMAS, NEW_YEAR] })
    expect(lot).toMatchObject({ hours: HOURS, holidays: [NEW_YEAR, CHRISTMAS], zone: 'America/Los_Angeles' })
    await dealer.call(lots.update, { id: lot.id, city: 'Davis' })
    const saved = await dealer.call(lots.get, { id: lot.id })
    expect(saved).toMatchObject({ city: 'Davis', hours: HOURS, holidays: [NEW_YEAR, CHRISTMAS] })
    // Accepts the whole response.
    const again = await dealer.call(lots.update, { ...saved, hours: [], holidays: [CHRISTMAS] })
    expect(again).toMatchObject({ hours: [], holidays: [CHRISTMAS] })
  })

  test('uses the time zone of the lot, or of its organization', async () => {
    const lot = await add({ hours: HOURS, timeZone: 'America/New_York' })
    expect(lot.zone).toBe('America/New_York')
    // Monday, 12:30 in New York and 9:30 in Los Angeles.
    const moment = new Date('2026-11-23T17:30:00Z')
    expect(openingAt(lot, moment)).toMatchObject({ state: 'closed', opens: { at: '13:00' } })
    const here = await dealer.call(lots.update, { id: lot.id, timeZone: null })
    expect(openingAt(here, moment)).toMatchObject({ state: 'open', until: { at: '12:00' } })
  })

  test.each([
    [
      { hours: [...HOURS, { day: 'mon', opens: '11:00', closes: '14:00' }] },
      'hours',
      'Monday has overlapping hours.',
    ],
    [
      { hours: [{ day: 'mon', opens: '9', closes: '18:00' }] },
      'hours.0.opens',
      'Opening time must look like 09:00.',
    ],
    [
      { hours: [{ day: 'someday', opens: '09:00', closes: '18:00' }] },
      'hours.0.day',
      'Choose a day of the week.',
    ],
    [{ holidays: [CHRISTMAS, CHRISTMAS] }, 'holidays', 'Each date can be listed only once.'],
    [
      { holidays: [{ ...CHRISTMAS, on: '2026-02-30' }] },
      'holidays.0.on',
      'Choose a date such as 2026-12-25.',
    ],
  ])('rejects %j at its field', async (more, field, sentence) => {
    expect((await refusalOf(add(more)))?.fields).toMatchObject({ [field]: sentence })
  })

  test('lists can search and filter hours as text', async () => {
    const word = fresh('Hourly').replace(' ', '')
    await add({ name: word, hours: HOURS })
    await add({ name: `${word} blank` })
    const of = async (filter: string) =>
      (await dealer.call(lots.list, { search: word, filter })).results.map(({ name }) => name)
    expect(await of('hours.contains("Mon 09:00-12:00 13:00-18:00, Fri 20:00-02:00")')).toEqual([word])
    expect(await of('hours == null')).toEqual([`${word} blank`])
  })

  test('undoing a deletion gives back what belonged to the lot', async () => {
    const { id } = await add({})
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const form = (await admin.call(forms.list, {})).results[0]?.id ?? ''
    const { organizationId } = await testOrganization(forecourt, 'Northgate Ford')
    const [site] = await admin.call(facilities.tree, { organization: organizationId })
    const facility = site?.id ?? ''
    const before = await admin.call(facilities.get, { id: facility })
    await admin.call(forms.update, { id: form, lotId: id })
    await admin.call(facilities.update, { id: facility, lotId: id })
    await admin.call(leadSettings.updateLot, { lotId: id, responseMinutes: 45 })
    const settings = async () =>
      (await admin.call(leadSettings.get, {})).lots.find(({ lotId }) => lotId === id)
    const { choices } = (await settings()) ?? { choices: [] }
    await admin.call(leadSettings.updateLot, { lotId: id, managerId: choices[0]?.id ?? '' })
    await forecourt.owner.query(
      `insert into past_leads (customer_id, organization_id, lot_id, source_name, received_at, is_answered, is_late, outcome)
      select customer_id, organization_id, id, 'Walk-in', app_now(), true, false, 'sold' from lots where id = $1`,
      [id],
    )
    const pastLeads = async () =>
      (await forecourt.owner.query('select from past_leads where lot_id = $1', [id])).rowCount
    const goal = await settings()
    expect(goal).toMatchObject({ responseMinutes: 45, managerId: choices[0]?.id })
    const lotIds = async () => [
      (await admin.call(forms.get, { id: form })).lotId,
      (await admin.call(facilities.get, { id: facility })).lotId,
    ]
    const job = await admin.call(lots.removeMany, { selection: { ids: [id] } })
    await forecourt.jobs.runDue()
    expect([...(await lotIds()), await pastLeads()]).toEqual([null, null, 0])
    await admin.call(jobs.undo, { id: job.id })
    await forecourt.jobs.runDue()
    expect([...(await lotIds()), await pastLeads()]).toEqual([id, id, 1])
    expect(await settings()).toEqual(goal)
    await admin.call(forms.update, { id: form, lotId: null })
    await admin.call(facilities.update, { id: facility, lotId: before.lotId })
  })

  test('a lot that someone changes before its deletion has run stays, and the task says why', async () => {
    const { id, version } = await add()
    const job = await dealer.call(lots.removeMany, { selection: { ids: [id] }, version })
    await dealer.call(lots.update, { id, city: 'Akron' })
    await forecourt.jobs.runDue()
    expect(await dealer.call(lots.get, { id })).toMatchObject({ city: 'Akron' })
    expect(await dealer.call(jobs.failures, { id: job.id })).toMatchObject([
      { rowId: id, reason: 'Someone changed it in the meantime.' },
    ])
  })

  test('undoing a bulk deletion restores the hours of a lot', async () => {
    const { id } = await add({ hours: HOURS, holidays: [CHRISTMAS] })
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const job = await admin.call(lots.removeMany, { selection: { ids: [id] } })
    await forecourt.jobs.runDue()
    await admin.call(jobs.undo, { id: job.id })
    await forecourt.jobs.runDue()
    expect(await dealer.call(lots.get, { id })).toMatchObject({ hours: HOURS, holidays: [CHRISTMAS] })
  })
})
