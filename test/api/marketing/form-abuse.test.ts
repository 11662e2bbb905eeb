import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#contract/administration/audit-log.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import type { Form } from '#contract/marketing/forms/forms.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { clock } from '#server/clock.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { purgeLeads } from '#server/leads/index.ts'
import { sweepFormLimits } from '#server/marketing/index.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ASK } from '#test/factories/marketing/add-marketing.ts'
import { type Answers, proven, solve, visitorOf } from '#test/factories/marketing/visitor.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { openDatabaseProxy, type DatabaseProxy } from '#test/harness/database-proxy.ts'

const HOST = 'northgate.localhost'
const HOUR = 3_600_000
const DAY = 24 * HOUR
let own: TestDatabase
let database: DatabaseProxy
let forecourt: TestApp
let admin: Caller
let place: TestOrganization

beforeAll(async () => {
  own = await freshDatabase()
  database = await openDatabaseProxy(own.login)
  forecourt = await testApp({ FORECOURT_DEMO: '1' }, { database: { ...own, login: database.login } })
  await forecourt.sites.recheck()
})
afterAll(async () => {
  await forecourt.close()
  await database.close()
})
beforeEach(() => pass(2 * HOUR))

/** Lets time pass: sessions end meanwhile. */
async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
}

const visitor = (ip?: string) => visitorOf(forecourt, HOST, ip)
const addressOf = ({ key }: Pick<Form, 'key'>) => `/f/${key}`
const found = async (search: string) =>
  (await admin.call(submissions.list, { search, pageSize: 200 })).results ?? []
const stateOf = async (search: string) => {
  const [one] = await found(search)
  return [one?.state, ...(one?.suspicions ?? [])]
}
/** How many submissions whose name contains this are in each state. */
const countOf = async (search: string) => {
  const all = await found(search)
  return Object.fromEntries(
    ['received', 'quarantined'].map((state) => [state, all.filter((one) => one.state === state).length]),
  )
}
/** What the security log says about limits that strangers reached, newest first. */
const strangers = async (kind: string) => {
  await forecourt.identity.strangers.flush()
  const filter = `kind == "strangers" && rowId == "${kind}"`
  return (await admin.call(auditLog.list, { filter })).results
}
const mail = (name: string) => `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}@mail.example`

/** Opens the form and sends it, with a proof of work or as a browser without scripts. */
async function sendOnce(
  form: Pick<Form, 'key'>,
  from: ReturnType<typeof visitor>,
  { name, withProof, more = {} }: { name: string; withProof: boolean; more?: Answers },
) {
  const page = await from.open(addressOf(form))
  const hidden = withProof ? await proven(page) : page.hidden
  return from.send(addressOf(form), hidden, { name, email: mail(name), ...more }, 3)
}

