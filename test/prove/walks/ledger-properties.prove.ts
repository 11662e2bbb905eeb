import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { instruments } from '#contract/carbon/activity/instruments.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { ledgerWorld, type LedgerWorld, type Row } from '#test/factories/carbon/ledger-world.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** A row of one of the four sources: bills and estimates of random periods that may be adjacent, overlap or leave gaps. */
const anyRow = fc.record({
  source: fc.nat(3),
  from: fc.integer({ min: -20, max: 350 }),
  days: fc.integer({ min: 1, max: 100 }),
  quantity: fc.integer({ min: 0, max: 9_999_999 }).map((digits) => String(digits / 1000)),
  isEstimate: fc.boolean(),
})
type AnyRow = typeof anyRow extends fc.Arbitrary<infer R> ? R : never

const pick = fc.nat(20)
const anyEdit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), row: anyRow }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), pick, row: anyRow }) },
  fc.record({ do: fc.constant('delete' as const), pick }),
  fc.record({ do: fc.constant('restore' as const), pick }),
  fc.record({
    do: fc.constant('share' as const),
    facility: fc.nat(1),
    percent: fc.integer({ min: 0, max: 100 }),
  }),
  fc.record({ do: fc.constant('exclude' as const), facility: fc.nat(1), excluded: fc.boolean() }),
  fc.record({ do: fc.constant('factor' as const), kg: fc.integer({ min: 1, max: 9_999 }) }),
  fc.record({ do: fc.constant('gwp' as const), set: fc.constantFrom('AR4', 'AR5', 'AR6') }),
  fc.record({ do: fc.constant('upstream' as const), relevance: fc.constantFrom('relevant', 'not_assessed') }),
  fc.record({ do: fc.constant('buy' as const), kwh: fc.integer({ min: 1, max: 50_000 }) }),
)
type Edit = typeof anyEdit extends fc.Arbitrary<infer E> ? E : never

const UNITS = ['mmBtu', 'kWh', 'kWh', 'kg'] as const
const dayOf = (day: number) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)

function recordOf({ source, from, days, quantity, isEstimate }: AnyRow): Row {
  return {
    quantity,
    unit: UNITS[source] ?? 'kg',
    calorificBasis: source === 0 ? 'gross' : null,
    periodStart: dayOf(from),
    periodEnd: dayOf(from + days - 1),
    kind: isEstimate ? 'estimate' : 'calculated',
    estimateMethod: isEstimate ? 'average' : null,
  }
}

/** Gas and electricity in the United States, electricity in the United Kingdom, and a source with a custom factor. */
async function prepare() {
  const one = await ledgerWorld(forecourt, ford, admin, {
    boundary: 'equity',
    yearRule: 'latest',
    hasUpstream: true,
  })
  const facilities = [await one.addFacility({ gridRegion: 'CAMX' }), await one.addFacility({ country: 'GB' })]
  const [us = '', gb = ''] = facilities
  const activity = `own/of-${one.inventoryId}`
  const input = ownFactor({
    activity,
    scopes: ['1'],
    region: 'US',
    unit: 'kg',
    isForAll: true,
    gases: [{ gas: 'CO2e', basis: 'co2e', kg: '2' }],
  })
  const { id } = await admin.call(factors.add, input)
  const grid = { activity: 'electricity/grid', scope: '2', unit: 'kWh' }
  const sources = [
    await one.addSource({ activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu', facilityId: us }),
    await one.addSource({ ...grid, facilityId: us }),
    await one.addSource({ ...grid, facilityId: gb }),
    await one.addSource({ activity, scope: '1', unit: 'kg', facilityId: us }),
  ]
  return { one, facilities, sources, factor: { id, version: 1, input }, known: new Array<string>() }
}
type World = Awaited<ReturnType<typeof prepare>>

/** Rejected calls are allowed, because they change nothing. */
async function tolerate(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
  })
}

async function edit(world: World, wanted: Edit): Promise<void> {
  const { one, facilities, sources, known, factor } = world
  const { inventoryId } = one
  if (wanted.do === 'add') {
    const { rows } = await one.save(sources[wanted.row.source] ?? '', recordOf(wanted.row))
    known.push(...rows.flatMap(({ record }) => record?.id ?? []))
    return
  }
  if (wanted.do === 'change') {
    const { results } = await admin.call(activities.list, { inventoryId, pageSize: 500 })
    const chosen = results[wanted.pick % Math.max(1, results.length)]
    if (chosen === undefined) return
    const source = sources.indexOf(chosen.sourceId)
    const record = { ...recordOf({ ...wanted.row, source }), sourceId: chosen.sourceId }
    const row = { key: 'a', id: chosen.id, version: chosen.version, record }
    await admin.call(activities.save, { inventoryId, rows: [row] })
    return
  }
  if (wanted.do === 'delete' || wanted.do === 'restore') {
    const id = known[wanted.pick % Math.max(1, known.length)]
    if (id === undefined) return
    const call =
      wanted.do === 'delete' ? admin.call(activities.remove, { id }) : admin.call(activities.restore, { id })
    await tolerate(call)
    return
  }
  if (wanted.do === 'factor') {
    const gases = [{ gas: 'CO2e', basis: 'co2e' as const, kg: plain(new Figure(wanted.kg).div(1000)) }]
    const { id, version, input } = factor
    const made = await admin.call(factors.update, { id, version, factor: { ...input, gases } })
    world.factor = { ...factor, id: made.id, version: made.version }
    return
  }
  if (wanted.do === 'buy') {
    const quantity = String(wanted.kwh)
    const allocations = [{ sourceId: sources[1] ?? '', quantity }]
    const words = { name: 'Wind', unit: 'kWh', kgCo2e: '0.01', sourceNote: fresh('Registry') }
    // Certificates can't exceed the use.
    await tolerate(
      admin.call(instruments.save, { inventoryId, kind: 'certificate', quantity, allocations, ...words }),
    )
    return
  }
  const { owner } = forecourt
  if (wanted.do === 'gwp') {
    await owner.query('update carbon_inventories set gwp_set = $2 where id = $1', [inventoryId, wanted.set])
  } else if (wanted.do === 'upstream') {
    await owner.query('update inventory_scope3 set relevance = $2 where inventory_id = $1', [
      inventoryId,
      wanted.relevance,
    ])
  } else if (wanted.do === 'share') {
    const facilityId = facilities[wanted.facility]
    await owner.query('update facility_control set ownership = $2 where facility_id = $1', [
      facilityId,
      wanted.percent,
    ])
  } else {
    await owner.query(
      `update inventory_facilities set excluded = $3, reason = case when $3 then 'Sold' end
      where inventory_id = $1 and facility_id = $2`,
      [inventoryId, facilities[wanted.facility], wanted.excluded],
    )
  }
}

