// @module-tag release
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { customers } from '#contract/customers/customers/customers.ts'
import type { Form } from '#contract/marketing/forms/forms.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { clock } from '#server/clock.ts'
import { freshDatabase } from '#test/engine/database.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ASK } from '#test/factories/marketing/add-marketing.ts'
import { type Answers, proven, visitorOf } from '#test/factories/marketing/visitor.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { openDatabaseProxy, type DatabaseProxy } from '#test/harness/database-proxy.ts'

const en = (text: string) => ({ en: text })
const HOST = 'northgate.localhost'
let forecourt: TestApp
let database: DatabaseProxy
let admin: Caller
let place: TestOrganization
let lotId: string

beforeAll(async () => {
  const own = await freshDatabase()
  database = await openDatabaseProxy(own.login)
  forecourt = await testApp({ FORECOURT_DEMO: '1' }, { database: { ...own, login: database.login } })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  lotId = await place.addLot()
})
afterAll(async () => {
  await forecourt.close()
  await database.close()
})
beforeEach(async () => {
  await forecourt.sites.recheck()
})

const visitor = (host = HOST) => visitorOf(forecourt, host)
const addressOf = (form: Pick<Form, 'key'>) => `/f/${form.key}`
const found = async (search: string) => (await admin.call(submissions.list, { search })).results ?? []
const waiting = async () =>
  (await readdir(join(forecourt.filesFolder, 'forms-waiting'))).filter((name) => name.endsWith('.json'))

/** Requests a page as a browser does. */
async function open(path: string, host = HOST, headers: Record<string, string> = {}) {
  const page = await forecourt.app.inject({ url: path, headers: { host, accept: 'text/html', ...headers } })
  return { status: page.statusCode, headers: page.headers, text: page.body.replaceAll(/\s+/g, ' ') }
}

/** Runs work while the database is away, and returns once it is back and everything that waited is stored. */
async function during(fault: 'freeze' | 'refuse', work: () => Promise<void>): Promise<void> {
  await database[fault]()
  try {
    await work()
  } finally {
    await database.restore()
    // The site map is never kept.
    await expect.poll(async () => (await open('/sitemap.xml')).status).toBe(200)
    await expect
      .poll(async () => {
        await forecourt.sites.ingest()
        return forecourt.sites.waitingForms()
      })
      .toBe(0)
  }
}

const addForSale = () =>
  place.addVehicle({
    lotId,
    status: 'live',
    year: 2022,
    make: 'Kia',
    model: 'Niro',
    priceCents: 2_500_000,
    photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: '' }],
  })

