import { setUpFactor, startSignIn } from '#test/factories/identity/second-factor.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customers, type NewCustomer } from '#contract/customers/customers/customers.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { users } from '#contract/identity/users/users.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { readStored, sessionIdOf } from '#test/factories/identity/sessions.ts'

let forecourt: TestApp
let staff: Caller
beforeAll(async () => {
  forecourt = await testApp()
  staff = await forecourt.as('super', 'Forecourt Operations')
})
afterAll(() => forecourt.close())

let made = 0
const newCustomer = (more: Partial<NewCustomer> = {}): NewCustomer => {
  made += 1
  return {
    name: `Founded Motors ${made}`,
    organizationName: `Founded Rooftop ${made}`,
    timeZone: 'America/Denver',
    domain: `founded-${made}.example`,
    administrator: { firstName: 'Fay', lastName: 'Founder', email: `fay.${made}@founded.example` },
    ...more,
  }
}
const byName = async (name: string) => {
  const { results } = await staff.call(customers.list, { search: name })
  const [found] = results
  if (found === undefined) throw new Error(`There is no customer ${name}.`)
  return found
}
const fieldsOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof Refused ? error.refusal.fields : error
}
const linkIn = (text: string): string => /#(\S+)/.exec(text)?.[1] ?? ''