/** All columns of results and totals except IDs and timestamps. */
async function shown({ inventoryId }: LedgerWorld) {
  const without = (alias: string) => `to_jsonb(${alias}) - 'id' - 'calculated_at'`
  const read = async (table: string, order: string) =>
    (
      await forecourt.owner.query(
        `select ${without('t')} as row from ${table} t where inventory_id = $1 order by ${order}`,
        [inventoryId],
      )
    ).rows
  return {
    results: await read('calculation_results', 'record_id, month, part, method'),
    totals: await read('calculation_totals', 'source_id, month, part, method, factor_id'),
  }
}

/** Deletes all results and recalculates them. */
async function calculateAll(one: LedgerWorld): Promise<void> {
  const { inventoryId } = one
  await forecourt.owner.query('delete from calculation_results where inventory_id = $1', [inventoryId])
  await forecourt.owner.query('delete from calculation_totals where inventory_id = $1', [inventoryId])
  await forecourt.owner.query(
    `insert into stale_sources (customer_id, source_id, organization_id, inventory_id)
    select customer_id, id, organization_id, inventory_id from emission_sources where inventory_id = $1 on conflict do nothing`,
    [inventoryId],
  )
  expect(await admin.call(ledger.recalculate, { inventoryId })).toEqual({ pending: 0 })
}

/** As exact as the database: a certificate share is a quotient with forty digits, and its products are longer. */
const Exact = Figure.clone({ precision: 200 })
const sum = (lines: readonly { location: string; market: string }[], method: 'location' | 'market') =>
  plain(lines.reduce((total, line) => total.plus(line[method]), new Exact(0)))

/** A bill for most of the year at each source, so that there are results from the start. */
const FIRST = UNITS.map((_unit, source): Edit => ({
  do: 'add',
  row: { source, from: 10, days: 340, quantity: `${source + 1}000.5`, isEstimate: false },
}))

test('after any edits, the results match a full calculation, and every grouping has the same sum', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEdit, { minLength: 4, maxLength: 12 }), async (edits) => {
      const world = await prepare()
      for (const wanted of FIRST) await edit(world, wanted)
      // Make sure that there are results to compare.
      expect((await shown(world.one)).results.length).toBeGreaterThan(20)
      for (const wanted of edits) await edit(world, wanted)
      await admin.call(ledger.recalculate, { inventoryId: world.one.inventoryId })
      const after = await shown(world.one)
      const { total, scopes, facilities, sources, months, monthScopes, gases } = await world.one.totals()
      for (const method of ['location', 'market'] as const) {
        for (const lines of [scopes, facilities, sources, months, monthScopes])
          expect(sum(lines, method)).toBe(total[method])
        // A certificate share is a quotient with forty digits.
        expect(Number(sum(gases, method))).toBeCloseTo(Number(total[method]), 9)
      }
      await calculateAll(world.one)
      expect(await shown(world.one)).toEqual(after)
    }),
    { numRuns: 5, endOnFailure: true },
  )
}, 240_000)

test('the order in which records are entered does not matter', async () => {
  const rows = fc.uniqueArray(anyRow, {
    minLength: 3,
    maxLength: 9,
    selector: ({ source, from, days }) => `${source} ${from} ${days}`,
  })
  await fc.assert(
    fc.asyncProperty(
      rows.chain((entered) =>
        fc.tuple(fc.constant(entered), fc.shuffledSubarray(entered, { minLength: entered.length })),
      ),
      async ([entered, shuffled]) => {
        const totals = []
        for (const order of [entered, shuffled]) {
          const { one, sources } = await prepare()
          for (const row of order) await one.save(sources[row.source] ?? '', recordOf(row))
          const { total, coverage, months } = await one.totals()
          totals.push({ total, months, sentence: coverage.sentence })
        }
        expect(totals[0]).toEqual(totals[1])
      },
    ),
    { numRuns: 3, endOnFailure: true },
  )
}, 240_000)
