import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { instruments } from '#contract/carbon/activity/instruments.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { expectShares, type Dated } from '#test/factories/carbon/day-shares.ts'
import { findDifferentSums, sumResults, shownTotals } from '#test/factories/carbon/stored-results.ts'
import { ledgerWorld, type Row } from '#test/factories/carbon/ledger-world.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  await forecourt.owner.query('analyze')
})
afterAll(async () => {
  await forecourt.close()
})

const dayOf = (day: number) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)

/** Adjacent, overlapping and one-day periods, and periods that extend beyond the inventory. */
const days = fc
  .record({ from: fc.integer({ min: -40, max: 364 }), days: fc.constantFrom(1, 2, 28, 31, 90, 366, 410) })
  .filter(({ from, days: count }) => from + count > 0)
  .map(({ from, days: count }) => ({ periodStart: dayOf(from), periodEnd: dayOf(from + count - 1) }))
const digits = fc.integer({ min: 0, max: 9_999_999 }).map((count) => plain(new Figure(count).div(1000)))

const SOURCES = ['gas', 'grid', 'abroad', 'own', 'money'] as const
const anyRecord = fc.record({
  source: fc.constantFrom(...SOURCES),
  kind: fc.constantFrom('calculated', 'calculated', 'estimate', 'direct'),
  period: days,
  quantity: digits,
  /** The same record in other periods: one shape. */
  again: fc.array(days, { maxLength: 2 }),
  hasRate: fc.boolean(),
})
type AnyRecord = typeof anyRecord extends fc.Arbitrary<infer R> ? R : never

const pick = fc.nat(40)
const anyEdit = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('add' as const), record: anyRecord }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('change' as const), pick, period: days, quantity: digits }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), pick }) },
  fc.record({
    do: fc.constant('own' as const),
    at: fc.nat(1),
    from: fc.integer({ min: 1, max: 363 }).map(dayOf),
    percent: fc.integer({ min: 0, max: 1000 }).map((tenths) => plain(new Figure(tenths).div(10))),
  }),
  fc.record({
    do: fc.constant('open' as const),
    on: fc.integer({ min: 1, max: 200 }).map(dayOf),
    until: fc.integer({ min: 201, max: 363 }).map(dayOf),
  }),
  fc.record({ do: fc.constant('factor' as const), kg: fc.integer({ min: 1, max: 9_999 }) }),
  fc.record({
    do: fc.constant('buy' as const),
    kwh: fc.integer({ min: 1, max: 9_000 }),
    hasRate: fc.boolean(),
  }),
)
type Edit = typeof anyEdit extends fc.Arbitrary<infer E> ? E : never

const UNITS = { gas: 'mmBtu', grid: 'kWh', abroad: 'kWh', own: 'kg', money: 'EUR' } as const

function rowsOf({ source, kind, period, quantity, again, hasRate }: AnyRecord): Row[] {
  const isMoney = source === 'money' && kind !== 'direct'
  const row = {
    kind,
    quantity: kind === 'direct' ? null : quantity,
    unit: kind === 'direct' ? null : UNITS[source],
    calorificBasis: source === 'gas' && kind !== 'direct' ? ('gross' as const) : null,
    estimateMethod: kind === 'estimate' ? ('average' as const) : null,
    direct:
      kind === 'direct'
        ? [
            { gas: 'CO2', basis: 'gas' as const, kg: quantity },
            { gas: 'CH4', basis: 'gas' as const, kg: '0.25' },
            { gas: 'CO2', isBiogenic: true, basis: 'gas' as const, kg: '3' },
          ]
        : null,
    priceYear: isMoney ? 2024 : null,
    moneyRate: isMoney && hasRate ? '1.083' : null,
    moneyDeflator: isMoney && hasRate ? '0.93' : null,
  }
  return [period, ...again].map((one, at) => ({ ...row, ...one, reference: `${at + 1}` }))
}

const CONTROL = '2000-01-01'

