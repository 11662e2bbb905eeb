import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { leadAbsences } from '#contract/leads/routing/lead-absences.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** Where leads went, by destination. */
async function destinationsOf(ids: readonly string[]): Promise<string[]> {
  const all: string[] = []
  for (const id of ids) {
    const { destinations } = await ford.call(leadRoutingRules.explain, { id })
    all.push(destinations.map(({ name }) => name).join('+'))
  }
  return all
}
async function addThree(): Promise<{
  names: string[]
  targets: { destinationId: string; weight: number }[]
}> {
  const names = ['One', 'Two', 'Three'].map((name) => fresh(name))
  const ids: string[] = []
  for (const name of names) ids.push(await ford.addLeadDestination({ name }))
  return { names, targets: ids.map((destinationId, at) => ({ destinationId, weight: at + 1 })) }
}

test('leads that arrive at once are shared by weight, exactly', async () => {
  const { names, targets } = await addThree()
  const sourceName = fresh('Weighted')
  await ford.addLeadRule({ sources: [sourceName], strategy: 'weighted', targets })
  const lotId = await ford.addLot()
  const ids: string[] = []
  await concurrently(
    forecourt.owner,
    'select from lead_routing_states for update',
    Array.from({ length: 6 }, () => async () => void ids.push(await ford.addLead({ sourceName, lotId }))),
  )
  const went = await destinationsOf(ids)
  expect(names.map((name) => went.filter((one) => one === name).length)).toEqual([1, 2, 3])
})

test('the timeline says why a lead went there, and the owner has to accept it', async () => {
  const sourceName = fresh('Owned')
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select u.id::text as id from users u join memberships m on m.customer_id = u.customer_id and m.user_id = u.id
      where m.organization_id = $1 and u.is_active order by u.id limit 2`,
    [ford.organizationId],
  )
  const [first = '', second = ''] = rows.map(({ id }) => id)
  const targets: { destinationId: string }[] = []
  for (const userId of [first, second]) {
    const name = fresh('User')
    targets.push({
      destinationId: await ford.addLeadDestination({ name, kind: 'user', toEmail: null, userId }),
    })
  }
  await ford.addLeadRule({ name: fresh('Floor'), sources: [sourceName], strategy: 'round-robin', targets })
  const lead = await ford.call(leads.get, { id: await ford.addLead({ sourceName }) })
  expect(lead).toMatchObject({ ownerId: first, status: 'delivered', acceptedAt: null })
  expect(lead.acceptBy).not.toBeNull()
  const routed = lead.timeline.find(({ kind }) => kind === 'routed')
  expect(routed?.data.text).toContain(`Round-robin of 2: ${lead.ownerName} was next.`)
  const passed = await ford.call(leads.giveBack, { id: lead.id })
  expect(passed.ownerId).toBe(second)
})

test('the user with the fewest open leads is next', async () => {
  const sourceName = fresh('Fewest')
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select u.id::text as id from users u join memberships m on m.customer_id = u.customer_id and m.user_id = u.id
      where m.organization_id = $1 and u.is_active order by u.id limit 2`,
    [ford.organizationId],
  )
  const targets: { destinationId: string }[] = []
  for (const { id: userId } of rows) {
    const destinationId = await ford.addLeadDestination({ kind: 'user', toEmail: null, userId })
    targets.push({ destinationId })
  }
  const [busy = '', free = ''] = rows.map(({ id }) => id)
  for (let count = 0; count < 40; count += 1) {
    if ((await openLeadsOf(busy)) > (await openLeadsOf(free))) break
    await ford.call(leads.assign, { id: await ford.addLead(), userId: busy })
  }
  await ford.addLeadRule({ sources: [sourceName], strategy: 'least-open', targets })
  const lead = await ford.call(leads.get, { id: await ford.addLead({ sourceName }) })
  expect(lead.ownerId).toBe(free)
})

async function openLeadsOf(userId: string): Promise<number> {
  const { rows } = await forecourt.owner.query<{ openLeads: number }>(
    `select count(*)::int as "openLeads" from leads where owner_id = $1 and not is_test
      and outcome in ('open', 'contacted', 'appointment') and status not in ('duplicate', 'quarantined')`,
    [userId],
  )
  return rows[0]?.openLeads ?? 0
}

