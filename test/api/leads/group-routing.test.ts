import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leadAbsences } from '#contract/leads/routing/lead-absences.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let luis: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  luis = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

type Buyer = { name?: string; email?: string; vehicle?: string; zip?: string; vendor?: string }
const word = () => fresh('Buyer').replaceAll(' ', '')
function document({
  name = word(),
  email = `${name}@mail.example`,
  vehicle = '',
  zip,
  vendor,
}: Buyer): string {
  const address = zip === undefined ? '' : `<address><postalcode>${zip}</postalcode></address>`
  const named = vendor === undefined ? '' : `<vendor><vendorname>${vendor}</vendorname></vendor>`
  return `<?adf version="1.0"?><adf><prospect>${vehicle}<customer><contact><name part="full">${name}</name><email>${email}</email>${address}</contact></customer>${named}</prospect></adf>`
}
/** An inbound address, of a lot or of all stores, with a source of its own. */
async function newAddress(lotId?: string) {
  const sourceName = fresh('Source')
  const { id } = await ford.call(inboundAddresses.add, {
    label: sourceName,
    sourceName,
    ...(lotId === undefined ? { isGroup: true } : { lotId }),
  })
  const { adfPath } = await ford.call(inboundAddresses.renewUrls, { id })
  const send = async (buyer: Buyer) => {
    const { received } = await postInbound(forecourt, adfPath, document(buyer))
    return ford.call(leads.get, { id: received?.leads[0]?.id ?? '' })
  }
  return { sourceName, send }
}

describe('a rule that sends leads to a store', () => {
  test('moves them there before the rules after it send them, and says so', async () => {
    const [name, crm] = [fresh('Toyota rule'), fresh('Rule CRM')]
    const lotId = await toyota.addLot(name)
    const { sourceName, send } = await newAddress(await ford.addLot())
    const ruleName = fresh('Trucks')
    const destinationId = await toyota.addLeadDestination({ name: crm })
    await ford.call(leadRoutingRules.add, {
      name: ruleName,
      sources: [sourceName],
      makes: ['Hino'],
      storeId: lotId,
    })
    await toyota.addLeadRule({ sources: [sourceName], lotIds: [lotId], targets: [{ destinationId }] })
    const lead = await send({
      vehicle: '<vehicle><year>2020</year><make>Hino</make><model>195</model></vehicle>',
    })
    expect(lead).toMatchObject({ lotId, organizationId: toyota.organizationId, status: 'routed' })
    expect(lead.moves).toMatchObject([{ toName: name, byName: null }])
    const routed = lead.timeline.find(({ kind }) => kind === 'routed')
    expect(routed?.data.text).toContain(`Rule “${ruleName}”. It goes to ${name}.`)
    expect(routed?.data['destinations']).toEqual([crm])
    await expect(luis.call(leads.get, { id: lead.id })).toRefuse(
      404,
      `This lead is at ${name} now. A rule moved it there.`,
    )
    const other = await send({
      vehicle: '<vehicle><year>2020</year><make>Ford</make><model>F-150</model></vehicle>',
    })
    expect(other.organizationId).toBe(ford.organizationId)
  })

  test('decides about leads without a store, by what their evidence says', async () => {
    const lotId = await toyota.addLot()
    const { sourceName, send } = await newAddress()
    await ford.call(leadRoutingRules.add, {
      name: fresh('Nothing known'),
      sources: [sourceName],
      condition: 'storeFoundBy == "nothing" && vendorName == "Somewhere"',
      storeId: lotId,
    })
    expect(await send({ vendor: 'Somewhere' })).toMatchObject({ lotId, needsStore: false })
    expect(await send({ vendor: 'Nowhere' })).toMatchObject({ lotId: null, needsStore: true })
  })

  test('leaves a lead where a person put it', async () => {
    const [lotId, chosenId] = [await toyota.addLot(), await ford.addLot()]
    const { sourceName, send } = await newAddress()
    const { id } = await send({})
    await ford.call(leadRoutingRules.add, { name: fresh('All there'), sources: [sourceName], storeId: lotId })
    await ford.call(leadMoves.move, { id, lotId: chosenId })
    expect(await ford.call(leads.get, { id })).toMatchObject({ lotId: chosenId })
    const { steps } = await ford.call(leadRoutingRules.explain, { id })
    expect(steps.find(({ why }) => why === 'its store was chosen before')).toMatchObject({
      outcome: 'no match',
    })
  })

  test('has no destinations', async () => {
    const rule = { name: fresh('Both'), storeId: await ford.addLot() }
    const targets = [{ destinationId: await ford.addLeadDestination() }]
    await expect(ford.call(leadRoutingRules.add, { ...rule, targets })).toRefuse(400, 'has no destinations')
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const elsewhere = { name: fresh('Elsewhere'), storeId: await harbor.addLot() }
    await expect(ford.call(leadRoutingRules.add, elsewhere)).toRefuse(400, 'Choose a store that exists.')
  })
})