describe.each(['refuse', 'freeze'] as const)('while the database is away (%s)', (fault) => {
  test('pages stay, and what was taken from the site is not among them', async () => {
    const [kept, withdrawn] = [await addForSale(), await addForSale()]
    const form = await place.addForm()
    const [keptPath, withdrawnPath] = [kept, withdrawn].map((id) => `/v/2022-kia-niro-${id}`)
    for (const path of ['/', keptPath ?? '', withdrawnPath ?? '', addressOf(form)])
      expect([path, (await open(path)).status]).toEqual([path, 200])
    // Another process withdraws it: this one learns of it by asking.
    await place.call(vehicles.remove, { id: withdrawn })
    await forecourt.sites.recheck()
    await during(fault, async () => {
      expect((await open(keptPath ?? '')).text).toContain('Kia Niro')
      for (const path of [withdrawnPath ?? '', '/v/2022-kia-niro-999999', '/?make=Ford']) {
        const page = await open(path)
        expect([path, page.status, page.headers['retry-after']]).toEqual([path, 503, '5'])
        expect(page.text).toContain('Please try again in a minute')
        expect(page.text).toContain('Northgate Cars')
      }
      const shown = await open(addressOf(form))
      expect(shown.status).toBe(200)
      // Visitors don't share a token.
      expect(shown.text.match(/fc-token" value="[^"]+"/)?.[0]).not.toBe(
        (await open(addressOf(form))).text.match(/fc-token" value="[^"]+"/)?.[0],
      )
    })
  })

  test('short URLs lead on, their clicks wait, and one that was deleted elsewhere leads nowhere', async () => {
    const [kept, deleted] = [await place.addShortUrl(), await place.addShortUrl()]
    const { key } = await place.call(shortUrls.get, { id: kept })
    const { key: gone } = await place.call(shortUrls.get, { id: deleted })
    for (const one of [key, gone]) expect((await open(`/s/${one}`)).status).toBe(302)
    await place.call(shortUrls.remove, { id: deleted })
    await forecourt.sites.recheck()
    await during(fault, async () => {
      expect((await open(`/s/${key}?gclid=1`)).headers.location).toBe(
        'https://www.dealer.example/offers?gclid=1',
      )
      for (const one of [gone, 'no-such-key'])
        expect([one, (await open(`/s/${one}`)).status]).toEqual([one, 503])
    })
    await expect
      .poll(async () => {
        await forecourt.sites.flushClicks()
        return (await place.call(shortUrls.clicks, { id: kept })).total
      })
      // The test sends no user agent of a browser.
      .toEqual({ people: 0, suspects: 0, bots: 2 })
  })

  test('a form is kept on disk, acknowledged, and stored once with its time', async () => {
    const form = await place.addForm()
    const { open: openPage, send } = visitor()
    const { hidden } = await openPage(addressOf(form))
    const answers = { name: fresh('Waited'), email: 'waited@mail.example', message: 'During an outage' }
    let receivedAt = 0
    await during(fault, async () => {
      const sent = await send(addressOf(form), hidden, answers)
      receivedAt = clock.now()
      expect([sent.status, sent.location]).toEqual([303, `/f/${form.key}/thanks`])
      expect((await openPage(sent.location ?? '')).text).toContain('We will answer soon.')
      expect(await waiting()).toHaveLength(1)
      // A double-click, and a browser that sends it again.
      expect((await send(addressOf(form), hidden, answers, 0)).status).toBe(303)
      clock.advance(600_000)
    })
    expect(await waiting()).toEqual([])
    expect((await send(addressOf(form), hidden, answers)).status).toBe(303)
    const [stored, ...others] = await found(answers.name)
    expect(others).toEqual([])
    expect(stored).toMatchObject({ state: 'received', suspicions: [], comments: 'During an outage' })
    expect(Math.abs(Date.parse(stored?.sentAt ?? '') - receivedAt)).toBeLessThan(5_000)
    const { leadId } = await admin.call(submissions.get, { id: stored?.id ?? '' })
    const lead = await admin.call(leads.get, { id: leadId ?? '' })
    expect(Math.abs(Date.parse(lead.receivedAt) - receivedAt)).toBeLessThan(5_000)
  })

  test('the back office is on no host, and the process is alive', async () => {
    await open('/', 'localhost')
    await during(fault, async () => {
      for (const host of ['unknown.localhost', 'never-seen.example']) {
        const page = await open('/', host)
        expect([host, page.status, page.headers['retry-after']]).toEqual([host, 503, '5'])
        expect(page.text).toContain('<h1>Please try again in a minute</h1>')
        expect(page.text).not.toContain('Forecourt')
        expect(page.headers['content-security-policy']).toContain("default-src 'none'")
      }
      const call = await open('/api/customers/get-lots', 'unknown.localhost', { accept: 'application/json' })
      expect([call.status, call.headers['retry-after']]).toEqual([503, '5'])
      const outside = { 'x-forwarded-for': '192.0.2.1' }
      const probes = await Promise.all(
        ['/healthz', '/readyz'].flatMap((path) => [
          open(path, 'localhost'),
          open(path, 'localhost', outside),
        ]),
      )
      expect(
        probes.map(({ status, headers, text }) => [
          status,
          headers['retry-after'],
          /The database can't be used: .*(ECONNREFUSED|did not respond|timeout)/.test(text),
        ]),
      ).toEqual([true, false, true, false].map((isExplained) => [503, '5', isExplained]))
      for (const host of [HOST, 'unknown.localhost', 'localhost', '10.0.0.7']) {
        const startedAt = performance.now()
        expect([host, (await open('/livez', host)).status]).toEqual([host, 200])
        expect(performance.now() - startedAt).toBeLessThan(1_000)
      }
    })
  })
})

test(
  'nothing typed is lost if a form cannot be kept: the page sends it again',
  { tags: 'release' },
  async () => {
    const form = await place.addForm()
    const { open: openPage, send } = visitor()
    const { hidden } = await openPage(addressOf(form))
    const answers: Answers = { name: fresh('Typed'), email: 'a@mail.example', message: 'Two\nlines & "more"' }
    await during('refuse', async () => {
      // Without a page of ours.
      const unsigned = await send(addressOf(form), { ...hidden, 'fc-token': 'made-up' }, answers)
      expect(unsigned.status).toBe(503)
      expect(unsigned.text).toContain('Not sent yet')
      expect(unsigned.text).toContain('value="Two lines &amp; &quot;more&quot;"')
      expect(unsigned.text).toContain('<button class="button">Send again</button>')
      // On a host that this process doesn't know.
      const elsewhere = await visitor('unknown.localhost').send(addressOf(form), hidden, answers)
      expect(elsewhere.status).toBe(503)
      expect(elsewhere.text).toContain(`value="${answers['name']}"`)
      expect(elsewhere.text).toContain('Send again')
      expect(await waiting()).toEqual([])
    })
  },
)

test('a mistake is shown at once if the form is known', { tags: 'release' }, async () => {
  const form = await place.addForm()
  const { open: openPage, send } = visitor()
  const { hidden } = await openPage(addressOf(form))
  await during('refuse', async () => {
    const wrong = await send(addressOf(form), hidden, { name: 'Ann', email: 'not an address' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('value="not an address"')
    expect(
      (await send(addressOf(form), wrong.hidden, { name: 'Ann', email: 'ann@mail.example' })).status,
    ).toBe(303)
  })
})

test('files of a form wait with it', { tags: 'release' }, async () => {
  const [ask] = ASK.sections
  const file = { type: 'file' as const, code: 'photo', title: en('Photo'), accept: ['image' as const] }
  const form = await place.addForm({
    draft: {
      ...ASK,
      sections: [{ id: 'ask', title: en('Ask'), questions: [...(ask?.questions ?? []), file] }],
    },
  })
  const { open: openPage, sendFiles } = visitor()
  const page = await openPage(addressOf(form))
  const name = fresh('Photo')
  const fieldsOf = (hidden: Answers) => Object.entries({ ...hidden, name, email: 'a@mail.example' })
  const fields = fieldsOf(await proven(page))
  const bytes = Buffer.from('\u00FF\u00D8\u00FF\u00E0 a picture', 'latin1')
  const program = { name: 'car.exe', bytes: 'MZ', field: 'photo', type: 'image/jpeg' }
  await during('refuse', async () => {
    const wrong = await sendFiles(addressOf(form), fields, [program])
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain(`value="${name}"`)
    const photo = { name: 'car.jpg', bytes, field: 'photo', type: 'image/jpeg' }
    // Nothing is counted now: files of strangers would take the room of buyers.
    const unproven = await sendFiles(addressOf(form), fieldsOf(page.hidden), [photo])
    expect(unproven.status).toBe(503)
    expect(unproven.text).toContain(`value="${name}"`)
    const sent = await sendFiles(addressOf(form), fields, [photo])
    expect(sent.status).toBe(303)
    expect(
      await readdir(join(forecourt.filesFolder, 'kept', place.customerId, '_forms-waiting')),
    ).toHaveLength(1)
  })
  const [stored] = await found(name)
  expect(stored).toMatchObject({ state: 'received', suspicions: [] })
  const { files } = await admin.call(submissions.get, { id: stored?.id ?? '' })
  expect(files).toMatchObject([{ name: 'car.jpg' }])
  const url = `/api/dvp/get-submission-file/${files[0]?.id}`
  expect((await admin.send({ method: 'GET', url })).bytes).toEqual(bytes)
})

test('one address cannot fill the disk', { tags: 'release' }, async () => {
  const form = await place.addForm()
  const { open: openPage, send } = visitor()
  await openPage(addressOf(form))
  const name = fresh('Many')
  await during('refuse', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { hidden } = await openPage(addressOf(form))
      const { status } = await send(addressOf(form), hidden, { name, email: `${n}@mail.example` }, 0)
      expect([n, status]).toEqual([n, 303])
    }
    const { hidden } = await openPage(addressOf(form))
    const last = await send(addressOf(form), hidden, { name, email: 'last@mail.example' }, 0)
    expect(last.status).toBe(429)
    expect(last.text).toMatch(/Try again in \d+ minutes/)
    expect(last.text).toContain('value="last@mail.example"')
  })
  expect(await found(name)).toHaveLength(20)
})

test(
  'what does not pass the checks later waits in quarantine with the reason',
  { tags: 'release' },
  async () => {
    const [ask] = ASK.sections
    const form = await place.addForm({
      draft: {
        ...ASK,
        sections: [
          {
            id: 'first',
            title: en('First'),
            questions: [{ type: 'text', code: 'name', title: en('Your name') }],
          },
          {
            id: 'last',
            title: en('Last'),
            questions: (ask?.questions ?? []).filter(({ code }) => code !== 'name'),
          },
        ],
      },
    })
    const { open: openPage, send } = visitor()
    const first = await openPage(addressOf(form))
    const name = fresh('Wrong')
    const { hidden } = await send(addressOf(form), first.hidden, { name })
    await during('refuse', async () => {
      expect((await send(addressOf(form), hidden, { email: 'not an address' })).status).toBe(303)
      // A step that is followed by another one waits on its page.
      expect((await send(addressOf(form), first.hidden, { name })).status).toBe(503)
    })
    const [stored] = await found(name)
    expect(stored).toMatchObject({ state: 'quarantined', suspicions: ['unchecked'] })
    const { checkNote, leadId } = await admin.call(submissions.get, { id: stored?.id ?? '' })
    expect(checkNote).toMatch(/^Email: .*\(not an address\)$/)
    expect(await admin.call(leads.get, { id: leadId ?? '' })).toMatchObject({ status: 'quarantined' })
  },
)

test('a form that was closed in the meantime is stored all the same', { tags: 'release' }, async () => {
  const form = await place.addForm()
  const { open: openPage, send } = visitor()
  const { hidden } = await openPage(addressOf(form))
  const name = fresh('Closed')
  await during('refuse', async () => {
    expect((await send(addressOf(form), hidden, { name, email: 'a@mail.example' })).status).toBe(303)
    // By another process, before this one has the database back.
    await forecourt.owner.query('update forms set closed_at = now() where id = $1', [form.id])
  })
  expect(await found(name)).toMatchObject([{ state: 'quarantined', suspicions: ['closed'] }])
})

test('a suspended customer is gone, also in an outage', async () => {
  expect((await open('/')).status).toBe(200)
  const staff = await forecourt.as('super', 'Forecourt Operations')
  const { customerId: id } = place
  await staff.call(customers.setStatus, { id, status: 'suspended', reason: 'Invoice open' })
  await forecourt.sites.recheck()
  try {
    await database.refuse()
    const page = await open('/')
    expect([page.status, page.text.includes('Northgate')]).toEqual([503, false])
  } finally {
    await database.restore()
    await expect.poll(async () => (await open('/sitemap.xml', 'harbor.localhost')).status).toBe(200)
    await staff.call(customers.setStatus, { id, status: 'active' })
  }
})