describe('outcomes', () => {
  const without = (hidden: Answers): Answers => {
    const { [FIELD_NAMES.noScript]: _none, ...rest } = hidden
    return rest
  }
  test.each([
    ['a browser with scripts and a proof', { script: true, proof: true }, ['received']],
    ['a browser that could prove and did not', { script: true, proof: false }, ['quarantined', 'noProof']],
    ['a browser without scripts', { script: false, proof: false }, ['received']],
    [
      'a browser without scripts, on a form that wants a proof',
      { script: false, proof: false, requiresProof: true },
      ['quarantined', 'noProof'],
    ],
    [
      'a browser with a proof, on a form that wants one',
      { script: true, proof: true, requiresProof: true },
      ['received'],
    ],
    [
      'a program that does not open the page',
      { script: false, proof: false, page: false },
      ['quarantined', 'noPage'],
    ],
  ] as const)('%s', async (_who, of, expected) => {
    const form = await place.addForm({ requiresProof: 'requiresProof' in of })
    const { open, send } = visitor()
    const page = await open(addressOf(form))
    const name = fresh('Outcome')
    const { script, proof } = of
    const scripted = proof ? await proven(page) : without(page.hidden)
    const hidden = { ...(script ? scripted : page.hidden), ...('page' in of && { [FIELD_NAMES.token]: '' }) }
    expect((await send(addressOf(form), hidden, { name, email: mail(name) })).status).toBe(303)
    expect(await stateOf(name)).toEqual(expected)
  })

  test('only forms without a proof are limited, by network: the sixth within an hour waits in quarantine', async () => {
    const form = await place.addForm()
    const network = visitor('2001:db8:7:1::1')
    const name = fresh('Limit')
    // Mistakes and forms with a proof are no reason to hold others.
    for (let n = 0; n < 6; n += 1) {
      const { hidden } = await network.open(addressOf(form))
      expect((await network.send(addressOf(form), hidden, { name, email: 'wrong' })).status).toBe(422)
    }
    await sendOnce(form, network, { name: `${name} proven`, withProof: true })
    for (let n = 1; n <= 5; n += 1) await sendOnce(form, network, { name: `${name} ${n}.`, withProof: false })
    // Another address of the same network.
    const neighbor = visitor('2001:db8:7:1:ffff::2')
    await sendOnce(form, neighbor, { name: `${name} sixth`, withProof: false })
    await sendOnce(form, visitor('2001:db8:7:2::1'), { name: `${name} elsewhere`, withProof: false })
    await sendOnce(form, neighbor, { name: `${name} shared`, withProof: true })
    expect(await countOf(name)).toEqual({ received: 8, quarantined: 1 })
    expect(await stateOf(`${name} sixth`)).toEqual(['quarantined', 'rate'])
    await pass(HOUR + 1_000)
    await sendOnce(form, neighbor, { name: `${name} later`, withProof: false })
    expect(await stateOf(`${name} later`)).toEqual(['received'])
  })

  test('many people behind one address of a carrier are all received with their proofs', async () => {
    const form = await place.addForm()
    const carrier = visitor('203.0.113.5')
    const name = fresh('Carrier')
    for (let n = 0; n < 8; n += 1) await sendOnce(form, carrier, { name: `${name} ${n}.`, withProof: true })
    expect(await countOf(name)).toEqual({ received: 8, quarantined: 0 })
  })

  test.each([
    ['is not trusted, all visitors are one network, and the log says so', '0', ['quarantined', 'rate'], 1],
    ['is trusted, visitors are told apart', '1', ['received'], 0],
  ] as const)('if a proxy %s', async (_what, TRUST_PROXY, expected, lines) => {
    const form = await place.addForm()
    const logged: string[] = []
    const logTo = { write: (line: string) => void logged.push(line) }
    const behind = await testApp({ FORECOURT_DEMO: '1', TRUST_PROXY }, { database: own, logTo })
    const name = fresh('Proxy')
    try {
      for (let n = 1; n <= 6; n += 1) {
        const from = visitorOf(behind, HOST, '10.9.9.9', { 'x-forwarded-for': `198.51.100.${n}` })
        await sendOnce(form, from, { name: `${name} ${n}.`, withProof: false })
      }
    } finally {
      await behind.close({ keepsDatabase: true })
    }
    expect(await stateOf(`${name} 6.`)).toEqual(expected)
    expect(logged.filter((line) => line.includes('set TRUST_PROXY'))).toHaveLength(lines)
  })

  test('a network with 100 held forms waits for a time that is true', { tags: 'release' }, async () => {
    const form = await place.addForm()
    const network = visitor()
    const name = fresh('Flood')
    const { hidden } = await network.open(addressOf(form))
    const sendBot = (n: number) =>
      network.send(
        addressOf(form),
        { ...hidden, [FIELD_NAMES.trap]: 'x' },
        { name: `${name} ${n}.`, email: mail(name) },
        1,
      )
    for (let n = 1; n <= 100; n += 1) expect([n, (await sendBot(n)).status]).toEqual([n, 303])
    const refused = await sendBot(101)
    expect(refused.status).toBe(429)
    const seconds = Number(refused.retryAfter)
    expect(seconds).toBeGreaterThan(HOUR / 1_000 - 110)
    expect(refused.text).toContain(`Try again in ${Math.ceil(seconds / 60)} minutes.`)
    expect(refused.text).toContain(`value="${name} 101."`)
    await sendBot(102)
    expect(await strangers('forms')).toMatchObject([
      {
        what: 'a public form was refused 2 times: Too many forms were sent from this network.',
        address: network.ip,
      },
    ])
    // People on that network are received, and so is the next one once the time is over.
    await sendOnce(form, network, { name: `${name} person`, withProof: true })
    expect(await stateOf(`${name} person`)).toEqual(['received'])
    await pass(seconds * 1_000 + 2_000)
    expect((await sendBot(102)).status).toBe(303)
  })
})