describe('adding', () => {
  test('one call creates the customer, organization, user types, domain and administrator, with a checklist', async () => {
    const given = newCustomer()
    const opened = await staff.call(customers.add, given)
    expect(opened).toMatchObject({
      name: given.name,
      status: 'active',
      isPlatform: false,
      domains: [given.domain],
      timeZone: 'America/Denver',
      organizations: 1,
      people: 1,
      lots: 0,
      organizationList: [{ name: given.organizationName, timeZone: 'America/Denver' }],
      administrator: { fullName: 'Fay Founder', userName: given.administrator.email, state: 'invited' },
      checklist: [
        // Without a mail server, the invitation stays in the outbox.
        { step: 'invited', isDone: false },
        { step: 'entered', isDone: false },
        { step: 'domain', isDone: true },
        { step: 'lots', isDone: false },
        { step: 'people', isDone: false },
        { step: 'details', isDone: false },
      ],
    })
    const { rows } = await forecourt.owner.query(
      `select t.name, p.name as parent from user_types t
      left join user_types p on p.customer_id = t.customer_id and p.id = t.parent_id
      where t.customer_id = $1 order by t.id`,
      [opened.id],
    )
    expect(rows).toEqual([
      { name: 'Customer administrator', parent: null },
      ...['Dealer user', 'Sustainability manager', 'Auditor', 'Participant'].map((name) => ({
        name,
        parent: 'Customer administrator',
      })),
    ])
  })

  test('the administrator has an address and the state of the email, as the mail server answers it', async () => {
    const added = await staff.call(customers.add, newCustomer())
    // Not yet verified, so links lead to the product itself.
    const { text } = await staff.call(customers.revealInvitation, { id: added.id })
    expect(text).toContain(`${added.address}/auth/reset-password#`)
    // There is no mail server here.
    expect(added.administrator?.passwordMailState).toBe('kept')
    for (const state of ['sent', 'failed'] as const) {
      await forecourt.owner.query(
        `update outbox_mails set state = $1, next_attempt_at = null where user_id = $2 and has_secret`,
        [state, added.administrator?.id],
      )
      const { administrator } = await staff.call(customers.get, { id: added.id })
      expect(administrator?.passwordMailState).toBe(state)
    }
  })

  test('its administrator signs in with the emailed link, which updates the checklist', async () => {
    const { id, administrator } = await staff.call(customers.add, newCustomer())
    const { text } = await staff.call(customers.revealInvitation, { id })
    const resetValue = linkIn(text)
    expect(await forecourt.anonymous.call(auth.checkReset, { resetValue })).toEqual({
      userName: administrator?.userName,
      firstName: 'Fay',
      purpose: 'first',
    })
    await forecourt.anonymous.call(auth.resetPassword, { resetValue, password: 'Founder7!' })
    await setUpFactor(forecourt, await startSignIn(forecourt, administrator?.userName ?? '', 'Founder7!'))
    const after = await staff.call(customers.get, { id })
    expect(after.administrator?.state).toBe('active')
    expect(after.checklist.find(({ step }) => step === 'entered')?.isDone).toBe(true)
  })

  test("the new customer's audit log shows who created it and who viewed the link", async () => {
    const { id } = await staff.call(customers.add, newCustomer())
    await staff.call(customers.revealInvitation, { id })
    const { rows } = await forecourt.owner.query<{ what: string; actor_name: string }>(
      `select distinct table_name || ' ' || operation as what, actor_name from audit_log where customer_id = $1 order by 1`,
      [id],
    )
    expect(rows.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'customers insert',
        'organizations insert',
        'users insert',
        'outbox_mails insert',
      ]),
    )
    expect(rows.some(({ what }) => what.endsWith(' event'))).toBe(true)
    expect(new Set(rows.map(({ actor_name }) => actor_name))).toEqual(new Set(['Robin Hale']))
  })

  test('the database does not contain the secret of the link in plain text', async () => {
    const { id } = await staff.call(customers.add, newCustomer())
    const { text } = await staff.call(customers.revealInvitation, { id })
    const { rows } = await forecourt.owner.query<{ n: number }>(
      `select (select count(*) from audit_log a where a::text like $1)::int
        + (select count(*) from outbox_mails m where m::text like $1)::int
        + (select count(*) from iam.password_links l where l::text like $1)::int as n`,
      [`%${linkIn(text)}%`],
    )
    expect([linkIn(text).length > 30, rows[0]?.n]).toEqual([true, 0])
  })

  test.for([
    ['name', { name: ' ' }, 'Name is required.'],
    [
      'domain',
      { domain: 'https://cars.example' },
      'Enter a domain such as cars.example.com, without https://',
    ],
    ['domain', { domain: 'cars' }, 'Enter a domain such as cars.example.com, without https://'],
    [
      'timeZone',
      { timeZone: 'Mars/Olympus' },
      'This is not a time zone. Use a name such as America/Los_Angeles.',
    ],
    [
      'administrator.email',
      { administrator: { firstName: 'A', lastName: 'B', email: 'nobody' } },
      'Enter a valid email address.',
    ],
    [
      'administrator.userName',
      { administrator: { firstName: 'A', lastName: 'B', email: "o'hara@founded.example" } },
      "This email address can't be used as a user name. Enter a user name.",
    ],
  ] as const)('rejects an invalid %s at its field', async ([field, wrong, sentence]) => {
    expect(await fieldsOf(staff.call(customers.add, newCustomer(wrong)))).toEqual({ [field]: sentence })
  })

  test('rejects values in use at their field, and leaves nothing of the customer behind', async () => {
    const first = newCustomer()
    await staff.call(customers.add, first)
    const { domain = null, administrator } = first
    const count = async () =>
      (await forecourt.owner.query<{ n: string }>('select count(*) as n from customers')).rows[0]?.n
    const before = await count()
    expect([
      await fieldsOf(staff.call(customers.add, newCustomer({ name: first.name.toUpperCase() }))),
      await fieldsOf(staff.call(customers.add, newCustomer({ domain: domain?.toUpperCase() ?? null }))),
      await fieldsOf(staff.call(customers.add, newCustomer({ administrator }))),
      await fieldsOf(
        staff.call(customers.add, newCustomer({ administrator: { ...administrator, userName: 'super' } })),
      ),
    ]).toEqual([
      { name: 'This name is already in use.' },
      { domain: 'This domain is already in use.' },
      {
        'administrator.userName':
          'Someone already signs in with this email address. Enter a different user name.',
      },
      { 'administrator.userName': 'This user name is already in use.' },
    ])
    expect(await count()).toBe(before)
  })

  test('creates only one of two concurrent customers with the same name', async () => {
    const given = newCustomer({ domain: null })
    const outcomes = await Promise.allSettled([
      staff.call(customers.add, given),
      staff.call(customers.add, { ...given, name: `${given.name} again` }),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('the list', () => {
  test('finds customers by name and domain, with counts', async () => {
    const given = newCustomer({ name: 'Zephyr Searchable' })
    await staff.call(customers.add, given)
    const found = await staff.call(customers.list, { search: given.domain ?? '' })
    expect(found.results.map(({ name }) => name)).toEqual(['Zephyr Searchable'])
    expect(found.totalRows).toBeGreaterThan(found.filteredRows)
    const northgate = await byName('Northgate')
    expect(northgate).toMatchObject({ organizations: 2, lots: 5, status: 'active' })
  })

  test.for(['name', '-people', 'lots', 'status', 'lastSignInAt', '-createdAt'])(
    'sorts by %s',
    async (sort) => {
      const { results } = await staff.call(customers.list, { sort, pageSize: 200 })
      expect(results.length).toBeGreaterThan(3)
    },
  )

  test('pages do not overlap, and each customer has its own figures', async () => {
    const sorted = { sort: '-people', pageSize: 2 } as const
    const pages = await Promise.all([1, 2].map((page) => staff.call(customers.list, { ...sorted, page })))
    const people = pages.flatMap(({ results }) => results.map((row) => row.people))
    expect(people).toEqual(people.toSorted((one, other) => other - one))
    expect(new Set(pages.flatMap(({ results }) => results.map(({ id }) => id))).size).toBe(4)
  })

  test('filters by status', async () => {
    const { results, filteredRows } = await staff.call(customers.list, { filter: 'status == "suspended"' })
    expect([results.map(({ name }) => name), filteredRows]).toEqual([['Lakeside Motors'], 1])
    expect(results[0]?.statusReason).toContain('Contract ended')
  })

  test.for(['northgate.admin', 'northgate.auditor'])(
    '%s, of a customer, may not see it',
    async (userName) => {
      const caller = await forecourt.as(userName, 'Northgate Ford').catch(() => forecourt.as(userName))
      await expect(caller.call(customers.list, {})).toRefuse(403, 'All customers, list (50, 1)')
      await expect(caller.call(customers.findUsers, { search: 'a' })).toRefuse(403)
    },
  )
})

describe('the status', () => {
  test('suspending ends the sessions of its users immediately; reopening lets them sign in again', async () => {
    const harbor = await byName('Harbor')
    const dealer = await forecourt.as('harbor.dealer')
    const suspended = await staff.call(customers.setStatus, {
      id: harbor.id,
      version: harbor.version,
      status: 'suspended',
      reason: 'Invoice open',
    })
    expect(suspended).toMatchObject({ status: 'suspended', statusReason: 'Invoice open' })
    await expect(dealer.call(lots.list, {})).toRefuse(401)
    expect((await readStored(forecourt, sessionIdOf(dealer))).revoke_reason).toBe('customer suspended')
    await expect(forecourt.as('harbor.dealer')).toRefuse(401)
    const opened = await staff.call(customers.setStatus, { id: harbor.id, status: 'active' })
    expect(opened).toMatchObject({ status: 'active', statusReason: null })
    await expect((await forecourt.as('harbor.dealer')).call(lots.list, {})).resolves.toBeDefined()
  })

  test('staff working in a closed customer keep their session and choose an organization again', async () => {
    const { id, name } = await staff.call(customers.add, newCustomer())
    const { organizationList } = await staff.call(customers.get, { id })
    const helper = await forecourt.as('support', organizationList[0]?.name ?? name)
    await staff.call(customers.setStatus, { id, status: 'closed', reason: 'Test' })
    await expect(helper.call(lots.list, {})).toRefuse(403, 'Choose an organization first.')
    const choices = await helper.call(organizations.change, {})
    expect(choices.map(({ customerName }) => customerName)).not.toContain(name)
  })

  test('is logged with the address and device of the user who set it', async () => {
    const { id } = await staff.call(customers.add, newCustomer())
    await staff.call(customers.setStatus, { id, status: 'suspended', reason: 'Test' })
    const { rows } = await forecourt.owner.query<{
      endpoint: string
      address: string | null
      device: string | null
    }>(
      `select distinct endpoint, address, device from audit_log
      where customer_id = $1 and operation <> 'event' and actor_user_id is not null order by endpoint`,
      [id],
    )
    expect(rows).toMatchObject([
      { endpoint: 'customers.add', address: '127.0.0.1', device: expect.any(String) },
      { endpoint: 'customers.setStatus', address: '127.0.0.1', device: expect.any(String) },
    ])
  })

  test('rejects an outdated version and returns the current customer', async () => {
    const { id, version } = await staff.call(customers.add, newCustomer())
    await staff.call(customers.setStatus, { id, version, status: 'suspended', reason: 'Test' })
    await expect(staff.call(customers.setStatus, { id, version, status: 'closed', reason: 'Test' })).toRefuse(
      409,
      'changed by someone',
    )
    expect((await staff.call(customers.get, { id })).status).toBe('suspended')
  })

  test('rejects another spelling of the ID', async () => {
    const here = await forecourt.as('super', 'Northgate Ford')
    const { id } = await byName('Northgate')
    const change = { status: 'closed', reason: 'Test' } as const
    await expect(here.call(customers.setStatus, { id: `0${id}`, ...change })).toRefuse(400)
  })

  test('rejects suspending the platform or the current customer', async () => {
    const platform = await byName('Forecourt Platform')
    await expect(
      staff.call(customers.setStatus, { id: platform.id, status: 'suspended', reason: 'Test' }),
    ).toRefuse(409)
    const here = await forecourt.as('super', 'Northgate Ford')
    const { id } = await byName('Northgate')
    await expect(here.call(customers.setStatus, { id, status: 'closed', reason: 'Test' })).toRefuse(
      409,
      'You are working in Northgate',
    )
  })

  test('suspending requires a reason, reopening does not', async () => {
    const { id } = await staff.call(customers.add, newCustomer())
    expect(await fieldsOf(staff.call(customers.setStatus, { id, status: 'suspended' }))).toEqual({
      reason: 'Enter a reason. It appears next to the status.',
    })
    await expect(staff.call(customers.setStatus, { id, status: 'active' })).resolves.toBeDefined()
  })

  test('hides the email once the administrator has a password', async () => {
    const { id } = await byName('Northgate')
    await staff.call(customers.invite, { id })
    await expect(staff.call(customers.revealInvitation, { id })).toRefuse(403, 'only they can see this email')
  })

  test('does not reveal the link of a super user', async () => {
    const { id } = await byName('Forecourt Platform')
    await expect(staff.call(customers.invite, { id })).toRefuse(403, 'go to the Users page')
    await expect(staff.call(customers.revealInvitation, { id })).toRefuse(403, 'go to the Users page')
  })

  test('a support agent can view but not suspend a customer', async () => {
    const support = await forecourt.as('support', 'Forecourt Operations')
    const { id } = await byName('Northgate')
    await expect(support.call(customers.get, { id })).resolves.toMatchObject({
      name: 'Northgate Motor Group',
    })
    await expect(support.call(customers.setStatus, { id, status: 'suspended', reason: 'Test' })).toRefuse(403)
    await expect(support.call(customers.revealInvitation, { id })).toRefuse(403)
  })
})

describe('finding users', () => {
  test('finds users across customers by name, user name and email, with limited columns', async () => {
    const { results } = await staff.call(customers.findUsers, { search: 'ortega' })
    expect(results).toHaveLength(1)
    expect(Object.keys(results[0] ?? {}).toSorted()).toEqual(
      [
        'customerId',
        'customerName',
        'email',
        'fullName',
        'id',
        'lastSignInAt',
        'state',
        'userName',
      ].toSorted(),
    )
    const souza = await staff.call(customers.findUsers, { search: 'ANA.SOUZA@harbor' })
    expect(souza.results[0]).toMatchObject({ customerName: 'Harbor Auto Collective', state: 'active' })
    const invited = await staff.call(customers.findUsers, { search: 'okafor' })
    expect(invited.results[0]?.state).toBe('invited')
  })

  test.for(['', '   ', '%', '_'])('searching for "%s" finds nobody', async (search) => {
    const { filteredRows, results } = await staff.call(customers.findUsers, { search })
    expect([filteredRows, results]).toEqual([0, []])
  })
})

test('managing customers gives no access to their data: staff see users only in the current customer', async () => {
  const { results } = await staff.call(users.list, { pageSize: 200 })
  expect(results.map(({ userName }) => userName)).not.toContain('northgate.dealer')
})