async function prepare() {
  const one = await ledgerWorld(forecourt, ford, admin, {
    boundary: 'equity',
    yearRule: 'latest',
    hasUpstream: true,
  })
  const parentId = await one.addFacility({ country: 'US' })
  const us = await one.addFacility({ gridRegion: 'CAMX', parentId })
  const gb = await one.addFacility({ country: 'GB' })
  const own = { activity: `own/of-${one.inventoryId}`, bought: `own/bought-${one.inventoryId}` }
  const input = ownFactor({
    activity: own.activity,
    scopes: ['1'],
    region: 'US',
    unit: 'kg',
    isForAll: true,
    gases: [
      { gas: 'CO2', basis: 'gas', kg: '2' },
      { gas: 'HFC-134a', basis: 'gas', kg: '0.01' },
      { gas: 'CO2', isBiogenic: true, basis: 'gas', kg: '0.5' },
    ],
  })
  const { id } = await admin.call(factors.add, input)
  await admin.call(
    factors.add,
    ownFactor({
      activity: own.bought,
      scopes: ['3.1'],
      region: 'US',
      unit: 'USD',
      priceYear: 2022,
      isForAll: true,
    }),
  )
  const grid = { activity: 'electricity/grid', scope: '2', unit: 'kWh' }
  const sources = {
    gas: await one.addSource({
      activity: 'combustion/natural-gas',
      scope: '1',
      unit: 'mmBtu',
      facilityId: us,
    }),
    grid: await one.addSource({ ...grid, facilityId: us }),
    abroad: await one.addSource({ ...grid, facilityId: gb }),
    own: await one.addSource({ activity: own.activity, scope: '1', unit: 'kg', facilityId: us }),
    money: await one.addSource({ activity: own.bought, scope: '3.1', unit: 'EUR', facilityId: us }),
  }
  const wholly = (): Dated => ({
    openedOn: null,
    closedOn: null,
    ownership: [{ from: CONTROL, percent: '100' }],
  })
  const places: Record<string, Dated> = { [parentId]: wholly(), [us]: wholly(), [gb]: wholly() }
  return { one, sources, places, parentId, us, gb, factor: { id, input } }
}
type World = Awaited<ReturnType<typeof prepare>>

async function edit(world: World, wanted: Edit): Promise<void> {
  const { one, sources, places, factor } = world
  const { inventoryId } = one
  const { owner } = forecourt
  if (wanted.do === 'add') {
    await one.save(sources[wanted.record.source], ...rowsOf(wanted.record))
  } else if (wanted.do === 'change' || wanted.do === 'delete') {
    const { results } = await admin.call(activities.list, { inventoryId, pageSize: 500 })
    const chosen = results[wanted.pick % Math.max(1, results.length)]
    if (chosen === undefined) return
    const { id, version, sourceId, kind, unit, calorificBasis, direct, estimateMethod } = chosen
    if (wanted.do === 'delete') {
      await admin.call(activities.remove, { id })
      return
    }
    const { priceYear, moneyRate, moneyDeflator } = chosen
    const quantity = kind === 'direct' ? null : wanted.quantity
    const record = {
      sourceId,
      kind,
      quantity,
      unit,
      calorificBasis,
      direct,
      estimateMethod,
      priceYear,
      moneyRate,
    }
    const rows = [{ key: '1', id, version, record: { ...record, moneyDeflator, ...wanted.period } }]
    await admin.call(activities.save, { inventoryId, rows })
  } else if (wanted.do === 'own') {
    const facilityId = [world.parentId, world.us][wanted.at] ?? ''
    const ownership = places[facilityId]?.ownership ?? []
    if (ownership.some(({ from }) => from === wanted.from)) return
    ownership.push({ from: wanted.from, percent: wanted.percent })
    await owner.query(
      `insert into facility_control (customer_id, organization_id, facility_id, valid_from, ownership, operational_control, financial_control)
      select customer_id, organization_id, id, $2, $3, true, true from facilities where id = $1`,
      [facilityId, wanted.from, wanted.percent],
    )
  } else if (wanted.do === 'open') {
    places[world.gb] = {
      ...places[world.gb],
      openedOn: wanted.on,
      closedOn: wanted.until,
      ownership: [{ from: CONTROL, percent: '100' }],
    }
    await owner.query('update facilities set opened_on = $2, closed_on = $3 where id = $1', [
      world.gb,
      wanted.on,
      wanted.until,
    ])
  } else if (wanted.do === 'factor') {
    const [first, ...others] = factor.input.gases
    if (first === undefined) return
    const gases = [{ ...first, kg: plain(new Figure(wanted.kg).div(1000)) }, ...others]
    const { id } = await admin.call(factors.update, { id: factor.id, factor: { ...factor.input, gases } })
    factor.id = id
  } else {
    const words = { unit: 'kWh', sourceNote: fresh('Registry') }
    const certificates = {
      kind: 'certificate' as const,
      name: 'Wind',
      quantity: String(wanted.kwh),
      kgCo2e: '0.01',
    }
    const rate = { kind: 'supplier_rate' as const, name: 'Green rate', quantity: null, kgCo2e: '0.07' }
    const bought = wanted.hasRate ? rate : certificates
    const allocations = [{ sourceId: sources.grid, quantity: bought.quantity }]
    // Certificates can't exceed the use.
    await admin
      .call(instruments.save, { inventoryId, ...bought, ...words, allocations })
      .catch((error: unknown) => {
        if (!(error instanceof Refused) || error.status !== 409) throw error
      })
  }
}

