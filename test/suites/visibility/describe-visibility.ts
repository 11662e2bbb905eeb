import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customers } from '#contract/customers/customers/customers.ts'
import { listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { MailTransport } from '#server/outside/smtp.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { people } from '#contract/leads/people/people.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { freshDatabase } from '#test/engine/database.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { fresh } from '#test/factories/fresh.ts'
import { openDatabaseProxy, type DatabaseProxy } from '#test/harness/database-proxy.ts'
import type { Draw } from '#test/suites/draw.ts'
import {
  callAs,
  open,
  participantCalls,
  PARTICIPANTS,
  passTime,
  publicCalls,
  readSurfaces,
  SHOW_NOTHING,
  showing,
  SITE,
  type Surface,
  SURFACES,
} from './surfaces.ts'
import { makeWorld, WORDS, type World } from './world.ts'
import { inkColumns, inkIn, isForParticipants } from './ink.ts'
import { prepareOutgoing } from './outgoing.ts'
import { REVOCATIONS, takeBack, TAKES_BACK } from './revocations.ts'
import { WITHDRAWALS, type Withdrawal } from './withdrawals.ts'

/**
 * What must no longer be seen. `draw` selects what is tried, and `isWhole` says whether each withdrawal reads every surface, or
 * only those that show its subject.
 */
export function describeVisibility(draw: Draw, { isWhole }: { isWhole: boolean }): void {
  // A PDF takes longer than all the rest.
  const all = SURFACES.filter(({ name }) => isWhole || name !== 'answers as a PDF')
  let database: DatabaseProxy
  let forecourt: TestApp
  let world: World
  /** The emails that were handed to a mail server. */
  const sent: { subject: string; toEmail: string }[] = []
  beforeAll(async () => {
    const own = await freshDatabase()
    database = await openDatabaseProxy(own.login)
    const transport: MailTransport = {
      send: async ({ subject, toEmail }) => {
        sent.push({ subject, toEmail })
        return { kind: 'sent' }
      },
    }
    const options = { database: { ...own, login: database.login }, transport }
    forecourt = await testApp({ FORECOURT_DEMO: '1' }, options)
    world = await makeWorld(forecourt)
  })
  afterAll(async () => {
    await forecourt.close()
    await database.close()
  })

  test('every public route, and every call of anyone or of a participant, is on the list of surfaces', () => {
    const covered = new Set(SURFACES.flatMap(({ covers }) => covers))
    const named = [...forecourt.sites.routes, ...publicCalls]
    expect(named.filter((one) => !covered.has(one) && !Object.hasOwn(SHOW_NOTHING, one))).toEqual([])
    const known = new Set(named)
    expect([...covered, ...Object.keys(SHOW_NOTHING)].filter((one) => !known.has(one))).toEqual([])
  })

  test('every word is shown while its subject is public', async () => {
    const read = await readSurfaces(world, all)
    expect(open(read)).toEqual(all.map(({ name }) => name))
    for (const word of Object.values(WORDS)) expect([word, showing(read, word)]).not.toEqual([word, []])
  })

  /** What the product does by itself, within a second, after such a call. */
  const settle = () => forecourt.sites.recheck()
  /** And within some seconds: the files of channels. */
  const runChannels = async (): Promise<void> => {
    passTime()
    await forecourt.channels.workDue()
  }
  const isBack = async () => {
    const { status } = await forecourt.anonymous.send({
      method: 'GET',
      url: '/sitemap.xml',
      headers: { host: 'harbor.localhost' },
    })
    return status === 200
  }
  /** What is public again is in the next file. */
  const runAllChannels = async (): Promise<void> => {
    for (const { id } of world.channels) await world.place.call(channels.run, { id })
    await forecourt.channels.workDue()
    // The feeds that were sent meanwhile: an owner may have only some that wait.
    await forecourt.jobs.runDue()
  }
  const isRead = ({ words, closes = [] }: Withdrawal, surface: Surface): boolean =>
    isWhole ||
    SITE.includes(surface) ||
    closes.includes(surface.name) ||
    (words.length > 0 && ['channel files', 'photos'].includes(surface.name))
  const shown = async (withdrawal: Withdrawal, surfaces: readonly Surface[] = all) => {
    const { words, except = {}, closes = [] } = withdrawal
    const read = await readSurfaces(
      world,
      surfaces.filter((one) => isRead(withdrawal, one)),
    )
    return {
      words: words.flatMap((word) =>
        showing(read, WORDS[word])
          .filter((name) => !Object.hasOwn(except, name))
          .map((name) => `${WORDS[word]}: ${name}`),
      ),
      open: open(read).filter((name) => closes.includes(name)),
    }
  }

  describe('is gone from every surface at once, and in an outage', () => {
    test.for(draw('withdrawals', WITHDRAWALS, 1).map((one) => [one.name, one] as const))(
      '%s',
      async ([, withdrawal]) => {
        passTime()
        const before = await shown({ ...withdrawal, except: {} })
        expect(withdrawal.words.length === 0 || before.words.length > 0).toBe(true)
        expect(before.open.toSorted()).toEqual(
          all
            .map(({ name }) => name)
            .filter((name) => withdrawal.closes?.includes(name))
            .toSorted(),
        )
        await withdrawal.act(world)
        try {
          await settle()
          const immediate = all.filter(({ name }) => name !== 'channel files')
          expect(await shown(withdrawal, immediate)).toEqual({ words: [], open: [] })
          await runChannels()
          expect(await shown(withdrawal)).toEqual({ words: [], open: [] })
          await database.refuse()
          expect((await shown(withdrawal, SITE)).words).toEqual([])
        } finally {
          await database.restore()
          await expect.poll(isBack).toBe(true)
          await withdrawal.undo(world)
          await settle()
          await runAllChannels()
          passTime()
        }
        expect(await shown({ ...withdrawal, except: {} })).toEqual(before)
      },
    )
  })
  describe('opens nothing anymore', () => {
    test.for(draw('revocations', REVOCATIONS, 3).map((one) => [one.name, one] as const))(
      '%s',
      async ([, { prepare }]) => {
        const { read, revoke } = await prepare(world)
        expect((await read()).filter(({ status }) => status >= 400)).toEqual([])
        await revoke()
        await settle()
        expect((await read()).filter(({ status }) => status < 400)).toEqual([])
      },
    )
  })

  test('every call that takes something away is tried, or concerns what only users of the customer see', () => {
    const tried = new Set([...WITHDRAWALS, ...REVOCATIONS].flatMap(({ by }) => by).concat(TAKES_BACK))
    const taking = listEndpoints(contract).filter(
      ({ name, endpoint }) => endpoint.writes && TAKES_AWAY.test(name),
    )
    expect(
      taking.flatMap(({ name }) => (tried.has(name) || Object.hasOwn(INSIDE, domainOf(name)) ? [] : [name])),
    ).toEqual([])
    const names = new Set(listEndpoints(contract).map(({ name }) => name))
    expect([...tried].filter((name) => !names.has(name))).toEqual([])
  })

  test('a delegate reads and gets nothing of what others answered or wrote', async () => {
    const { delegate } = world
    const answers = await Promise.all(participantCalls.map(([name]) => callAs(world, delegate.session, name)))
    expect(answers.filter(({ text }) => text.includes('Answermark') || text.includes('4217.5'))).toEqual([])
    // The owner does.
    const own = await Promise.all(
      ['get', 'work'].map((name) => callAs(world, world.invitation.session, name)),
    )
    expect(own.filter(({ text }) => text.includes('Answermark') && text.includes('4217.5'))).toHaveLength(1)
    await takeBack(world)
    const after = await callAs(world, delegate.session, 'get')
    expect(after.text).not.toContain('written')
  })

  test('nothing is emailed to a buyer who asked for that, not even what waited to be sent', async () => {
    const { place } = world
    const [stays, leaves] = [await place.addLead(), await place.addLead()]
    const write = (id: string) => place.call(leads.sendEmail, { id, subject: `To lead ${id}`, text: 'Yes.' })
    await write(stays)
    await write(leaves)
    const lead = await place.call(leads.get, { id: leaves })
    await place.call(people.revoke, { id: lead.person.id, channel: 'email', text: 'By phone.' })
    await expect(write(leaves)).toRefuse(409, 'asked not to be emailed')
    // By the automatic reply of a form, neither.
    await place.addSubmission(world.form, { fields: { name: 'Any', email: lead.person.email ?? '' } })
    await forecourt.outbox.deliver()
    const to = (email: string | null) =>
      sent.flatMap(({ subject, toEmail }) => (toEmail === email ? [subject] : []))
    expect(to(lead.person.email)).toEqual([])
    expect(to((await place.call(leads.get, { id: stays })).person.email)).toEqual([`To lead ${stays}`])
    const email = `${fresh('other').replace(' ', '.')}@mail.example`
    await place.addSubmission(world.form, { fields: { name: 'Any', email } })
    await forecourt.outbox.deliver()
    expect(to(email)).toEqual([`About ${WORDS.form}`])
  })

  test('a suspended customer calls nothing and sends nothing, until it is reopened', async () => {
    const { place } = world
    const session = await forecourt.as('northgate.dealer')
    const out = await prepareOutgoing(world)
    const operator = await forecourt.as('super', 'Forecourt Operations')
    const customer = { id: place.customerId, status: 'suspended' as const, reason: 'Invoice open' }
    await operator.call(customers.setStatus, customer)
    try {
      const answered: string[] = []
      for (const { name, endpoint } of draw('calls', listEndpoints(contract), 60)) {
        if (endpoint.allow === 'anyone') continue
        const url = endpoint.path.replaceAll(/\{\w+\}/g, '1')
        const { status } = await session.send({ method: endpoint.method, url })
        if (status !== 401) answered.push(`${name} ${status}`)
      }
      expect(answered).toEqual([])
      expect(await out.work()).toEqual({ emails: 0, webhooks: 0, queued: 0 })
    } finally {
      await operator.call(customers.setStatus, { id: place.customerId, status: 'active' })
    }
    const after = await out.work()
    expect(after).toEqual({ emails: expect.any(Number), webhooks: 1, queued: expect.any(Number) })
    expect(after.emails).toBeGreaterThanOrEqual(2)
    expect(after.queued).toBeGreaterThanOrEqual(2)
  })

  // Last, because nothing works as before when everything has another name.
  test('no surface has a text or amount that is not declared as meant for its readers', async () => {
    const { place } = world
    const lead = { id: await place.addLead({ vehicleId: world.vehicle.id }) }
    await place.call(leads.addNote, { ...lead, text: 'A note.' })
    await place.addSpecialPrice(world.similar.id)
    await place.call(pricingRules.add, { name: 'Rule', kind: 'discount', cents: 100, lotIds: [world.lotId] })
    const { inked } = await inkColumns(forecourt.owner, place.customerId)
    expect(INKED.filter((column) => !inked.includes(column))).toEqual([])
    // The files are made again, whatever the marks do to their schedules.
    await forecourt.owner.query('update channel_states set next_run_at = app_now()')
    await forecourt.channels.workDue()
    passTime()
    await settle()
    const read = await readSurfaces(world, all)
    const participants = new Set(PARTICIPANTS.map(({ name }) => name))
    const leaks = [...read].flatMap(([name, readings]) =>
      readings
        .flatMap(({ text }) => inkIn(text))
        .filter((column) => !(participants.has(name) && isForParticipants(column)))
        .map((column) => `${name}: ${column}`),
    )
    expect([...new Set(leaks)]).toEqual([])
    for (const name of ['list of vehicles', 'vehicle page', 'channel files'])
      expect([name, showing(read, WORDS.vehicle)]).toEqual([name, expect.arrayContaining([name])])
  })
}

/** Some that certainly hold what is internal. */
const INKED = (
  'vehicles.cost_cents vehicles.invoice_cents vehicles.market_price_cents vehicles.updated_by vehicle_special_prices.reason ' +
  'pricing_rules.name channels.name users.last_name people.name lead_events.by_name customers.name customers.updated_by'
).split(' ')
const TAKES_AWAY =
  /\.(?:.*(?:[aA]rchive|[rR]emove|[rR]evoke|[cC]lose|setStatus|[rR]enew|takeBack|[hH]ide|[wW]ithdraw|[dD]iscard|retire)|end)/
const domainOf = (name: string): string => name.split('.')[0] ?? ''
const SEEN_INSIDE =
  'emailHandlers suppressions providerMappings valueMappings views submissions leads answerTemplates leadRoutingRules leadDestinations ' +
  'factors factorEditions activities importedTotals evidence instruments carbonInventories inventoryReopenings customSources questionnaires ' +
  'assessmentActions assessmentAnswers targetReopenings participantArea'
const because = (domains: string, reason: string) =>
  Object.fromEntries(domains.split(' ').map((domain) => [domain, reason]))
/** Domains whose calls take away only what users of the customer see. */
const INSIDE: Readonly<Record<string, string>> = {
  ...because('secondFactor sessions userTypes', 'identity: session-walk.test.ts'),
  ...because('organizations facilities lots dvpLayouts', 'deleted only without anything in them'),
  ...because('pricingRules ruleRequests vehiclePrices', 'a price that changes stays public'),
  savedBlocks: 'pages and layouts have copies',
  importedLists: 'no surface shows them; the links of their emails are unknown without them',
  campaigns: 'the links of its emails lead to other surfaces, and are unknown without it',
  ...because(SEEN_INSIDE, 'only users of the customer, or people at the same target, see it'),
  sameFiles: 'files that something shows stay',
  assessments: 'a closed one stays readable for its participants; deleted ones are tried',
  people: 'a withdrawn consent: "nothing is emailed to a buyer who asked for that"',
}
