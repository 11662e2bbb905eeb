import { sql } from 'kysely'
import { NewLot } from '#contract/customers/lots.ts'
import type { OpenDatabase } from '#server/database/open-database.ts'
import type { AsOwner, Database } from '#server/database/tenant-transaction.ts'
import { addLot } from '#server/customers/index.ts'
import type { Settings } from '#server/environment.ts'
import { addPerson, makePasswords, type Passwords } from '#server/identity/index.ts'
import { foundCustomer, type FoundedCustomer } from '#server/organizations/index.ts'
import { DEMO_PASSWORD, DEMO_WORLD, type DemoCustomer } from './world.ts'

/** By itself the demo world shows only where strangers cannot come: a loopback host with the embedded database. */
export function isDemoWanted(settings: Settings, mode: OpenDatabase['mode']): boolean {
  return settings.demo ?? (settings.isLoopback && mode === 'embedded')
}

/** The accounts, as the start prints them. */
export function describeDemo(): string {
  const people = DEMO_WORLD.flatMap((customer) =>
    customer.people.map(({ userName, userType }) => `  ${userName.padEnd(20)}${userType}, ${customer.name}`),
  )
  return ['Demo accounts, password', DEMO_PASSWORD, 'for all:'].join(' ') + `\n${people.join('\n')}`
}

/**
 * Loads the demo world into a database that has no customer yet: all of it, or nothing when it is stopped half-way.
 * It is made by the same functions the product uses, and the audit log names the demo people who "did" it.
 * @returns false when there were customers already.
 */
export async function loadDemo(asOwner: AsOwner): Promise<boolean> {
  const passwords = makePasswords(2)
  return asOwner(async (db) => {
    // Of two servers that start together on one empty database the second finds the first one's customers.
    await sql`lock table customers in share row exclusive mode`.execute(db)
    const first = await db.selectFrom('customers').select('id').limit(1).executeTakeFirst()
    if (first !== undefined) return false
    for (const customer of DEMO_WORLD) await foundDemoCustomer(db, passwords, customer)
    return true
  })
}

async function foundDemoCustomer(db: Database, passwords: Passwords, customer: DemoCustomer): Promise<void> {
  const founded = await foundCustomer(db, {
    name: customer.name,
    isPlatform: customer.isPlatform,
    organizations: customer.organizations.map(({ name, timeZone }) => ({ name, timeZone })),
  })
  for (const { userType, organizations, ...person } of customer.people) {
    const userId = await addPerson(db, passwords, {
      ...person,
      customerId: founded.customerId,
      userTypeId: founded.userTypes[userType] ?? '',
      organizationIds: organizations.map((name) => founded.organizations[name] ?? ''),
      password: DEMO_PASSWORD,
      isDemo: true,
    })
    if (userType === 'Customer administrator') {
      await addLots(db, founded, customer, { userId, name: `${person.firstName} ${person.lastName}` })
    }
  }
}

async function addLots(
  db: Database,
  { customerId, organizations }: FoundedCustomer,
  customer: DemoCustomer,
  actor: { userId: string; name: string },
): Promise<void> {
  for (const organization of customer.organizations) {
    await sql`select set_config('app.customer_id', ${customerId}, true),
      set_config('app.organization_id', ${organizations[organization.name] ?? ''}, true),
      set_config('app.actor_user_id', ${actor.userId}, true), set_config('app.actor_name', ${actor.name}, true),
      set_config('app.endpoint', 'lots.add', true)`.execute(db)
    for (const lot of organization.lots) await addLot(db, NewLot.parse(lot))
  }
  await sql`select set_config('app.customer_id', '', true), set_config('app.organization_id', '', true),
    set_config('app.actor_user_id', '', true), set_config('app.actor_name', '', true),
    set_config('app.endpoint', '', true)`.execute(db)
}
