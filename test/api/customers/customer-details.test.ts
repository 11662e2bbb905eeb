import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown)
  if (error instanceof Refused) return error.refusal
  throw new Error('The call was not rejected.')
}

test('accepts its whole response without changing anything', async () => {
  const before = await admin.call(customerDetails.get, {})
  const after = await admin.call(customerDetails.update, before)
  expect(after).toEqual({
    ...before,
    version: after.version,
    updatedAt: after.updatedAt,
    updatedBy: after.updatedBy,
  })
})

test('changes only the fields that were sent, and replaces lists as a whole', async () => {
  const before = await admin.call(customerDetails.get, {})
  const fees = [
    {
      name: 'Plate transfer',
      cents: 4525,
      class: 'government' as const,
      percent: null,
      vehicles: 'all' as const,
      lotIds: [],
      from: null,
      isInPrice: false,
    },
  ]
  const after = await admin.call(customerDetails.update, {
    fees,
    priceLaw: 'us-ok',
    version: before.version,
    confirmPrices: true,
  })
  expect(after).toMatchObject({ fees, priceLaw: 'us-ok', contacts: before.contacts, name: before.name })
  expect(after.version).toBe(before.version + 1)
})

test('rejects an outdated version with the current details, without overwriting them', async () => {
  const { version } = await admin.call(customerDetails.get, {})
  const current = await admin.call(customerDetails.update, { phone: '+1 916 555 0199', version })
  const refusal = await refusalOf(admin.call(customerDetails.update, { phone: '+1 916 555 0198', version }))
  expect(refusal).toMatchObject({
    message: expect.stringContaining('The details were changed by someone else in the meantime. Reload them'),
    current,
  })
})

test('accepts only one of ten concurrent updates of the same version', async () => {
  const { version } = await admin.call(customerDetails.get, {})
  const tries = Array.from({ length: 10 }, (_, at) =>
    admin.call(customerDetails.update, { legalName: `Try ${at}`, version }),
  )
  const outcomes = await Promise.allSettled(tries)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

describe('reports errors at their field', () => {
  test.for([
    [{ currency: 'usd' }, 'currency', 'Currency must be a three-letter code such as USD.'],
    [{ timeZone: '+02:00' }, 'timeZone', 'This is not a time zone. Use a name such as America/Los_Angeles.'],
    [
      { website: 'javascript:alert(1)' },
      'website',
      'Enter a full web address, such as https://www.example.com.',
    ],
    [
      { contacts: [{ name: 'Fine' }, { name: 'Wrong', email: 'nobody' }] },
      'contacts.1.email',
      'Enter a valid email address.',
    ],
    [
      { fees: [{ name: 'Half a cent', cents: 0.5, class: 'dealer' }] },
      'fees.0.cents',
      'Amount must be in whole cents.',
    ],
    [
      { fees: [{ name: 'Negative', cents: -1, class: 'dealer' }] },
      'fees.0.cents',
      "Amount can't be negative.",
    ],
    [{ fees: [{ name: 'Bank', cents: 1, class: 'bank' }] }, 'fees.0.class', 'Choose what the fee pays for.'],
    [{ disclaimers: [{ name: 'Empty', text: ' ' }] }, 'disclaimers.0.text', 'Text is required.'],
    [{ priceLaw: 'mars' }, 'priceLaw', 'Choose the price advertising rules.'],
  ] as const)('%j', async ([wrong, field, sentence]) => {
    const answer = await admin.send({ method: 'POST', url: customerDetails.update.path, payload: wrong })
    expect(JSON.parse(answer.text)).toMatchObject({ status: false, fields: { [field]: sentence } })
  })
})

test('ignores the status and other fields that are not details', async () => {
  const { rows: before } = await forecourt.owner.query(
    `select status, is_platform from customers order by id`,
  )
  await admin.send({
    method: 'POST',
    url: customerDetails.update.path,
    payload: { status: 'closed', isPlatform: true, id: '1' },
  })
  const { rows: after } = await forecourt.owner.query(`select status, is_platform from customers order by id`)
  expect(after).toEqual(before)
})

test('the database only allows changes to the details of the current customer', async () => {
  const client = await forecourt.appPool.connect()
  try {
    await client.query(
      `select set_config('app.customer_id', (select customer_id::text from lots limit 1), false)`,
    )
    for (const change of [`status = 'closed'`, 'is_platform = true', 'administrator_id = null']) {
      await expect(client.query(`update customers set ${change}`)).rejects.toThrow('permission denied')
    }
    const { rows } = await forecourt.owner.query<{ id: string }>(`select id from customers order by id`)
    const [platform] = rows
    await client.query(`select set_config('app.customer_id', $1, false)`, [rows[1]?.id])
    const { rowCount } = await client.query(`update customers set phone = '1' where id = $1`, [platform?.id])
    expect(rowCount).toBe(0)
  } finally {
    client.release(true)
  }
})

test('a dealer can read but not change details, and only users with customer reach see the activity', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  await expect(dealer.call(customerDetails.get, {})).resolves.toMatchObject({
    domains: ['cars.northgate.example', 'northgate.localhost', 'office.northgate.example'],
  })
  await expect(dealer.call(customerDetails.update, { phone: '1' })).toRefuse(
    403,
    'Customer details, update (7, 4)',
  )
  expect(await dealer.call(customerDetails.activity, {})).toEqual([])
  const { priceLimits: limits } = await admin.call(customerDetails.get, {})
  // Limits that stay as they are, with none for approvals as forms send it, are no change.
  const priceLimits = { ...limits, approvalAbove: limits.approvalAbove ?? null }
  await admin.call(customerDetails.update, {
    website: 'https://changed.example',
    makes: ['Ford'],
    priceLimits,
  })
  const [latest] = await admin.call(customerDetails.activity, {})
  expect(latest).toMatchObject({ by: 'Dana Whitfield', what: 'Changed website and makes' })
})

test('rejects changes by users with organization reach, even with permission', async () => {
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select customer_id, id, 7, 4, true from users where user_name = 'northgate.dealer'`,
  )
  const dealer = await forecourt.as('northgate.dealer')
  const { lock } = await dealer.call(customerDetails.get, {})
  expect(lock).toMatch(/^Only users with access to the whole customer can change these details/)
  await expect(dealer.call(customerDetails.update, { phone: '1' })).toRefuse(403, lock ?? 'nothing')
  expect(await admin.call(customerDetails.get, {})).toMatchObject({ lock: null })
})

test('rejects an incomplete character at its field', async () => {
  const answer = await admin.send({
    method: 'POST',
    url: customerDetails.update.path,
    payload: { disclaimers: [{ name: 'a', text: 'x \ud800' }] },
  })
  expect(JSON.parse(answer.text)).toMatchObject({
    fields: { 'disclaimers.0.text': 'This contains an incomplete character.' },
  })
})

test('each customer sees its own details', async () => {
  const harbor = await forecourt.as('harbor.admin')
  const { name, organizations, people, lots } = await harbor.call(customerDetails.get, {})
  expect([name, organizations, lots]).toEqual(['Harbor Auto Collective', 2, 3])
  expect(people).toBeGreaterThan(1)
})
