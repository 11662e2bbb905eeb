import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { users } from '#contract/identity/users/users.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { findUser } from '#test/factories/identity/find-user.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())
afterEach(() =>
  forecourt.owner
    .query(`drop trigger if exists broken on outbox_mails; drop trigger if exists broken on users;
    drop function if exists break_off()`),
)

/** Makes the next write to a table fail, after whatever was written before it. */
async function breakAt(table: string): Promise<void> {
  await forecourt.owner.query(
    `create function break_off() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$`,
  )
  await forecourt.owner.query(
    `create trigger broken before insert or update on ${table} for each row execute function break_off()`,
  )
}

const countLinks = async (): Promise<string> => {
  const { rows } = await forecourt.owner.query<{ count: string }>('select count(*) from iam.password_links')
  return rows[0]?.count ?? ''
}

test('a user is not added if the email cannot be written, and can be added later', async () => {
  const userName = fresh('person').replace(' ', '.')
  const user = {
    userName,
    firstName: 'Ada',
    lastName: 'Field',
    email: `${userName}@people.example`,
    userTypeId: (await findUser(admin, 'northgate.dealer')).userTypeId,
    organizationIds: [ford.organizationId],
  }
  const links = await countLinks()
  await breakAt('outbox_mails')
  await expect(admin.call(users.add, { user, sendsPasswordMail: true })).toRefuse(500)
  const { rows } = await forecourt.owner.query('select from users where user_name = $1', [userName])
  expect([rows.length, await countLinks()]).toEqual([0, links])

  await forecourt.owner.query('drop trigger broken on outbox_mails')
  const added = await admin.call(users.add, { user, sendsPasswordMail: true })
  expect([added.userName, Number(await countLinks()) - Number(links)]).toEqual([userName, 1])
})

test('sessions end only if the change that ends them is committed', async () => {
  const person = await findUser(admin, 'northgate.auditor')
  const theirs = await forecourt.as('northgate.auditor')
  await breakAt('users')
  await expect(admin.call(users.update, { user: { id: person.id, isActive: false } })).toRefuse(500)
  expect(await theirs.call(auth.authFunc, {})).toBeDefined()

  await forecourt.owner.query('drop trigger broken on users')
  await admin.call(users.update, { user: { id: person.id, isActive: false } })
  await expect(theirs.call(auth.authFunc, {})).toRefuse(401)
  const { rows } = await forecourt.owner.query<{ why: string }>(
    `select distinct revoke_reason as why from iam.sessions where user_id = $1`,
    [person.id],
  )
  expect(rows).toEqual([{ why: 'switched on or off' }])
})

test('emails that take long to compose hold no connection', async () => {
  const person = await findUser(admin, 'northgate.dealer')
  const { outbox } = forecourt.identity
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const compose = outbox.compose
  const spy = vi.spyOn(outbox, 'compose').mockImplementation(async (...mail) => {
    await release
    return compose(...mail)
  })
  const added = fresh('slow').replace(' ', '.')
  const user = {
    userName: added,
    firstName: 'Ada',
    lastName: 'Slow',
    email: `${added}@people.example`,
    userTypeId: person.userTypeId,
    organizationIds: [ford.organizationId],
  }
  const calls = [
    admin.call(users.add, { user, sendsPasswordMail: true }),
    admin.call(users.sendPasswordMail, { id: person.id }),
    admin.call(secondFactor.reset, { id: person.id }),
  ]
  const results = Promise.allSettled(calls)
  await vi.waitFor(() => expect(spy).toHaveBeenCalledTimes(calls.length))
  const { rows } = await forecourt.owner.query<{ open: number }>(
    `select count(*)::int as open from pg_stat_activity where datname = current_database()
      and state like 'idle in transaction%'`,
  )
  resolve()
  // The user has no authenticator.
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  spy.mockRestore()
  expect(rows).toEqual([{ open: 0 }])
})

test('a password email is not sent if the user gets another address while it is composed', async () => {
  const person = await findUser(admin, 'northgate.dealer')
  const links = await countLinks()
  const { outbox } = forecourt.identity
  const compose = outbox.compose
  const spy = vi.spyOn(outbox, 'compose').mockImplementation(async (...mail) => {
    await forecourt.owner.query(`update users set email = 'new@people.example' where id = $1`, [person.id])
    return compose(...mail)
  })
  await expect(admin.call(users.sendPasswordMail, { id: person.id })).toRefuse(
    409,
    'This user was changed in the meantime. Try again.',
  )
  spy.mockRestore()
  expect(await countLinks()).toBe(links)
})

test.each(['deactivate', 'delete', 'demote'] as const)(
  'of two administrators who %s each other at once, one stays',
  async (act) => {
    const names = [fresh('twin'), fresh('twin')].map((name) => name.replace(' ', '.'))
    for (const userName of names) await ford.addMember({ userName, userType: 'Customer administrator' })
    const [one, other] = await Promise.all(names.map((name) => forecourt.as(name, 'Northgate Ford')))
    const [first, second] = await Promise.all(names.map((name) => findUser(admin, name)))
    const { userTypeId } = await findUser(admin, 'northgate.dealer')
    const on = (caller: Caller | undefined, id = '') => {
      if (act === 'delete') return caller?.call(users.remove, { id })
      const change = act === 'demote' ? { userTypeId } : { isActive: false }
      return caller?.call(users.update, { user: { id, ...change } })
    }
    const results = await Promise.allSettled([on(one, second?.id), on(other, first?.id)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const { rows } = await forecourt.owner.query(
      `select from users u join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
      where u.user_name = any($1) and u.is_active and t.name = 'Customer administrator'`,
      [names],
    )
    expect(rows).toHaveLength(1)
  },
)