describe('a proof of work', () => {
  test('counts for one form, however often it is sent', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const [first, second] = [await open(addressOf(form)), await open(addressOf(form))]
    const hidden = await proven(first)
    const name = fresh('Spent')
    for (let n = 0; n < 15; n += 1)
      await send(addressOf(form), hidden, { name: `${name} ${n}.`, email: mail(name) }, 3)
    const { [FIELD_NAMES.proof]: proof = '' } = hidden
    await send(
      addressOf(form),
      { ...second.hidden, [FIELD_NAMES.proof]: proof, [FIELD_NAMES.noScript]: '' },
      { name, email: mail(name) },
    )
    expect(await countOf(name)).toEqual({ received: 1, quarantined: 15 })
    expect(await stateOf(`${name} 0.`)).toEqual(['received'])
    // The same content again is the same form.
    expect((await send(addressOf(form), hidden, { name: `${name} 0.`, email: mail(name) })).status).toBe(303)
    expect(await countOf(name)).toEqual({ received: 1, quarantined: 15 })
  })

  test('counts for one of two forms that are sent at once, and for the same one sent twice', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const hidden = await proven(await open(addressOf(form)))
    const name = fresh('Race')
    const sent = await Promise.all(
      ['one', 'two', 'two'].map((text) =>
        send(addressOf(form), hidden, { name: `${name} ${text}`, email: mail(name) }, 3),
      ),
    )
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await countOf(name)).toEqual({ received: 1, quarantined: 1 })
  })

  test('stays spent in another process and after a restart', { tags: 'release' }, async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const hidden = await proven(await open(addressOf(form)))
    const name = fresh('Restart')
    await send(addressOf(form), hidden, { name: `${name} first`, email: mail(name) })
    const other = await testApp({ FORECOURT_DEMO: '1' }, { database: own })
    try {
      const elsewhere = visitorOf(other, HOST)
      await elsewhere.send(addressOf(form), hidden, { name: `${name} second`, email: mail(name) })
    } finally {
      await other.close({ keepsDatabase: true })
    }
    expect(await stateOf(`${name} first`)).toEqual(['received'])
    expect(await stateOf(`${name} second`)).toEqual(['quarantined', 'noProof'])
  })

  test('expires, and a page that is open for longer gets another challenge', async () => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const page = await open(addressOf(form))
    const hidden = await proven(page)
    await pass(5 * HOUR)
    const name = fresh('Late')
    await send(addressOf(form), hidden, { name: `${name} expired`, email: mail(name) })
    expect(await stateOf(`${name} expired`)).toEqual(['quarantined', 'noProof'])
    const next = await proven(await open(addressOf(form)))
    await pass(5 * HOUR)
    const query = new URLSearchParams({ token: next[FIELD_NAMES.token] ?? '' }).toString()
    const challenge = await forecourt.app.inject({ url: `/site/challenge?${query}`, headers: { host: HOST } })
    expect([challenge.statusCode, challenge.headers['cache-control']]).toEqual([200, 'no-store'])
    const renewed = { ...next, [FIELD_NAMES.proof]: await solve(challenge.body) }
    await send(addressOf(form), renewed, { name: `${name} renewed`, email: mail(name) })
    expect(await stateOf(`${name} renewed`)).toEqual(['received'])
    const nonsense = await forecourt.app.inject({ url: '/site/challenge?token=x', headers: { host: HOST } })
    expect(nonsense.statusCode).toBe(400)
  })

  test.each([
    ['broken', () => '{'],
    ['for another counter', (proof: string) => proof.replace('"counter":', '"counter":1')],
    ['easier', (proof: string) => proof.replace('"cost":5000', '"cost":1')],
    ['for longer', (proof: string) => proof.replace(/"until":(\d+)/, '"until":9$1')],
    ['a prototype', () => '{"__proto__":{},"challenge":null}'],
  ] as const)('is none if it is %s', async (text, change) => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const hidden = await proven(await open(addressOf(form)))
    const name = fresh(`Forged ${text}`)
    const proof = change(hidden[FIELD_NAMES.proof] ?? '')
    await send(addressOf(form), { ...hidden, [FIELD_NAMES.proof]: proof }, { name, email: mail(name) })
    expect(await stateOf(name)).toEqual(['quarantined', 'noProof'])
  })

  test(
    'of a form that waits for the database is spent once, and no form is lost',
    { tags: 'release' },
    async () => {
      const form = await place.addForm()
      const { open, send } = visitor()
      const name = fresh('Waits')
      const before = await proven(await open(addressOf(form)))
      const during = await proven(await open(addressOf(form)))
      const sendAs = (hidden: Answers, text: string) =>
        send(addressOf(form), hidden, { name: `${name} ${text}`, email: mail(name) }, 3)
      expect((await sendAs(before, 'before')).status).toBe(303)
      await database.refuse()
      try {
        // The same again, something else with a proof that was spent before, and two with one proof.
        for (const [hidden, text] of [
          [before, 'before'],
          [before, 'reused'],
          [during, 'during'],
          [during, 'during'],
          [during, 'twice'],
        ] as const)
          expect([text, (await sendAs(hidden, text)).status]).toEqual([text, 303])
      } finally {
        await database.restore()
        await expect
          .poll(async () => {
            await forecourt.sites.ingest()
            return forecourt.sites.waitingForms()
          })
          .toBe(0)
      }
      // After the outage.
      await sendAs(during, 'after')
      const states = Object.fromEntries(
        (await found(name)).map((one) => [one.senderName?.replace(`${name} `, ''), one.state]),
      )
      expect(states).toEqual({
        before: 'received',
        reused: 'quarantined',
        during: 'received',
        twice: 'quarantined',
        after: 'quarantined',
      })
    },
  )
})