test('members of a team take turns; one who is off is skipped, and one who does not accept is followed by the next', async () => {
  const sourceName = fresh('Team')
  const memberIds: string[] = []
  for (let at = 0; at < 3; at += 1) memberIds.push(await ford.createUser('Dealer user'))
  const [first = '', second = '', third = ''] = memberIds
  const name = fresh('Internet team')
  const destinationId = await ford.addLeadDestination({ name, kind: 'team', toEmail: null, memberIds })
  await ford.addLeadRule({ sources: [sourceName], targets: [{ destinationId }] })
  const next = async () => (await ford.call(leads.get, { id: await ford.addLead({ sourceName }) })).ownerId
  expect([await next(), await next()]).toEqual([first, second])
  await ford.call(leadAbsences.set, { userId: third, until: 'today' })
  const lead = await ford.call(leads.get, { id: await ford.addLead({ sourceName }) })
  expect(lead).toMatchObject({ ownerId: first, status: 'delivered', acceptedAt: null })
  expect(lead.timeline.find(({ kind }) => kind === 'routed')?.data.text).toContain(`${name}: `)
  expect((await ford.call(leads.giveBack, { id: lead.id })).ownerId).toBe(second)
  const { members } = await ford.call(leadDestinations.get, { id: destinationId })
  expect(members.map(({ until }) => until)).toEqual([null, null, '2026-11-18'])
  // The next day they are back, and get one lead first.
  clock.advance(24 * 3_600_000)
  expect([await next(), await next()]).toEqual([third, second])
  for (const userId of memberIds) await ford.call(leadAbsences.set, { userId, until: '2026-12-24' })
  expect(await next()).toBeNull()
  await expect(ford.call(leadAbsences.set, { userId: first, until: '2026-11-01' })).toRefuse(400, 'later day')
  await expect(ford.call(leadDestinations.update, { id: destinationId, memberIds: ['999999999'] })).toRefuse(
    400,
  )
})

test('every lead gets somewhere: the last rule has no conditions and stays', async () => {
  const rules = await ford.call(leadRoutingRules.list, {})
  const last = rules.at(-1)
  expect(last).toMatchObject({ isCatchAll: true, isActive: true })
  const id = last?.id ?? ''
  await expect(ford.call(leadRoutingRules.remove, { id })).toRefuse(409, "can't be deleted")
  await expect(ford.call(leadRoutingRules.update, { id, isActive: false })).toRefuse(400, "can't be paused")
  await expect(ford.call(leadRoutingRules.update, { id, makes: ['Ford'] })).toRefuse(400, 'no conditions')
  const lead = await ford.addLead({ sourceName: fresh('Unknown source') })
  const { steps, destinations } = await ford.call(leadRoutingRules.explain, { id: lead })
  expect(steps.at(-1)).toMatchObject({ outcome: 'sent', number: rules.length })
  expect(destinations).toHaveLength(1)
})

test('a second lead of the same person is not sent again within the window of the rule', async () => {
  const sourceName = fresh('Twice')
  const [lotId, vehicleId] = [await ford.addLot(), await ford.addVehicle()]
  // The same address with another name may be another person.
  const person = { firstName: 'Twyla', email: `${fresh('twice').replaceAll(' ', '')}@mail.example` }
  const rule = await ford.addLeadRule({ sources: [sourceName] })
  const first = await ford.addLead({ sourceName, lotId, vehicleId, ...person })
  const second = await ford.addLead({ sourceName, lotId, vehicleId, ...person })
  expect((await destinationsOf([first, second])).map((name) => name !== '')).toEqual([true, false])
  await ford.call(leadRoutingRules.update, { id: rule, dedupeMinutes: 0 })
  const third = await ford.addLead({ sourceName, lotId, vehicleId, ...person })
  expect((await destinationsOf([third]))[0]).not.toBe('')
  expect(await ford.call(leads.get, { id: third })).toMatchObject({ status: 'duplicate', ownerId: null })
})