test('a simulation routes leads with what was known when they came in, also after their buyers moved', async () => {
  const { sourceName, send } = await newAddress(await ford.addLot())
  const email = `${word()}@mail.example`
  const name = word()
  await send({ name, email })
  const destinationId = await ford.addLeadDestination({ name: fresh('Local') })
  const rule = {
    sources: [sourceName],
    postalCodes: ['95999'],
    targets: [{ destinationId }],
    dedupeMinutes: 0,
  }
  const matched = async () => (await ford.call(leadRoutingRules.simulate, { rule, leads: 1_000 })).matched
  expect(await matched()).toBe(0)
  // The ZIP code of the same person is learned with a second lead, which alone has it.
  await send({
    name,
    email,
    zip: '95999',
    vehicle: '<vehicle><make>Ford</make><model>Ranger</model></vehicle>',
  })
  expect(await matched()).toBe(1)
})

describe('a buyer who comes back', () => {
  async function answered() {
    const lotId = await ford.addLot()
    const { sourceName, send } = await newAddress(lotId)
    const [name, email] = [word(), `${word()}@mail.example`]
    const first = await send({ name, email })
    await luis.call(leads.logCall, { id: first.id, result: 'reached' })
    const users = await ford.call(leads.assignees, { id: first.id })
    const luisId = users.find((user) => user.name === 'Luis Ortega')?.id ?? ''
    const others = users.filter(({ id, isOff }) => id !== luisId && !isOff).slice(0, 2)
    const targets: { destinationId: string }[] = []
    for (const { id: userId } of others)
      targets.push({
        destinationId: await ford.addLeadDestination({
          name: fresh('User'),
          kind: 'user',
          toEmail: null,
          userId,
        }),
      })
    await ford.addLeadRule({ sources: [sourceName], strategy: 'round-robin', targets })
    const again = (model: string, more: Buyer = { name, email }) =>
      send({ ...more, vehicle: `<vehicle><make>Ford</make><model>${model}</model></vehicle>` })
    return { lotId, luisId, others, again }
  }

  test('goes to the person who last answered them, and nobody else loses their turn', async () => {
    const { luisId, others, again } = await answered()
    const lead = await again('Ranger')
    expect(lead.ownerId).toBe(luisId)
    expect(lead.timeline.find(({ kind }) => kind === 'routed')?.data.text).toContain(
      'Luis Ortega answered this buyer before.',
    )
    // New buyers take turns from the first one.
    expect((await again('Escape', {})).ownerId).toBe(others[0]?.id)
    expect((await again('Maverick')).ownerId).toBe(luisId)
    expect((await again('Bronco', {})).ownerId).toBe(others[1]?.id ?? others[0]?.id)
  })

  test('goes to the next person while that person is off, and if the store does not want it', async () => {
    const { lotId, luisId, others, again } = await answered()
    await ford.call(leadAbsences.set, { userId: luisId, until: 'today' })
    expect((await again('Ranger')).ownerId).toBe(others[0]?.id)
    await ford.call(leadAbsences.set, { userId: luisId, until: null })
    expect((await again('Edge')).ownerId).toBe(luisId)
    await ford.call(leadSettings.updateLot, { lotId, returnsToPerson: false })
    expect((await again('Mustang')).ownerId).toBe(others[1]?.id ?? others[0]?.id)
  })
})