test('a recipient gets one automatic reply of a form within a day, however the address is written', async () => {
  const more = { replySubject: 'Thanks {name}', replyText: 'Hello {name}' }
  const form = await place.addForm(more)
  const other = await place.addForm(more)
  const mails = async () =>
    (
      await forecourt.owner.query<{ subject: string }>(
        `select subject from outbox_mails where to_email like 'victim%@mail.example' order by id`,
      )
    ).rows.map(({ subject }) => subject)
  const sendTo = (to: Pick<Form, 'key'>, email: string, name = 'Ann') =>
    sendOnce(to, visitor(), { name, withProof: true, more: { email } })
  await sendTo(form, 'victim@mail.example', 'You won 5000 dollars, call 0900 123456 now')
  await sendTo(form, 'Victim@Mail.example')
  await sendTo(form, 'victim+2@mail.example')
  expect(await mails()).toEqual(['Thanks'])
  await sendTo(other, 'victim@mail.example')
  expect(await mails()).toEqual(['Thanks', 'Thanks Ann'])
  await pass(DAY)
  await sendTo(form, 'victim@mail.example', 'Bob')
  expect(await mails()).toEqual(['Thanks', 'Thanks Ann', 'Thanks Bob'])
})

test('counts and spent proofs are forgotten once they can mean nothing', async () => {
  const form = await place.addForm()
  await sendOnce(form, visitor(), { name: fresh('Proven'), withProof: true })
  await sendOnce(form, visitor(), { name: fresh('Unproven'), withProof: false })
  const left = async () => {
    await sweepFormLimits(kyselyOver((query) => forecourt.jobsPool.query(statement(query))))
    const { rows } = await forecourt.owner.query<{ counts: number; proofs: number }>(
      'select (select count(*)::int from form_counts) as counts, (select count(*)::int from spent_proofs) as proofs',
    )
    return [(rows[0]?.counts ?? 0) > 0, (rows[0]?.proofs ?? 0) > 0]
  }
  expect(await left()).toEqual([true, true])
  await pass(3 * DAY)
  expect(await left()).toEqual([false, true])
  await pass(60 * DAY)
  expect(await left()).toEqual([false, false])
})

test("forms that wait for a lock don't keep those of another customer", { tags: 'release' }, async () => {
  const [form, harbor] = [await place.addForm(), await testOrganization(forecourt, 'Harbor Honda')]
  const other = await harbor.addForm()
  await sendOnce(form, visitor(), { name: fresh('Before'), withProof: false })
  const order: string[] = []
  await forecourt.owner.query('begin')
  await forecourt.owner.query(`select from form_counts where key = '*' for update`)
  const blocked = Array.from({ length: 12 }, async () => {
    await sendOnce(form, visitor(), { name: fresh('Blocked'), withProof: false })
    order.push('blocked')
  })
  const elsewhere = visitorOf(forecourt, 'harbor.localhost')
  await expect
    .poll(async () => {
      const { rows } = await forecourt.owner.query(`select from pg_locks where not granted`)
      return rows.length
    })
    .toBeGreaterThanOrEqual(4)
  const sent = await sendOnce(other, elsewhere, { name: fresh('Harbor'), withProof: true })
  order.push('other customer')
  await forecourt.owner.query('commit')
  await Promise.all(blocked)
  expect([sent.status, order[0]]).toEqual([303, 'other customer'])
})

