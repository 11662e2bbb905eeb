import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { leadResponses } from '#contract/leads/inbox/lead-responses.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { clock } from '#server/clock.ts'
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

test('a group with 12 stores works a day: leads find their store, are moved once, escalate once, are answered, and the report agrees', async () => {
  const group = await addGroup()
  const clues = group.stores.map(({ name }) => ({
    vendor: name,
    vendorId: null,
    vin: null,
    make: null,
    zip: null,
  }))
  const ids: string[] = []
  for (const lead of [...clues, { vendor: 'Nobody', vendorId: null, vin: null, make: null, zip: null }]) {
    const { received } = await postInbound(forecourt, group.adfPath, documentOf(lead))
    ids.push(received?.leads[0]?.id ?? '')
  }
  const [first = '', second = ''] = ids
  const lost = ids.at(-1) ?? ''
  const lotId = group.stores[4]?.lotId ?? ''
  expect((await ford.call(leads.get, { id: lost })).needsStore).toBe(true)
  await ford.call(leadMoves.move, { id: lost, lotId })
  await ford.call(leadMoves.move, { id: second, lotId, reason: 'Asked for this store' })
  const sofia = await forecourt.as('sofia.marino', 'Northgate Ford')
  await sofia.call(leads.accept, { id: first })
  clock.advance(20 * 60_000)
  await forecourt.jobs.runDue()
  for (const id of [second, lost]) await sofia.call(leads.logCall, { id, result: 'reached' })
  const report = await ford.call(leadResponses.get, { from: '2026-11-18', to: '2026-11-18' })
  const own = report.bySource.find(({ name }) => name === group.source)
  expect(own).toMatchObject({ leads: { count: ids.length }, answered: { count: 2 } })
  const mine = (await ford.call(leads.stores, {})).find((store) => store.lotId === lotId)
  expect(mine?.open).toBe(3)
})
