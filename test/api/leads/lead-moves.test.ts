import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import { people } from '#contract/leads/people/people.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { clock } from '#server/clock.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
/** Works at Ford only; at both stores. */
let luis: Caller
let sofia: Caller
let sofiaAtToyota: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  luis = await forecourt.as('northgate.dealer')
  sofia = await forecourt.as('sofia.marino', 'Northgate Ford')
  sofiaAtToyota = await forecourt.as('sofia.marino', 'Northgate Toyota')
})
afterAll(() => forecourt.close())

const REASON = 'Wants the Toyota'

describe('a lead that is moved to another store', () => {
  test('is routed there, with its conversation and consents, and its clock starts in the opening hours of that store', async () => {
    const name = fresh('Toyota west')
    const lotId = await toyota.addLot(name)
    // The clock of the tests stands at 7 AM in Los Angeles.
    const hours = [{ day: 'wed' as const, opens: '10:00', closes: '18:00' }]
    await toyota.call(lots.update, { id: lotId, timeZone: 'America/Los_Angeles', hours })
    await toyota.call(leadSettings.updateLot, { lotId, responseMinutes: 20 })
    const destinationId = await toyota.addLeadDestination({ name: fresh('Toyota CRM') })
    await toyota.addLeadRule({ sources: [], lotIds: [lotId], targets: [{ destinationId }] })
    const id = await ford.addLead()
    const before = await ford.call(leads.get, { id })
    await luis.call(leads.addNote, { id, text: 'Called twice' })
    await ford.call(people.revoke, { id: before.personId, channel: 'email', text: 'Asked by phone' })
    const move = await sofia.call(leadMoves.move, { id, lotId, reason: REASON })
    expect(move).toMatchObject({
      leadId: id,
      toName: name,
      fromName: before.lotName,
      reason: REASON,
      byName: 'Sofia Marino',
    })
    const lead = await sofiaAtToyota.call(leads.get, { id })
    expect(lead).toMatchObject({
      lotId,
      lotName: name,
      ownerId: null,
      status: 'routed',
      comments: before.comments,
    })
    expect(lead.respondBy).toBe('2026-11-18T18:20:00.000Z')
    expect(lead.timeline.map(({ kind }) => kind)).toEqual([
      'received',
      'routed',
      'note',
      'consent',
      'moved',
      'routed',
    ])
    expect(lead.channels.find(({ channel }) => channel === 'email')?.isAllowed).toBe(false)
    expect(lead.personId).not.toBe(before.personId)
    expect(lead.personEmail).toBe(before.personEmail)
    const route = await ford.call(leadRoutingRules.explain, { id })
    expect(route.destinations.map((one) => one.destinationId)).toEqual([destinationId])
  })

  test('that was late stays late, and its buyer has waited since it came; a stale move or copy is told', async () => {
    const lotId = await toyota.addLot(fresh('Toyota north'))
    const id = await ford.addLead()
    const { respondBy, version } = await ford.call(leads.get, { id })
    const past = new Date(clock.date().getTime() - 3_600_000).toISOString()
    await forecourt.owner.query(
      `update leads set received_at = $2::timestamptz - interval '1 hour', respond_by = $2 where id = $1`,
      [id, past],
    )
    expect(respondBy).not.toBeNull()
    const moving = { id, lotId, reason: REASON, version: version - 1 }
    await expect(sofia.call(leadMoves.move, moving)).toRefuse(409, 'changed')
    await expect(sofia.call(leadMoves.copy, moving)).toRefuse(409, 'changed')
    await sofia.call(leadMoves.move, { id, lotId, reason: REASON })
    expect((await sofiaAtToyota.call(leads.get, { id })).respondBy).toBe(past)
    await sofiaAtToyota.call(leads.logCall, { id, result: 'reached' })
    const { responseSeconds } = await sofiaAtToyota.call(leads.get, { id })
    expect(responseSeconds).toBeGreaterThanOrEqual(7_200)
  })

  test('is gone from its former store, which sees who moved it where and why, and nothing else', async () => {
    const name = fresh('Toyota south')
    const lotId = await toyota.addLot(name)
    const id = await ford.addLead()
    const { personName } = await luis.call(leads.get, { id })
    await ford.call(leadMoves.move, { id, lotId, reason: REASON })
    await sofiaAtToyota.call(leads.addNote, { id, text: 'Secret of the new store' })
    await expect(luis.call(leads.get, { id })).toRefuse(404, `This lead is at ${name} now.`)
    await expect(luis.call(leads.addNote, { id, text: 'Mine?' })).toRefuse(404, `at ${name} now`)
    const moved = await luis.call(leadMoves.moved, {})
    expect(moved.find(({ leadId }) => leadId === id)).toMatchObject({
      toName: name,
      reason: REASON,
      personName,
    })
    expect(JSON.stringify(moved)).not.toContain('Secret')
  })

  test('needs a reason, a store in reach, and someone who sees both stores or manages the lot', async () => {
    const [id, lotId] = [await ford.addLead(), await toyota.addLot()]
    await expect(sofia.call(leadMoves.move, { id, lotId })).toRefuse(400, 'Enter a reason')
    await expect(luis.call(leadMoves.move, { id, lotId, reason: REASON })).toRefuse(400, 'Choose a store')
    const ids = (await luis.call(leadMoves.stores, { id })).map((store) => store.lotId)
    expect(ids).not.toContain(lotId)
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const other = await harbor.addLot()
    await expect(ford.call(leadMoves.move, { id, lotId: other, reason: REASON })).toRefuse(
      400,
      'Choose a store',
    )
    await expect(harbor.call(leadMoves.stores, { id })).toRefuse(404)
    // The manager of its lot may send it anywhere in the group.
    const lead = await ford.call(leads.get, { id })
    const { id: luisId = '' } =
      (await ford.call(leads.assignees, { id })).find(({ name }) => name === 'Luis Ortega') ?? {}
    await ford.call(leadSettings.updateLot, { lotId: lead.lotId ?? '', managerId: luisId })
    expect(await luis.call(leadMoves.move, { id, lotId, reason: REASON })).toMatchObject({
      byName: 'Luis Ortega',
    })
    await expect(ford.call(leadMoves.move, { id, lotId, reason: REASON })).toRefuse(409, 'This lead is at')
  })

  test('goes to one store if two people move it at once', async () => {
    const id = await ford.addLead()
    const { version } = await ford.call(leads.get, { id })
    const targets = [await toyota.addLot(), await toyota.addLot(), await ford.addLot()]
    const results: string[] = []
    await concurrently(
      forecourt.owner,
      'select from leads for update',
      targets.map((lotId) => async () => {
        const done = await ford.call(leadMoves.move, { id, version, lotId, reason: REASON }).catch(() => null)
        if (done !== null) results.push(lotId)
      }),
    )
    expect(results).toHaveLength(1)
    expect((await ford.call(leads.get, { id })).lotId).toBe(results[0])
  })

  test('can be moved on, and each move is undone in turn', async () => {
    const id = await ford.addLead()
    const sales = (await ford.call(leads.assignees, { id })).find(({ name }) => name === 'Luis Ortega')
    await ford.call(leads.assign, { id, userId: sales?.id ?? null })
    const before = await ford.call(leads.get, { id })
    const first = await ford.call(leadMoves.move, { id, lotId: await toyota.addLot(), reason: REASON })
    clock.advance(60_000)
    const second = await ford.call(leadMoves.move, { id, lotId: await ford.addLot(), reason: 'Back' })
    await expect(ford.call(leadMoves.undo, { id: first.id })).toRefuse(409, 'moved on')
    await ford.call(leadMoves.undo, { id: second.id })
    const undone = await ford.call(leadMoves.undo, { id: first.id })
    expect(undone.undoneAt).not.toBeNull()
    await expect(ford.call(leadMoves.undo, { id: first.id })).toRefuse(409, 'undone before')
    const { lotId, ownerId, acceptBy, respondBy, personId, organizationId } = before
    expect(await luis.call(leads.get, { id })).toMatchObject({
      lotId,
      ownerId,
      acceptBy,
      respondBy,
      personId,
      organizationId,
    })
    expect(await luis.call(leadMoves.moved, {})).not.toContainEqual(expect.objectContaining({ leadId: id }))
  })

  test('stays once someone at the new store works on it', async () => {
    const id = await ford.addLead()
    const { id: moveId } = await ford.call(leadMoves.move, {
      id,
      lotId: await toyota.addLot(),
      reason: REASON,
    })
    await sofiaAtToyota.call(leads.accept, { id })
    await expect(ford.call(leadMoves.undo, { id: moveId })).toRefuse(409, 'works on this lead already')
  })

  test('takes the text of its document along; a text with two buyers stays', async () => {
    const { id: addressId } = await ford.call(inboundAddresses.add, {
      label: fresh('Moved'),
      sourceName: 'Acme',
      lotId: await ford.addLot(),
    })
    const { adfPath } = await ford.call(inboundAddresses.renewUrls, { id: addressId })
    const buyer = (name: string) =>
      `<prospect><customer><contact><name part="full">${name}</name><email>${name}@mail.example</email></contact></customer></prospect>`
    const names = [1, 2, 3].map(() => fresh('Buyer').replaceAll(' ', ''))
    const [one = '', two = '', three = ''] = names
    const sent = async (...list: string[]) =>
      (await postInbound(forecourt, adfPath, `<?adf version="1.0"?><adf>${list.map(buyer).join('')}</adf>`))
        .received?.leads ?? []
    const [alone] = await sent(one)
    const [shared] = await sent(two, three)
    const lotId = await toyota.addLot()
    for (const lead of [alone, shared])
      await ford.call(leadMoves.move, { id: lead?.id ?? '', lotId, reason: REASON })
    expect((await sofiaAtToyota.call(leads.source, { id: alone?.id ?? '' })).text).toContain(one)
    expect((await sofiaAtToyota.call(leads.source, { id: shared?.id ?? '' })).text).toBeNull()
  })
})