describe('files', () => {
  const [ask] = ASK.sections
  const WITH_PHOTO: Definition = {
    ...ASK,
    sections: [
      {
        id: 'ask',
        title: { en: 'Ask' },
        questions: [
          ...(ask?.questions ?? []),
          { type: 'file', code: 'photo', title: { en: 'Photo' }, accept: ['image'] },
        ],
      },
    ],
  }
  const photo = (text: string) => ({
    name: `${text}.jpg`,
    bytes: Buffer.from(`\u00FF\u00D8\u00FF\u00E0 ${text}`, 'latin1'),
    field: 'photo',
    type: 'image/jpeg',
  })
  const sendPhoto = async (
    form: Pick<Form, 'key'>,
    from: ReturnType<typeof visitor>,
    { name, withProof }: { name: string; withProof: boolean },
  ) => {
    const page = await from.open(addressOf(form))
    const hidden = withProof ? await proven(page) : page.hidden
    const fields = Object.entries({ ...hidden, name, email: mail(name) })
    return from.sendFiles(addressOf(form), fields, [photo(name)])
  }

  test('of a network that proves nothing are limited, and those of buyers with a proof are not', async () => {
    const form = await place.addForm({ draft: WITH_PHOTO })
    const network = visitor()
    const name = fresh('Budget')
    expect((await sendPhoto(form, network, { name: `${name} 1`, withProof: false })).status).toBe(303)
    // As if it had sent 99.9 MB: a test that sends as much would take minutes.
    await forecourt.owner.query(
      `update form_counts set total = 100000000 where kind = 'file bytes without proof' and key = $1`,
      [network.ip],
    )
    const refused = await sendPhoto(form, network, { name: `${name} 2`, withProof: false })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(
      /Too many files came from your network\. Send the form without this one, or with it in (59|60) minutes\./,
    )
    // Without the file it is accepted.
    const again = await network.send(addressOf(form), refused.hidden, {
      name: `${name} 2`,
      email: mail(name),
    })
    expect(again.status).toBe(303)
    expect((await sendPhoto(form, network, { name: `${name} 3`, withProof: true })).status).toBe(303)
    expect((await sendPhoto(form, visitor(), { name: `${name} 4`, withProof: false })).status).toBe(303)
    // Strangers with many networks use up what is for browsers without scripts, not what is for buyers with a proof.
    await forecourt.owner.query(
      `update form_counts set total = 500000000 where kind = 'file bytes without proof' and key = '*'`,
    )
    expect((await sendPhoto(form, visitor(), { name: `${name} 5`, withProof: false })).status).toBe(422)
    expect((await sendPhoto(form, visitor(), { name: `${name} 6`, withProof: true })).status).toBe(303)
    await pass(HOUR + 1_000)
    expect((await sendPhoto(form, network, { name: `${name} 7`, withProof: false })).status).toBe(303)
  })

  test(
    'in quarantine count once, and the oldest make room for those of others',
    { tags: 'release' },
    async () => {
      const form = await place.addForm({ draft: WITH_PHOTO })
      const name = fresh('Room')
      const idOf = async (text: string) => (await found(`${name} ${text}`))[0]?.id ?? ''
      const filesOf = async (text: string) => {
        const { files, hasLostFiles } = await admin.call(submissions.get, { id: await idOf(text) })
        return [files.length, hasLostFiles]
      }
      // Held: their page was sent too fast.
      const hold = async (text: string) => {
        const from = visitor()
        const page = await from.open(addressOf(form))
        const fields = Object.entries({
          ...page.hidden,
          name: `${name} ${text}`,
          email: mail(name),
          [FIELD_NAMES.trap]: 'x',
        })
        await from.sendFiles(addressOf(form), fields, [photo(`${name} ${text}`)])
      }
      await hold('old')
      await hold('new')
      // A test can't send as much. Two rows name each file: the one of the page, and that of the submission.
      const setSize = async (text: string, size: number) => {
        const storedAs = 'select stored_as from form_files where submission_id = $1'
        await forecourt.owner.query(`update form_files set size = $2 where stored_as in (${storedAs})`, [
          await idOf(text),
          size,
        ])
      }
      await setSize('old', 900_000_000)
      await setSize('new', 900_000_000)
      expect((await sendPhoto(form, visitor(), { name: `${name} buyer`, withProof: true })).status).toBe(303)
      expect([await filesOf('old'), await filesOf('new'), await filesOf('buyer')]).toEqual([
        [1, false],
        [1, false],
        [1, false],
      ])
      await setSize('new', 1_100_000_000)
      expect((await sendPhoto(form, visitor(), { name: `${name} next`, withProof: true })).status).toBe(303)
      expect([
        await filesOf('old'),
        await filesOf('new'),
        await filesOf('buyer'),
        await filesOf('next'),
      ]).toEqual([
        [0, true],
        [1, false],
        [1, false],
        [1, false],
      ])
    },
  )
})