describe('the list of rules', () => {
  test('keeps the order in which they are put, and refuses an order that misses a rule', async () => {
    const added = [await ford.addLeadRule(), await ford.addLeadRule()]
    const before = await ford.call(leadRoutingRules.list, {})
    const ids = before.filter(({ isCatchAll }) => !isCatchAll).map(({ id }) => id)
    expect(ids.slice(-2)).toEqual(added)
    const after = await ford.call(leadRoutingRules.order, { ids: ids.toReversed(), before: ids })
    expect(after.map(({ id }) => id)).toEqual([...ids.toReversed(), before.at(-1)?.id])
    expect(after.map(({ number }) => number)).toEqual(after.map((_, at) => at + 1))
    const now = ids.toReversed()
    await expect(ford.call(leadRoutingRules.order, { ids: ids.slice(1), before: now })).toRefuse(
      409,
      'Reload the page',
    )
    // From a page that shows the order before.
    await expect(ford.call(leadRoutingRules.order, { ids: now, before: ids })).toRefuse(409, 'Someone else')
    expect((await ford.call(leadRoutingRules.list, {})).map(({ id }) => id)).toEqual(
      after.map(({ id }) => id),
    )
  })

  test('counts what each rule sent, and warns of one that is never reached', async () => {
    const sourceName = fresh('Counted')
    const taking = await ford.addLeadRule({ name: fresh('Taking'), sources: [sourceName] })
    const never = await ford.addLeadRule({ sources: [sourceName], leadTypes: ['used'] })
    await ford.addLead({ sourceName })
    const effects = await ford.call(leadRoutingRules.effects, {})
    const of = (id: string) => effects.find(({ ruleId }) => ruleId === id)
    expect(of(taking)).toEqual({ ruleId: taking, sent: 1, warning: null })
    expect(of(never)).toMatchObject({ sent: 0, warning: { kind: 'unreachable' } })
  })

  test('is changed by users with customer reach only', async () => {
    const dealer = await forecourt.as('northgate.dealer')
    const rules = await dealer.call(leadRoutingRules.list, {})
    expect(rules.length).toBeGreaterThan(0)
    await expect(dealer.call(leadRoutingRules.add, { name: fresh('Rule'), targets: [] })).toRefuse(403)
  })

  test('refuses a stale change, a second rule of the same name and a destination that does not exist', async () => {
    const [id, other] = [await ford.addLeadRule(), await ford.addLeadRule()]
    const { version, name } = await ford.call(leadRoutingRules.get, { id })
    await ford.call(leadRoutingRules.update, { id, version, stopsHere: false })
    await expect(ford.call(leadRoutingRules.update, { id, version, stopsHere: true })).toRefuse(409)
    await expect(ford.call(leadRoutingRules.update, { id: other, name })).toRefuse(409, 'already')
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const targets = [{ destinationId: await harbor.addLeadDestination() }]
    await expect(ford.call(leadRoutingRules.update, { id, targets })).toRefuse(400, 'destinations that exist')
  })
})

test('a simulation shows which leads would move, and a test where one would go; neither sends anything', async () => {
  const sourceName = fresh('Simulated')
  const vehicleId = await ford.addVehicle()
  const [a, b] = [fresh('A'), fresh('B')]
  const [idA, idB] = [await ford.addLeadDestination({ name: a }), await ford.addLeadDestination({ name: b })]
  const rule = await ford.addLeadRule({ sources: [sourceName], targets: [{ destinationId: idA }] })
  const used = await ford.addLead({ sourceName, vehicleId, type: 'used' })
  await ford.addLead({ sourceName, type: 'general' })
  const draft = {
    sources: [sourceName],
    strategy: 'round-robin' as const,
    targets: [{ destinationId: idA }, { destinationId: idB }],
  }
  const result = await ford.call(leadRoutingRules.simulate, { id: rule, rule: draft, leads: 50 })
  expect(result).toMatchObject({ matched: 2, moved: 1, warning: null })
  expect(result.examples).toMatchObject([{ before: [a], after: [b] }])
  expect(result.destinations.filter(({ name }) => name === a || name === b)).toEqual([
    { destinationId: idA, name: a, before: 2, after: 1 },
    { destinationId: idB, name: b, before: 0, after: 1 },
  ])
  const { steps, destinations } = await ford.call(leadRoutingRules.test, { id: used })
  expect(destinations).toEqual([{ destinationId: idA, name: a }])
  expect(steps.find(({ ruleId }) => ruleId === rule)).toMatchObject({ outcome: 'sent', why: `Sent to ${a}` })
  const { rows } = await forecourt.owner.query<{ count: number }>(
    'select count(*)::int as count from lead_deliveries where destination_id = any($1)',
    [[idA, idB]],
  )
  expect(rows[0]?.count).toBe(2)
})

