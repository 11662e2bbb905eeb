import { sql } from 'kysely'
import type { customers } from '#contract/customers/customers/customers.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, refused } from '#server/http/failure.ts'
import { createUser, invite, type Identity } from '#server/identity/index.ts'
import { foundCustomer } from '#server/organizations/index.ts'

type CustomerInput = Received<typeof customers.add>

/**
 * Creates a customer in the owner's transaction, with its first organization, default user types, domain and
 * administrator, and emails the administrator an invitation. All or nothing.
 * @returns the customer's ID.
 * @throws Failure 409 if the name, domain or user name is already in use.
 */
export async function addCustomer(
  identity: Identity,
  db: Database,
  actor: Member,
  { name, organizationName, timeZone, domain, administrator }: CustomerInput,
): Promise<string> {
  const userName = administrator.userName ?? administrator.email
  if (!/^[\w.@+-]{1,60}$/.test(userName)) {
    throw refused('Some fields are invalid.', {
      'administrator.userName': "This email address can't be used as a user name. Enter a user name.",
    })
  }
  await requireUniqueName(db, name)
  try {
    const { customerId, organizations, userTypes } = await foundCustomer(db, {
      name,
      isPlatform: false,
      organizations: [{ name: organizationName, timeZone }],
    })
    const userId = await createUser(db, identity.passwords, {
      customerId,
      userTypeId: userTypes['Customer administrator'] ?? '',
      userName,
      email: administrator.email,
      firstName: administrator.firstName,
      lastName: administrator.lastName,
      password: null,
      organizationIds: Object.values(organizations),
    })
    await db
      .updateTable('customers')
      .set({ timeZone, administratorId: userId })
      .where('id', '=', customerId)
      .execute()
    if (domain) await db.insertInto('whiteLabels').values({ customerId, domain, title: name }).execute()
    await invite(identity, db, { customerId, userId }, actor)
    return customerId
  } catch (error) {
    throw explain(error, administrator.userName === undefined)
  }
}

async function requireUniqueName(db: Database, name: string): Promise<void> {
  // Of two concurrent requests with the same name, the second sees the first one's customer.
  await sql`lock table customers in share row exclusive mode`.execute(db)
  const taken = await db
    .selectFrom('customers')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .limit(1)
    .executeTakeFirst()
  if (taken === undefined) return
  throw conflict('Another customer already has this name.', { name: 'This name is already in use.' })
}

function explain(error: unknown, usesEmailAsUserName: boolean): unknown {
  const key = brokenKey(error)
  if (key === null) return error
  if (key.includes('domain')) {
    return conflict('Another customer already has this domain.', { domain: 'This domain is already in use.' })
  }
  return usesEmailAsUserName
    ? conflict('Someone already signs in with this email address. Enter a different user name.', {
        'administrator.userName':
          'Someone already signs in with this email address. Enter a different user name.',
      })
    : conflict('Another user already has this user name.', {
        'administrator.userName': 'This user name is already in use.',
      })
}