describe('quarantine', () => {
  const purge = () => purgeLeads({ queue: forecourt.jobsPool, pool: forecourt.appPool })
  const hold = async (name: string) => {
    const form = await place.addForm()
    const { open, send } = visitor()
    const { hidden } = await open(addressOf(form))
    await send(addressOf(form), { ...hidden, [FIELD_NAMES.trap]: 'x' }, { name, email: mail(name) })
    const [one] = await found(name)
    const { leadId } = await admin.call(submissions.get, { id: one?.id ?? '' })
    return { id: one?.id ?? '', leadId: leadId ?? '' }
  }

  test(
    'ends after the days in the settings; what only needs to be checked stays',
    { tags: 'release' },
    async () => {
      expect((await admin.call(leadSettings.get, {})).quarantineDays).toBe(30)
      await admin.call(leadSettings.update, { quarantineDays: 3 })
      await expect(admin.call(leadSettings.update, { quarantineDays: 0 })).toRefuse(400)
      const names = ['Old spam', 'To check', 'Released', 'New spam'].map((text) => fresh(text))
      const [old, check, released] = [
        await hold(names[0] ?? ''),
        await hold(names[1] ?? ''),
        await hold(names[2] ?? ''),
      ]
      // Only a form that waited for the database is held for this reason.
      const unchecked = `suspicions = '{unchecked}'`
      await forecourt.owner.query(`update leads set ${unchecked} where id = $1`, [check.leadId])
      await forecourt.owner.query(`update form_submissions set ${unchecked} where id = $1`, [check.id])
      await admin.call(submissions.release, { id: released.id })
      expect((await admin.call(leads.get, { id: old.leadId })).keepUntil).not.toBeNull()
      await pass(2 * DAY)
      const recent = await hold(names[3] ?? '')
      await pass(1.5 * DAY)
      await Promise.all([purge(), purge()])
      const kept = await Promise.all(names.map(async (name) => (await found(name)).length))
      expect(kept).toEqual([0, 1, 1, 1])
      await expect(admin.call(leads.get, { id: old.leadId })).toRefuse(404)
      expect((await admin.call(leads.get, { id: recent.leadId })).status).toBe('quarantined')
    },
  )

  test('holds 2,000: the oldest make room', { tags: 'release' }, async () => {
    const [first, second] = [await hold(fresh('First')), await hold(fresh('Second'))]
    // No test can send 2,000 forms. They are newer than the two.
    await forecourt.owner.query(
      `insert into leads (customer_id, organization_id, person_id, type, source_kind, source_name, status, suspicions, received_at, language)
       select customer_id, organization_id, person_id, type, source_kind, source_name, 'quarantined', '{trap}', received_at + n * interval '1 millisecond', language
       from leads, generate_series(1, 1998) n where id = $1`,
      [second.leadId],
    )
    await hold(fresh('Third'))
    const states = await Promise.all(
      [first, second].map(({ leadId }) =>
        admin.call(leads.get, { id: leadId }).then(
          () => 'kept',
          () => 'gone',
        ),
      ),
    )
    expect(states).toEqual(['gone', 'kept'])
    await expect(admin.call(submissions.get, { id: first.id })).toRefuse(404)
    expect((await strangers('quarantine'))[0]).toMatchObject({
      what: 'the quarantine was full: The oldest leads that look like spam were deleted to make room for new ones.',
      address: expect.stringMatching(/^10\.1\./),
    })
  })
})
