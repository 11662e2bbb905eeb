import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots, type NewLot } from '#contract/customers/lots/lots.ts'
import { clock } from '#server/clock.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, placeOf } from '#test/factories/places.ts'

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

describe('adding', () => {
  test('a lot needs a name and a code and belongs to the organization its maker acts in', async () => {
    const lot = await dealer.call(lots.add, { name: 'Main street', code: 'ms1' })
    const { id, updatedAt, organizationId, ...rest } = lot
    const home = await placeOf(forecourt, 'Northgate Ford')
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
      makes: [],
      isPublic: true,
      dealerIds: [],
      hours: [],
      holidays: [],
      zone: 'America/Los_Angeles',
      version: 1,
      updatedBy: 'Luis Ortega',
    })
  })

  test('a code in use, in any case, is refused on its field, and so is one of the unseen sister', async () => {
    for (const code of ['ngf', 'NGT']) {
      expect(await refusalOf(dealer.call(lots.add, newLot({ code })))).toMatchObject({
        message: 'Another lot already has this code.',
        fields: { code: 'This code is already in use.' },
      })
    }
  })

  test('the same code is free to another customer', async () => {
    const harbor = await forecourt.as('harbor.dealer')
    await expect(harbor.call(lots.add, newLot({ code: 'NGF' }))).resolves.toMatchObject({ code: 'NGF' })
  })

  test('of two at once with one code one is added and one refused', async () => {
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map(() => dealer.call(lots.add, newLot({ code: 'RACE' }))),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.for([
    ['name', { name: '  ' }, 'Name is required.'],
    ['name', { name: 'x'.repeat(101) }, 'Name may have at most 100 characters.'],
    ['code', { code: 'x'.repeat(21) }, 'Code may have at most 20 characters.'],
    ['type', { type: 'garage' }, 'Type must be new, used, both or service.'],
    ['phone', { phone: 'call me' }, 'Phone may have digits, spaces and + ( ) . - / x.'],
    [
      'timeZone',
      { timeZone: 'Middle/Earth' },
      'This is not a time zone. Use a name such as America/Los_Angeles.',
    ],
    [
      'makes',
      { makes: Array.from({ length: 51 }, (_, at) => `Make ${at}`) },
      'A lot may have at most 50 makes.',
    ],
  ] as const)('a wrong %s is refused in words: %j', async ([field, wrong, sentence]) => {
    const answer = await dealer.send({
      method: 'POST',
      url: lots.add.path,
      payload: { ...newLot(), ...wrong },
    })
    expect(JSON.parse(answer.text)).toEqual({
      status: false,
      data: null,
      message: 'Some fields are not right.',
      fields: { [field]: sentence },
    })
  })

  test.for(['🚗 Lot', 'מגרש ראשי', 'Zoë Çelik', '<script>alert(1)</script>', `Bobby'); drop table lots; --`])(
    'the name %s comes back as it was written',
    async (name) => {
      const { id } = await dealer.call(lots.add, newLot({ name }))
      expect((await dealer.call(lots.get, { id })).name).toBe(name)
    },
  )
})

describe('changing', () => {
  test('only what is sent changes, and the version counts up', async () => {
    const before = await dealer.call(lots.add, newLot({ city: 'Sacramento', makes: ['Ford'] }))
    const after = await dealer.call(lots.update, { id: before.id, phone: '+1 916 555 0100', version: 1 })
    expect(after).toEqual({ ...before, phone: '+1 916 555 0100', version: 2, updatedAt: after.updatedAt })
  })

  test('what edit-lot answered may come back whole, and empty text clears a field', async () => {
    const before = await dealer.call(lots.add, newLot({ city: 'Sacramento', phone: '+1 916 555 0100' }))
    const after = await dealer.call(lots.update, { ...before, city: ' ', phone: '' })
    expect([after.city, after.phone, after.version]).toEqual([null, null, 2])
  })

  test('a stale version is refused with the lot as it is now, and nothing is overwritten', async () => {
    const { id } = await dealer.call(lots.add, newLot())
    const current = await dealer.call(lots.update, { id, name: 'The first was faster', version: 1 })
    const refusal = await refusalOf(dealer.call(lots.update, { id, name: 'Too late', version: 1 }))
    expect(refusal).toMatchObject({
      message: expect.stringContaining('was changed by someone else'),
      current,
    })
    expect(await dealer.call(lots.get, { id })).toEqual(current)
  })

  test('of ten at once with one version one wins', async () => {
    const { id } = await dealer.call(lots.add, newLot())
    const tries = Array.from({ length: 10 }, (_, at) =>
      dealer.call(lots.update, { id, name: `Try ${at}`, version: 1 }),
    )
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a code in use is refused, the lot’s own is not', async () => {
    const { id, code } = await dealer.call(lots.add, newLot())
    await expect(dealer.call(lots.update, { id, code })).resolves.toMatchObject({ code })
    await expect(dealer.call(lots.update, { id, code: 'NGF' })).toRefuse(
      409,
      'Another lot already has this code.',
    )
  })

  test('a lot that is gone is not found', async () => {
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
    // Harbor's dealer has one lot in the demo world: what is found here is what was put here.
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
  ] as const)('sorts by %s without case, empty cells last', async ([sort, wanted]) => {
    expect(await codes({ sort })).toEqual(wanted)
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
  ] as const)('searches for %s as text', async ([search, wanted]) => {
    expect(await codes({ search })).toEqual(wanted)
  })

  test('counts what matches and what is there, and gives one page of it', async () => {
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

  test('pages do not overlap and together give everything', async () => {
    const { totalRows } = await seller.call(lots.list, {})
    const pages = await Promise.all(
      [1, 2, 3].map((page) => seller.call(lots.list, { page, pageSize: 2, sort: 'type' })),
    )
    const ids = pages.flatMap(({ results }) => results.map(({ id }) => id))
    expect(new Set(ids).size).toBe(Math.min(6, totalRows))
  })

  test('a page behind the end is empty and still counts', async () => {
    const answer = await seller.call(lots.list, { page: 1000 })
    expect([answer.results, answer.totalRows > 0]).toEqual([[], true])
  })
})

test('search and uniqueness know capitals of every script, on every platform', async () => {
  const lot = await dealer.call(lots.add, { name: 'École Élysée', code: 'éc1' })
  expect(lot.code).toBe('ÉC1')
  const { results } = await dealer.call(lots.list, { search: 'éCOLE' })
  expect(results.map(({ id }) => id)).toContain(lot.id)
})
