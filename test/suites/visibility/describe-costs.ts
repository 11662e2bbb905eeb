import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listOf } from '#contract/queried-list.ts'
import { FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { allSources } from '#server/all-sources.ts'
import { addressOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { everyCase } from '#test/cases/cases.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import type { Draw } from '#test/suites/draw.ts'

/** A cost in cents, and the words in which an answer could tell it. */
const COSTS = [1_234_567, 1_122_334] as const
const MARKERS = COSTS.flatMap((cents) => {
  const amount = (cents / 100).toFixed(2)
  return [String(cents), amount, Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2 })]
})
/** The amount of a rule on the cost: with the price that it leads to, anyone could subtract it. */
const RULE_CENTS = 313_379
/** Its name, in which users write amounts. */
const RULE = 'Costrulemark'
const SECRETS = [...MARKERS, '313379', '3133.79', '3,133.79', RULE]

type Call = Readonly<{ name: string; endpoint: Endpoint; input: unknown }>

/** What may not depend on costs for a user who doesn't see them: answers of calls, lists, files, and results of rules. */
export function describeCosts(draw: Draw): void {
  let forecourt: TestApp
  let ford: TestOrganization
  /** Holds everything that a user of a customer can hold, except what is about costs. */
  let reader: Caller
  /** The same with costs. */
  let owner: Caller
  let vehicleId: string
  let ruleId: string
  let limitedStock: string

  beforeAll(async () => {
    forecourt = await testApp({ FORECOURT_DEMO: '1' })
    ford = await testOrganization(forecourt, 'Northgate Ford')
    await forecourt.owner.query('delete from pricing_rules')
    await ford.addMember({ userName: 'with.costs', userType: 'Customer administrator' })
    const readerId = await ford.addMember({ userName: 'without.costs', userType: 'Customer administrator' })
    await forecourt.owner.query(
      `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
      select $1, $2, $3, opr, false from unnest($4::int[]) opr`,
      [ford.customerId, readerId, Func.vehicleCost.func, Func.vehicleCost.operations],
    )
    reader = await forecourt.as('without.costs')
    owner = await forecourt.as('with.costs')
    vehicleId = await ford.addVehicle({
      year: 2021,
      status: 'live',
      condition: 'used',
      priceCents: 1_000_000,
      costCents: COSTS[0],
      invoiceCents: COSTS[0],
      photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: '' }],
    })
    const { id } = await ford.call(pricingRules.add, {
      name: RULE,
      kind: 'floor',
      cents: RULE_CENTS,
      percent: 100,
      field: 'cost',
      condition: `stock == "${(await ford.call(vehicles.get, { id: vehicleId })).stock}"`,
      confirmPrices: true,
    })
    ruleId = id
    // A rule on the cost that limits another rule, or not, depending on the cost.
    const limited = await ford.addVehicle({
      year: 2021,
      status: 'live',
      condition: 'used',
      priceCents: 2_000_000,
      costCents: COSTS[0],
    })
    limitedStock = (await ford.call(vehicles.get, { id: limited })).stock ?? ''
    await ford.call(pricingRules.add, {
      name: 'Another limit',
      kind: 'floor',
      cents: RULE_CENTS,
      percent: 100,
      field: 'invoice',
      condition: `stock == "${limitedStock}"`,
      confirmPrices: true,
    })
    await forecourt.prices.workDue()
  })
  afterAll(() => forecourt.close())

  /**
   * Gives every other vehicle one cost and the rest the other one, and then the other way round: with SQL, because every other
   * way leaves traces that differ, too.
   */
  async function setCosts(isSwapped: boolean): Promise<void> {
    const given = isSwapped ? COSTS.toReversed() : COSTS
    await forecourt.owner.query('alter table vehicles disable trigger user')
    await forecourt.owner.query(
      `update vehicles v set cost_cents = n.cents, invoice_cents = n.cents
      from (select id, case when (id + $3) % 2 = 0 then $1::bigint else $2 end as cents from vehicles) n where n.id = v.id`,
      [...given, vehicleId],
    )
    await forecourt.owner.query('alter table vehicles enable trigger user')
  }

  async function answerOf(call: Call): Promise<string> {
    // A user who sees costs just asked the same: nothing that is kept for them is told to the reader.
    if (!call.endpoint.writes) await send(owner, call)
    const { status, text } = await send(reader, call)
    // Times differ between two calls.
    return `${status} ${text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"|\b\d+ ms\b/g, '""')}`
  }

  function send(caller: Caller, { endpoint, input }: Call) {
    const { url, body } = addressOf(endpoint, input)
    return caller.send({ method: endpoint.method, url, ...(body === undefined ? {} : { payload: body }) })
  }

  /** The calls whose answer is another one with other costs. Those that differ by themselves are left out. */
  async function depending(calls: readonly Call[]): Promise<string[]> {
    const answers = async (isSwapped: boolean) => {
      await setCosts(isSwapped)
      const all: string[] = []
      // oxlint-disable-next-line no-await-in-loop -- One after another, so that counters are the same.
      for (const call of calls) all.push(await answerOf(call))
      return all
    }
    const first = await answers(false)
    const second = await answers(true)
    const again = await answers(true)
    return calls.flatMap(({ name }, at) =>
      first[at] !== second[at] && second[at] === again[at]
        ? [`${name}: ${differenceOf(first[at] ?? '', second[at] ?? '')}`]
        : [],
    )
  }

  // Not as a part of another number, such as the microseconds of a moment.
  const told = (answer: string): string[] =>
    SECRETS.filter((word) => new RegExp(`(?<![\\d.])${word.replace('.', '\\.')}(?!\\d)`).test(answer))

  test.for([...chunksOf(draw('costs', everyCase, 12), 60)].map((some, at) => [at + 1, some] as const))(
    'no answer tells a cost to a user without the permission (%i)',
    async ([, some]) => {
      const calls: Call[] = []
      // oxlint-disable-next-line no-await-in-loop -- The factories share one session.
      for (const { name, endpoint, input } of some) calls.push({ name, endpoint, input: await input(ford) })
      await setCosts(false)
      const leaks: string[] = []
      for (const call of calls.filter(({ endpoint }) => !ENDS_SESSION.has(endpoint))) {
        // oxlint-disable-next-line no-await-in-loop -- They share one session.
        const words = told(await answerOf(call))
        if (words.length > 0) leaks.push(`${call.name}: ${words.join(', ')}`)
      }
      expect(leaks).toEqual([])
      expect(await depending(calls.filter(({ endpoint }) => !endpoint.writes))).toEqual([])
    },
  )

  test('no list is sorted, filtered, searched, counted or exported by costs', async () => {
    const calls = listEndpoints(contract).flatMap(({ endpoint }): Call[] => {
      const list = listOf(endpoint)
      if (list === undefined || !everyList.has(list.key)) return []
      const fields = Object.entries(list.fields)
      const listed = [
        ...[String(COSTS[0]), (COSTS[0] / 100).toFixed(2)].map((search) => ({ search })),
        ...fields.flatMap(([name, { kind }]) => [
          { sort: name },
          { sort: `-${name}` },
          ...(kind === 'money' ? [{ filter: `${name} > ${(COSTS[0] + COSTS[1]) / 200}` }] : []),
        ]),
      ].map((input): Call => ({ name: `${list.key} ${JSON.stringify(input)}`, endpoint, input }))
      const columns = fields.map(([name]) => name)
      const exported = [columns, ...columns.map((column) => [column])].map((some): Call => ({
        name: `${list.key} as a file with ${some.join(', ')}`,
        endpoint: contract.reports.exportList,
        input: { list: list.key, format: 'csv', columns: some },
      }))
      const facets = {
        name: `facets of ${list.key}`,
        endpoint: contract.facets.list,
        input: { list: list.key },
      }
      return [...listed, ...exported, facets]
    })
    const drawn = draw('lists', calls, 4)
    const wanted = calls.filter(({ name }) => /^vehicles .*cost|with cost$|facets of vehicles$/.test(name))
    expect(wanted.length).toBeGreaterThanOrEqual(5)
    expect(await depending([...new Set([...drawn, ...wanted])])).toEqual([])
  })

  /** What can be asked about rules on amounts that the reader doesn't see, by call. */
  const probes = (): Record<string, unknown[]> => {
    const rule = { name: fresh('Probe'), kind: 'floor' as const, cents: 10_000_000, percent: 100 }
    const file = (field: string) =>
      JSON.stringify({ format: 'forecourt-pricing-rules', version: 1, rules: [{ ...rule, field, lots: [] }] })
    const calls: Record<string, (field: string) => unknown> = {
      'pricingRules.preview': (field: string) => ({ id: null, rule: { ...rule, field } }),
      'pricingRules.add': (field: string) => ({ ...rule, field }),
      'pricingRules.update': (field: string) => ({ id: ruleId, field, percent: 50 }),
      'ruleRequests.ask': (field: string) => ({ change: { kind: 'add', rule: { ...rule, field } } }),
      'ruleFiles.import': (field: string) => ({ isTrial: true, text: file(field) }),
    }
    return Object.fromEntries(
      Object.entries(calls).map(([name, of]) => [name, ['cost', 'invoice'].map((field) => of(field))]),
    )
  }

  test('no rule can be tried on costs by a user without the permission', async () => {
    const named = everyCase.filter(
      ({ name, endpoint }) => isAskedAbout(endpoint) || name === 'ruleFiles.import',
    )
    expect(named.map(({ name }) => name).toSorted()).toEqual(Object.keys(probes()).toSorted())
    const calls = named.flatMap(({ name, endpoint }) =>
      (probes()[name] ?? []).map((input) => ({ name, endpoint, input })),
    )
    for (const call of calls) {
      // oxlint-disable-next-line no-await-in-loop -- One after another.
      const answer = await answerOf(call)
      expect([call.name, answer]).toEqual([call.name, expect.stringMatching(/^403 .*Vehicle cost/)])
    }
  })

  test('what another rule would do to a vehicle with a limit on costs is not told', async () => {
    const rule = { name: fresh('Probe'), kind: 'discount' as const, condition: `stock == "${limitedStock}"` }
    const asked = [100_000, 800_000, 1_900_000].flatMap((cents): Call[] => [
      {
        name: `preview of ${cents}`,
        endpoint: pricingRules.preview,
        input: { id: null, rule: { ...rule, cents } },
      },
      {
        name: `file with ${cents}`,
        endpoint: contract.ruleFiles.import,
        input: {
          isTrial: true,
          text: JSON.stringify({
            format: 'forecourt-pricing-rules',
            version: 1,
            rules: [{ ...rule, cents, lots: [] }],
          }),
        },
      },
    ])
    expect(await depending(asked)).toEqual([])
    const shown = await ford.call(pricingRules.preview, { id: null, rule: { ...rule, cents: 1_900_000 } })
    expect(shown).toMatchObject({ covered: 0, lowered: 1, limited: 1 })
    const covered = await reader.call(pricingRules.preview, { id: null, rule: { ...rule, cents: 1_900_000 } })
    expect(covered).toMatchObject({
      matched: 1,
      covered: 1,
      lowered: 0,
      limited: 0,
      largest: [],
      totalCents: 0,
    })
  })

  test('what a rule on the cost did to a price is not explained to a user without the permission', async () => {
    await setCosts(false)
    const calls: Call[] = [
      { name: 'price', endpoint: contract.vehiclePrices.get, input: { id: vehicleId } },
      { name: 'prices', endpoint: contract.vehicles.prices, input: { id: vehicleId } },
      { name: 'timeline', endpoint: contract.vehicles.timeline, input: { id: vehicleId } },
      { name: 'places', endpoint: contract.vehiclePrices.places, input: { id: vehicleId } },
      { name: 'rule', endpoint: contract.pricingRules.get, input: { id: ruleId } },
      { name: 'rules', endpoint: contract.pricingRules.list, input: {} },
      { name: 'versions', endpoint: contract.pricingRules.versions, input: { id: ruleId } },
      { name: 'file', endpoint: contract.ruleFiles.export, input: {} },
      { name: 'effects', endpoint: contract.pricingRules.effects, input: {} },
      { name: 'advertised', endpoint: contract.advertisedPrices.list, input: {} },
      { name: 'audit log', endpoint: contract.auditLog.list, input: {} },
      ...(await auditEntries()),
    ]
    const leaks: string[] = []
    for (const call of calls) {
      // oxlint-disable-next-line no-await-in-loop -- One after another.
      const answer = await answerOf(call)
      expect([call.name, answer.slice(0, 3)]).toEqual([call.name, '200'])
      const words = told(answer)
      if (words.length > 0) leaks.push(`${call.name}: ${words.join(', ')}`)
    }
    expect(leaks).toEqual([])
    // Those who see costs see how the price came about.
    const { ruleLines } = await ford.call(contract.vehiclePrices.get, { id: vehicleId })
    expect(ruleLines).toMatchObject([{ name: RULE, runningCents: COSTS[0] + RULE_CENTS }])
    const covered = (await reader.call(contract.vehiclePrices.get, { id: vehicleId })).ruleLines
    expect(covered).toMatchObject([{ ruleId: null, name: 'Pricing rules', kind: 'rules', label: null }])
    expect(await ford.call(contract.pricingRules.get, { id: ruleId })).toMatchObject({ cents: RULE_CENTS })
  })

  /** Requests about a rule on costs, in each state, and of each kind. */
  async function addRequests(): Promise<string[]> {
    const ask = (change: z.input<typeof contract.ruleRequests.ask.input>['change']) =>
      ford.call(contract.ruleRequests.ask, { change })
    const floor = { kind: 'floor', cents: RULE_CENTS, percent: 100, field: 'cost' } as const
    const text = (name: string) =>
      JSON.stringify({ format: 'forecourt-pricing-rules', version: 1, rules: [{ ...floor, name, lots: [] }] })
    const renamed = await ask({
      kind: 'update',
      changes: { id: ruleId, name: `${RULE} plus 500`, isActive: true },
    })
    await owner.call(contract.ruleRequests.reject, {
      id: renamed.id,
      version: renamed.version,
      reason: 'Not now',
    })
    const removed = await ask({ kind: 'remove', id: ruleId })
    const imported = await ask({ kind: 'import', text: text(`${RULE} of a file`) })
    const added = await ask({ kind: 'add', rule: { ...floor, name: `${RULE} added` } })
    await ford.call(contract.ruleRequests.withdraw, { id: added.id, version: added.version })
    const approved = await ask({ kind: 'add', rule: { ...floor, name: `${RULE} approved`, isActive: false } })
    await owner.call(contract.ruleRequests.approve, { id: approved.id, version: approved.version })
    return [renamed, removed, imported, added, approved].map(({ id }) => id)
  }

  test('the name of a rule on costs is told nowhere to a user without the permission', async () => {
    // It had the name before it was on costs, and names a lot.
    const lotId = await ford.addLot()
    const plain = { name: `${RULE} of a lot`, kind: 'floor' as const, cents: 100, lotIds: [lotId] }
    const { id: former } = await ford.call(pricingRules.add, plain)
    await ford.call(pricingRules.update, { id: former, field: 'cost', percent: 10 })
    const deleted = await ford.call(pricingRules.add, {
      ...plain,
      name: `${RULE} deleted`,
      field: 'cost',
      percent: 10,
      cents: RULE_CENTS,
    })
    await ford.call(pricingRules.remove, { id: deleted.id })
    const requests = await addRequests()
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `select id from audit_log where table_name like 'pricing_rule%' order by id`,
    )
    const lists = listEndpoints(contract).flatMap(({ endpoint }): Call[] => {
      const list = listOf(endpoint)
      if (list === undefined || !everyList.has(list.key)) return []
      const columns = Object.keys(list.fields)
      const text = Object.entries(list.fields).find(([, { kind }]) => kind === 'text')
      const filters = text === undefined ? [] : [`${text[0]}.contains("${RULE}")`]
      const exported = { list: list.key, format: 'csv', columns }
      return [
        { name: `${list.key} listed`, endpoint, input: { pageSize: 100 } },
        { name: `${list.key} exported`, endpoint: contract.reports.exportList, input: exported },
        ...[{ search: RULE }, ...filters.map((filter) => ({ filter }))].map((input) => ({
          name: `${list.key} found by ${Object.keys(input).join('')}`,
          endpoint,
          input,
        })),
      ]
    })
    const about = (id: string) => [{ kind: 'rule' as const, id }]
    const calls: Call[] = [
      ...lists,
      ...rows.map(({ id }) => ({ name: `entry ${id}`, endpoint: contract.auditLog.get, input: { id } })),
      ...[ruleId, former].flatMap((id) => [
        { name: 'rule', endpoint: contract.pricingRules.get, input: { id } },
        { name: 'versions', endpoint: contract.pricingRules.versions, input: { id } },
        ...about(id).map((input) => ({ name: 'waiting', endpoint: contract.ruleRequests.waiting, input })),
      ]),
      ...requests.map((id) => ({ name: 'effect', endpoint: contract.ruleRequests.effect, input: { id } })),
      { name: 'requests', endpoint: contract.ruleRequests.list, input: {} },
      { name: 'calendar', endpoint: contract.pricingRules.calendar, input: {} },
      { name: 'effects', endpoint: contract.pricingRules.effects, input: {} },
      { name: 'file', endpoint: contract.ruleFiles.export, input: {} },
      { name: 'table', endpoint: contract.ruleFiles.exportLowest, input: {} },
      { name: 'search', endpoint: contract.search.find, input: { text: RULE } },
      { name: 'dashboard', endpoint: contract.dashboard.get, input: {} },
      { name: 'deleted lot', endpoint: contract.lots.remove, input: { id: lotId } },
      {
        name: 'asked again',
        endpoint: contract.ruleRequests.ask,
        input: { change: { kind: 'remove', id: former } },
      },
      ...(await auditEntries()),
    ]
    const leaks: string[] = []
    const found: string[] = []
    for (const call of calls) {
      // oxlint-disable-next-line no-await-in-loop -- One after another.
      const answer = await answerOf(call)
      const words = told(answer).filter((word) => !JSON.stringify(call.input).includes(word))
      if (words.length > 0 || answer.includes(`${RULE} `)) leaks.push(`${call.name}: ${answer.slice(0, 300)}`)
      if (/found by/.test(call.name) && !/"filteredRows":0\b/.test(answer))
        found.push(`${call.name}: ${answer}`)
    }
    expect(leaks).toEqual([])
    expect(found.filter((one) => /^(auditLog|pricingRules)/.test(one))).toEqual([])
    // Those who see costs find and read it.
    const entries = await owner.call(contract.auditLog.list, { search: `${RULE} approved` })
    expect(entries.results.length).toBeGreaterThanOrEqual(2)
    const listed = await owner.call(contract.ruleRequests.list, {})
    expect(listed.filter(({ title }) => title.includes(RULE))).toHaveLength(4)
  })

  /** The entries about the rule and the vehicle. */
  async function auditEntries(): Promise<Call[]> {
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `select id from audit_log where (table_name = 'pricing_rules' and row_id = $1) or (table_name = 'vehicles' and row_id = $2)`,
      [ruleId, vehicleId],
    )
    return rows.map(({ id }) => ({ name: 'entry', endpoint: contract.auditLog.get, input: { id } }))
  }

  test('costs in the file of a feed are not shown, and the file is not handed out', async () => {
    const { call, upload } = ford
    const lotId = await ford.addLot()
    const bytes = `Stock,Cost\n${fresh('S')},${(COSTS[0] / 100).toFixed(2)}\n`
    const { id } = FeedRun.parse(await upload(feedRuns.add.path, { lotId }, { name: 'costs.csv', bytes }))
    // After what earlier tests left to do.
    const isRead = async () => {
      await forecourt.jobs.runDue()
      return (await call(feedRuns.get, { id })).status !== 'reading'
    }
    await expect.poll(isRead).toBe(true)
    for (const [endpoint, input] of [
      [feedRuns.get, { id }],
      [feedRuns.rows, { runId: id }],
      [feedRuns.list, { search: 'costs.csv' }],
    ] as const) {
      const answer = await answerOf({ name: '', endpoint, input })
      expect([answer.slice(0, 3), told(answer)]).toEqual(['200', []])
    }
    await expect(reader.call(feedRuns.sample, { id })).toRefuse(403, 'Vehicle cost')
    // Those who see costs get it.
    await expect(call(feedRuns.sample, { id })).resolves.toBeNull()
  })

  test('a file that was made with costs is not handed out once its owner may not see them', async () => {
    const { id } = await ford.call(contract.reports.startExport, {
      list: 'vehicles',
      format: 'csv',
      columns: ['stock', 'cost'],
    })
    await forecourt.jobs.runDue()
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    await admin.call(contract.jobs.download, { id })
    await forecourt.owner.query(
      `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
      select $1, id, $2, $3, false from users where user_name = 'northgate.admin'`,
      [ford.customerId, Func.vehicleCost.func, can(Func.vehicleCost, Opr.list).opr],
    )
    try {
      await expect(admin.call(contract.jobs.download, { id })).toRefuse(403, 'Vehicle cost')
    } finally {
      await forecourt.owner.query(`delete from user_permissions p using users u
        where u.id = p.user_id and u.user_name = 'northgate.admin'`)
    }
  })
}

const everyList = new Set<string>(allSources.map(({ list }) => list.key))
const ENDS_SESSION = new Set<Endpoint>([
  contract.auth.signOut,
  contract.sessions.endAll,
  contract.auth.changeOrganization,
])

/** Whether one of the choices of an input is a cost. */
function isAskedAbout({ input, path }: Endpoint): boolean {
  if (!path.includes('pricing')) return false
  return /"enum":\[[^\]]*"(?:cost|invoice)"/.test(
    JSON.stringify(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })),
  )
}

function* chunksOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}

/** The first place where two texts differ. */
function differenceOf(one: string, other: string): string {
  const at = one.split('').findIndex((letter, place) => letter !== other[place])
  return `${one.slice(Math.max(at - 60, 0), at + 40)} | ${other.slice(Math.max(at - 10, 0), at + 40)}`
}