test('a simulation of another order shows what moves, and the rule that is never reached then', async () => {
  const sourceName = fresh('Ordered')
  const [a, b] = [fresh('A'), fresh('B')]
  const [idA, idB] = [await ford.addLeadDestination({ name: a }), await ford.addLeadDestination({ name: b })]
  const narrow = fresh('Narrow')
  const rule = { sources: [sourceName], leadTypes: ['used' as const] }
  const first = await ford.addLeadRule({ name: narrow, ...rule, targets: [{ destinationId: idA }] })
  const second = await ford.addLeadRule({ sources: [sourceName], targets: [{ destinationId: idB }] })
  await ford.addLead({ sourceName, type: 'used' })
  const result = await ford.call(leadRoutingRules.simulate, { order: [second, first], leads: 50 })
  expect(result).toMatchObject({ matched: null, moved: 1, examples: [{ before: [a], after: [b] }] })
  expect(result.warning).toContain(`${narrow}: Never reached`)
})

test('a destination in use is not deleted', async () => {
  const id = await ford.addLeadDestination()
  const rule = await ford.addLeadRule({ targets: [{ destinationId: id }] })
  await expect(ford.call(leadDestinations.remove, { id })).toRefuse(409, 'uses this destination')
  await ford.call(leadRoutingRules.remove, { id: rule })
  await ford.call(leadDestinations.remove, { id })
  await expect(ford.call(leadDestinations.get, { id })).toRefuse(404)
})

test('a test that is not delivered keeps no destination, and deliveries of leads to a paused one are named', async () => {
  const id = await ford.addLeadDestination()
  const keep = (change: string) =>
    forecourt.owner.query(
      `update lead_deliveries set ${change}, state = 'queued', mail_id = null, next_attempt_at = app_now() + interval '1 hour'
      where destination_id = $1`,
      [id],
    )
  const lead = await ford.addLead({ sourceName: fresh('Tested') })
  await ford.call(leadDestinations.sendTest, { id })
  await keep(`is_test = false, lead_id = ${lead}`)
  await expect(ford.call(leadDestinations.remove, { id })).toRefuse(409, 'Pause it, and try again')
  await ford.call(leadDestinations.update, { id, isActive: false })
  await expect(ford.call(leadDestinations.remove, { id })).toRefuse(409, 'before it was paused')
  await keep('is_test = true, lead_id = null')
  await ford.call(leadDestinations.remove, { id })
  await expect(ford.call(leadDestinations.get, { id })).toRefuse(404)
})

test('a user of another customer is refused for every kind of destination', async () => {
  const id = await ford.addLeadDestination()
  const { rows } = await forecourt.owner.query<{ id: string }>(
    'select id::text from users where customer_id <> $1 order by id limit 1',
    [ford.customerId],
  )
  await expect(ford.call(leadDestinations.update, { id, userId: rows[0]?.id ?? '' })).toRefuse(
    400,
    "This doesn't exist",
  )
})

test('the editor gets names and proposals, and whether the user may change routing', async () => {
  const lotId = await ford.addLot()
  const sourceName = fresh('Provider')
  await ford.addLead({ lotId, sourceName })
  const settings = await ford.call(leadRoutingRules.settings, {})
  expect(settings).toMatchObject({ canChange: true, currency: 'USD' })
  expect(settings.lots.map(({ id }) => id)).toContain(lotId)
  expect(settings.sources).toContain(sourceName)
  expect(settings.makes.length).toBeGreaterThan(0)
  expect(settings.users.map(({ name }) => name)).toContain('Dana Whitfield')
  const dealer = await forecourt.as('northgate.dealer')
  expect(await dealer.call(leadRoutingRules.settings, {})).toMatchObject({ canChange: false })
})

test('a delivery shows what it sends: ADF with its ID, or JSON', async () => {
  const content = async (more: Parameters<typeof ford.addLeadDestination>[0]) => {
    const id = await ford.addLeadDestination(more)
    const { deliveryId } = await ford.call(leadDestinations.sendTest, { id })
    return { deliveryId, ...(await ford.call(leadDeliveries.content, { id: deliveryId })) }
  }
  const adf = await content({ kind: 'adf', toEmail: 'leads@crm.example' })
  const { key } = await ford.call(leadDeliveries.get, { id: adf.deliveryId })
  expect(adf).toMatchObject({ to: 'leads@crm.example', format: 'application/x-adf+xml' })
  expect(adf.body).toContain(key)
  const webhook = await content({ kind: 'webhook', url: 'https://crm.example/leads' })
  expect(webhook).toMatchObject({ to: 'https://crm.example/leads', subject: null })
  expect(JSON.parse(webhook.body)).toMatchObject({
    type: 'lead.test',
    data: { person: { name: 'Test Lead' } },
  })
})