const year = { periodStart: '2024-11-20', periodEnd: '2026-01-03' }
/** For every source, a bill that extends beyond the period on both sides, and one shape in three periods. */
const FIRST = SOURCES.map((source, at): Edit => ({
  do: 'add',
  record: {
    source,
    kind: source === 'abroad' ? 'estimate' : 'calculated',
    period: year,
    quantity: `${at + 1}000.007`,
    again: [
      { periodStart: '2025-01-31', periodEnd: '2025-01-31' },
      { periodStart: '2025-02-10', periodEnd: '2025-05-05' },
    ],
    hasRate: true,
  },
}))
const MAY = { period: { periodStart: '2025-05-20', periodEnd: '2025-06-02' }, quantity: '12.5', again: [] }
/** A change of ownership in March, certificates, measured emissions, and money without a rate, which has no result. */
const SECOND: Edit[] = [
  { do: 'add', record: { ...MAY, source: 'gas', kind: 'direct', hasRate: false } },
  { do: 'add', record: { ...MAY, source: 'grid', kind: 'direct', hasRate: false } },
  { do: 'add', record: { ...MAY, source: 'money', kind: 'calculated', hasRate: false } },
  { do: 'own', at: 0, from: '2025-03-16', percent: '33.3' },
  { do: 'buy', kwh: 700, hasRate: false },
]

test('after any edits, totals match the results in every grouping, and results match the days of each record', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEdit, { minLength: 4, maxLength: 9 }), async (edits) => {
      const world = await prepare()
      const { one, places, parentId, us, gb } = world
      for (const wanted of [...FIRST, ...SECOND, ...edits]) await edit(world, wanted)
      await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
      expect(await findDifferentSums(forecourt.owner, one)).toEqual([])
      expect(shownTotals(await one.totals())).toEqual(await sumResults(forecourt.owner, one))
      const chains = {
        [us]: [places[parentId], places[us]].flatMap((place) => place ?? []),
        [gb]: [places[gb]].flatMap((place) => place ?? []),
      }
      const { expected } = await expectShares(forecourt.owner, one, {
        first: '2025-01-01',
        last: '2025-12-31',
        chains,
      })
      // Make sure that there are results to compare.
      expect(expected).toBeGreaterThan(60)
    }),
    { numRuns: 3, endOnFailure: true },
  )
}, 120_000)