describe('a lead that is copied to another store', () => {
  test('is worked on in both, and each names the other', async () => {
    const name = fresh('Toyota copy')
    const lotId = await toyota.addLot(name)
    const id = await ford.addLead()
    await luis.call(leads.addNote, { id, text: 'Stays here' })
    const copy = await sofia.call(leadMoves.copy, { id, lotId, reason: 'Wants both' })
    expect(copy).toMatchObject({ isCopy: true, originalId: id, toName: name })
    const [original, copied] = [
      await luis.call(leads.get, { id }),
      await sofiaAtToyota.call(leads.get, { id: copy.leadId }),
    ]
    expect(original.moves).toMatchObject([{ leadId: copy.leadId, isCopy: true }])
    // From this store the other one's lead can't be opened.
    const linked = original.timeline.find(({ kind }) => kind === 'copied')?.data
    expect(linked).toMatchObject({ toName: name })
    expect(linked).not.toHaveProperty('leadId')
    expect(copied).toMatchObject({
      lotId,
      comments: original.comments,
      personEmail: original.personEmail,
      status: 'delivered',
    })
    expect(copied.moves).toMatchObject([{ originalId: id }])
    expect(copied.timeline.map(({ kind }) => kind)).toEqual(['received', 'copied', 'routed'])
    await expect(sofia.call(leadMoves.copy, { id, lotId, reason: 'Again' })).toRefuse(409, 'copied to')
    await sofia.call(leadMoves.undo, { id: copy.id })
    await expect(ford.call(leads.get, { id: copy.leadId })).toRefuse(404)
    expect((await luis.call(leads.get, { id })).timeline.map(({ kind }) => kind)).toContain('note')
  })
})

