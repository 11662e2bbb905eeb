import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { leadResponses } from '#contract/leads/inbox/lead-responses.ts'
import { leadTeam } from '#contract/leads/routing/lead-team.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { clock } from '#server/clock.ts'
import { hasDueLeadSteps, takeDueLeadSteps } from '#server/leads/index.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import {
  makeSecondRouter,
  type SentLead,
  type TableRule,
  type TableStore,
} from '#test/suites/second-router.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
})
afterAll(() => forecourt.close())

/** Always the same numbers from 0 to below 1. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const STORES = 12
/** Groups before this one in the same database, which have other ZIP codes and VINs. */
let groups = 0
/** A group: six lots of each organization, with names, codes and stock, and rules of all kinds. */
async function addGroup() {
  groups += 1
  const tag = fresh('G').replaceAll(' ', '')
  const stores: TableStore[] = []
  for (let at = 0; at < STORES; at += 1) {
    const place = at % 2 === 0 ? ford : toyota
    const name = `${tag} Store ${at}`
    const lotId = await place.addLot(name)
    const store = {
      lotId,
      name,
      organization: place.organizationId,
      aliases: [`${tag} Motors ${at}`],
      codes: [`00${tag}${at}1`],
      feedIds: [`F${tag}${at}`],
      makes: [`${tag}Make${at}`, ...(at < 2 ? [`${tag}Both`] : [])],
      zips: [`8${groups}${at + 10}*`],
      vins: [`1FMCU9GD8LUB${groups}${1_000 + at}`],
    }
    await place.call(lots.update, { id: lotId, makes: store.makes, dealerIds: store.feedIds })
    await place.call(leadSettings.updateLot, {
      lotId,
      vendorNames: store.aliases,
      dealerCodes: store.codes,
      postalCodes: store.zips,
    })
    await place.addVehicle({ lotId, vin: store.vins[0] ?? null, make: 'Ford', model: 'Escape' })
    stores.push(store)
  }
  const source = fresh('Group')
  const { id } = await ford.call(inboundAddresses.add, { label: source, sourceName: source, isGroup: true })
  const { adfPath } = await ford.call(inboundAddresses.renewUrls, { id })
  const rules: TableRule[] = []
  const add = async (rule: Omit<TableRule, 'id'>) => {
    const targets: { destinationId: string }[] = []
    for (const name of rule.turns) targets.push({ destinationId: await ford.addLeadDestination({ name }) })
    const { id: ruleId } = await ford.call(leadRoutingRules.add, {
      name: fresh('Rule'),
      sources: [source],
      lotIds: [...rule.lotIds],
      makes: [...rule.makes],
      dedupeMinutes: 0,
      strategy: 'round-robin',
      storeId: rule.toStore,
      targets,
    })
    rules.push({ ...rule, id: ruleId })
  }
  const lotOf = (at: number) => stores[at]?.lotId ?? ''
  await add({
    lotIds: [lotOf(3)],
    makes: [],
    toStore: null,
    turns: [fresh('CRM'), fresh('CRM'), fresh('CRM')],
  })
  await add({ lotIds: [], makes: [`${tag}Make5`], toStore: lotOf(8), turns: [] })
  await add({ lotIds: [lotOf(6), lotOf(7)], makes: [], toStore: lotOf(0), turns: [] })
  await add({ lotIds: [lotOf(8), lotOf(0)], makes: [], toStore: null, turns: [fresh('CRM'), fresh('CRM')] })
  await add({ lotIds: [], makes: [], toStore: null, turns: [fresh('Rest'), fresh('Rest'), fresh('Rest')] })
  return { tag, stores, rules, adfPath, source }
}
type Group = Awaited<ReturnType<typeof addGroup>>

function draw({ tag, stores }: Group, random: () => number): SentLead {
  const any = () => stores[Math.floor(random() * stores.length)]
  const maybe = <T>(share: number, value: () => T | undefined): T | null =>
    random() < share ? (value() ?? null) : null
  const oneOf = (...values: (string | undefined)[]) => values[Math.floor(random() * values.length)]
  return {
    vendor: maybe(0.35, () => oneOf('Somebody else', any()?.name, any()?.aliases[0]?.toUpperCase())),
    vendorId: maybe(0.35, () => oneOf('X1', any()?.codes[0]?.slice(2), any()?.feedIds[0]?.toLowerCase())),
    vin: maybe(0.3, () => (random() < 0.3 ? '1FMCU9GD8LUB99999' : any()?.vins[0])),
    make: maybe(0.4, () => (random() < 0.2 ? `${tag}Both` : any()?.makes[0])),
    zip: maybe(0.5, () => (random() < 0.2 ? '10001' : any()?.zips[0]?.replace('*', '5'))),
  }
}