test('the buyer of a moved lead is deleted at both stores with it', async () => {
  const id = await ford.addLead()
  const { personId, personEmail } = await ford.call(leads.get, { id })
  await ford.call(leadMoves.move, { id, lotId: await toyota.addLot(), reason: REASON })
  const { personId: newId } = await ford.call(leads.get, { id })
  const contact = personEmail ?? ''
  const { counts } = await ford.call(personData.find, { contact })
  expect(counts.people).toBe(2)
  await ford.call(personData.erase, { contact, confirmed: counts })
  const { rows } = await forecourt.owner.query('select from people where id = any ($1)', [[personId, newId]])
  expect(rows).toHaveLength(0)
})

test('a person chooses the store of a lead that has none, without a reason', async () => {
  const { id: addressId } = await ford.call(inboundAddresses.add, {
    label: fresh('Group'),
    sourceName: 'Acme',
    isGroup: true,
  })
  const { adfPath } = await ford.call(inboundAddresses.renewUrls, { id: addressId })
  const name = fresh('Buyer').replaceAll(' ', '')
  const { received } = await postInbound(
    forecourt,
    adfPath,
    `<?adf version="1.0"?><adf><prospect><customer><contact><name part="full">${name}</name><email>${name}@mail.example</email></contact></customer></prospect></adf>`,
  )
  const id = received?.leads[0]?.id ?? ''
  const lotId = await toyota.addLot()
  const move = await luis.call(leadMoves.move, { id, lotId })
  expect(move).toMatchObject({ fromName: null })
  expect(await ford.call(leads.get, { id })).toMatchObject({
    lotId,
    needsStore: false,
    organizationId: toyota.organizationId,
  })
  await luis.call(leadMoves.undo, { id: move.id })
  expect(await ford.call(leads.get, { id })).toMatchObject({ lotId: null, needsStore: true })
})