function documentOf({ vendor, vendorId, vin, make, zip }: SentLead): string {
  const name = fresh('Buyer').replaceAll(' ', '')
  const tag = (element: string, text: string | null) =>
    text === null ? '' : `<${element}>${text}</${element}>`
  const named =
    vendor === null && vendorId === null
      ? ''
      : `<vendor>${vendorId === null ? '' : `<id source="Code">${vendorId}</id>`}${tag('vendorname', vendor)}</vendor>`
  const address = zip === null ? '' : `<address><postalcode>${zip}</postalcode></address>`
  return `<?adf version="1.0"?><adf><prospect><vehicle>${tag('make', make)}${tag('vin', vin)}</vehicle><customer><contact><name part="full">${name}</name><email>${name}@mail.example</email>${address}</contact></customer>${named}</prospect></adf>`
}

/** Sends leads to the group, and compares where each went with the second router. */
async function compare(count: number) {
  const group = await addGroup()
  const route = makeSecondRouter(group.stores, group.rules)
  const random = seeded(45)
  const [differences, seen]: [unknown[], Set<string>] = [[], new Set()]
  for (let at = 0; at < count; at += 1) {
    const lead = draw(group, random)
    const { received } = await postInbound(forecourt, group.adfPath, documentOf(lead))
    const id = received?.leads[0]?.id ?? ''
    const [got, went] = [
      await ford.call(leads.get, { id }),
      await ford.call(leadRoutingRules.explain, { id }),
    ]
    const expected = route(lead)
    const actual = { lotId: got.lotId, destination: went.destinations[0]?.name ?? null }
    seen.add(String(actual.lotId))
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      differences.push({ lead, expected, actual, steps: went.steps })
    expect(got.needsStore).toBe(expected.lotId === null)
  }
  expect(differences).toEqual([])
  return seen
}

test('a second router sends 20 leads to the same stores and destinations', async () => {
  expect((await compare(20)).size).toBeGreaterThan(4)
})

test(
  'a second router sends 600 leads to the same stores and destinations',
  { tags: ['release'], timeout: 300_000 },
  async () => {
    // Two stores give all their leads to other ones.
    expect((await compare(600)).size).toBe(STORES - 2 + 1)
  },
)

/** Reads the figures of the report that a count by hand of the raw leads gives. */
async function countByHand(source: string) {
  const { rows } = await forecourt.owner.query<{
    lotId: string | null
    userId: string | null
    answered: boolean
    escalated: boolean
    outcome: string
    late: boolean
    seconds: number | null
  }>(
    `select l.lot_id::text as "lotId", coalesce(l.first_responder_id, l.owner_id)::text as "userId", l.first_response_at is not null as answered,
      (select count(*) from lead_events e where e.lead_id = l.id and (e.kind = 'escalated' or e.data ->> 'toName' is not null and e.kind = 'late')) > 0 as escalated, l.outcome,
      l.respond_by < coalesce(l.first_response_at, case when l.outcome in ('sold', 'lost') then l.outcome_at end, $2::timestamptz) as late,
      l.open_response_seconds as seconds
    from leads l where l.source_name = $1 and not l.is_test and l.status not in ('duplicate', 'quarantined')`,
    [source, clock.date().toISOString()],
  )
  const figures = (some: typeof rows) => {
    const seconds = some
      .flatMap((row) => (row.seconds === null ? [] : [row.seconds]))
      .toSorted((one, other) => one - other)
    // Between the two values next to the place, as spreadsheets do (PERCENTILE.INC).
    const at = (share: number) => {
      const place = share * (seconds.length - 1)
      const [low = 0, high = 0] = [seconds[Math.floor(place)], seconds[Math.ceil(place)]]
      return seconds.length === 0 ? null : Math.round(low + (place - Math.floor(place)) * (high - low))
    }
    const isClosed = ({ outcome }: (typeof rows)[number]) => outcome === 'sold' || outcome === 'lost'
    return {
      leads: some.length,
      answered: some.filter((row) => row.answered).length,
      waiting: some.filter((row) => !row.answered && !isClosed(row)).length,
      late: some.filter((row) => row.late).length,
      escalated: some.filter((row) => row.escalated).length,
      sold: some.filter(({ outcome }) => outcome === 'sold').length,
      lost: some.filter(({ outcome }) => outcome === 'lost').length,
      median: at(0.5),
      p90: at(0.9),
    }
  }
  const by = (of: (row: (typeof rows)[number]) => string | null) =>
    new Map([...Map.groupBy(rows, of)].map(([id, some]) => [id, figures(some)]))
  return { total: figures(rows), byLot: by(({ lotId }) => lotId), byUser: by(({ userId }) => userId) }
}

const plainFigures = (row: Awaited<ReturnType<typeof readReport>>['total']) => ({
  leads: row.leads.count,
  answered: row.answered.count,
  waiting: row.waiting.count,
  late: row.late.count,
  escalated: row.escalated.count,
  sold: row.sold.count,
  lost: row.lost.count,
  median: row.medianSeconds,
  p90: row.p90Seconds,
})
const readReport = (more: { lotId?: string } = {}) =>
  ford.call(leadResponses.get, { from: '2026-11-18', to: '2026-11-18', ...more })

/** Leads come to the address of a group, find their store, are moved, escalate, and are answered with a checked price. */
async function workADay(count: number) {
  const group = await addGroup()
  const parts = {
    queue: forecourt.jobsPool,
    pool: forecourt.appPool,
    put: forecourt.outbox.put,
    base: () => 'https://forecourt.example',
  }
  const sofia = await forecourt.as('sofia.marino', 'Northgate Ford')
  const luis = await forecourt.as('northgate.dealer', 'Northgate Ford')
  const sofiaId =
    (await ford.call(leadTeam.get, {})).people.find(({ name }) => name === 'Sofia Marino')?.userId ?? ''
  const storeOf = (at: number) => group.stores[at % STORES]
  await ford.call(leadSettings.updateLot, { lotId: storeOf(2)?.lotId ?? '', managerId: sofiaId })
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const lead = { vendor: storeOf(at)?.name ?? '', vendorId: null, vin: null, make: null, zip: null }
    const nobody = { ...lead, vendor: 'Nobody' }
    const { received } = await postInbound(
      forecourt,
      group.adfPath,
      documentOf(at === count - 1 ? nobody : lead),
    )
    ids.push(received?.leads[0]?.id ?? '')
  }
  const lost = ids.at(-1) ?? ''
  const lotId = storeOf(4)?.lotId ?? ''
  expect((await ford.call(leads.get, { id: lost })).needsStore).toBe(true)
  await ford.call(leadMoves.move, { id: lost, lotId })
  expect((await ford.call(leads.get, { id: lost })).moves).toHaveLength(1)

  // One is accepted, and nobody answers it in time: its manager is told once.
  const late = ids[2] ?? ''
  await luis.call(leads.accept, { id: late })
  const atFord = []
  for (const id of ids) {
    const { organizationId } = await ford.call(leads.get, { id })
    if (organizationId === ford.organizationId && id !== late) atFord.push(id)
  }
  for (const [at, id] of atFord.entries()) {
    if (at % 3 === 1) continue
    clock.advance(20_000)
    await (at % 2 === 0 ? luis : sofia).call(leads.logCall, { id, result: 'reached' })
  }
  clock.advance(20 * 60_000)
  do await takeDueLeadSteps(parts)
  while (await hasDueLeadSteps(forecourt.jobsPool))
  const { timeline } = await ford.call(leads.get, { id: late })
  expect(timeline.filter(({ kind }) => kind === 'late')).toHaveLength(1)

  // The answer states the price, or isn't sent.
  const vehicleId = await ford.addVehicle({ lotId, condition: 'new', priceCents: 2_200_000 })
  await forecourt.prices.workDue()
  await ford.call(leads.update, { id: lost, vehicleId })
  const { vehicle } = await ford.call(leads.get, { id: lost })
  const answer = (text: string) => sofia.call(leads.sendEmail, { id: lost, subject: 'Your question', text })
  await expect(answer('Take it for 19,500.')).toRefuse(400, 'total price')
  await answer(`Yes, it is. ${vehicle?.priceText}`)
  await ford.call(leads.setOutcome, { id: atFord[0] ?? '', outcome: 'sold' })
  const closing = {
    selection: { ids: atFord.slice(1, 3) },
    change: { kind: 'close', lostReason: 'No answer' },
  }
  await luis.call(leads.change, leads.change.input.parse(closing))
  await forecourt.jobs.runDue()

  const byHand = await countByHand(group.source)
  const report = await readReport()
  const own = report.bySource.find(({ name }) => name === group.source)
  if (own === undefined) throw new Error('The source is missing in the report.')
  expect(plainFigures(own)).toEqual(byHand.total)
  expect(own.escalated.count).toBe(1)
  const stores = new Set(group.stores.map((store) => store.lotId))
  const shown = report.byLot.filter(({ id }) => stores.has(id ?? ''))
  expect(new Map(shown.map((row) => [row.id, plainFigures(row)]))).toEqual(byHand.byLot)
  // People by store.
  const { byUser } = await readReport({ lotId })
  const sums = byUser.reduce((sum, row) => sum + row.leads.count, 0)
  expect(sums).toBe(byHand.byLot.get(lotId)?.leads)
  return { own, byHand }
}

test('a group with 12 stores works a day: leads find their store, are moved once, escalate once, are answered, and the report agrees', async () => {
  const { own } = await workADay(13)
  expect(own.leads.count).toBe(13)
})

test(
  'a group with 12 stores works a day with 40 leads, and the report agrees with a count by hand',
  { tags: ['release'], timeout: 120_000 },
  async () => {
    const { own, byHand } = await workADay(40)
    expect(own.leads.count).toBe(40)
    expect(byHand.byUser.size).toBeGreaterThan(2)
  },
)
