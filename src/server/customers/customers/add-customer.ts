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
 * Founds a customer in the owner's transaction: itself, its first organization, the default user types, its domain and
 * its administrator, who gets the mail with the link to a first password. All of it, or nothing.
 * @returns the customer's number.
 * @throws Failure 409 on the field whose value somebody else has: name, domain or the administrator's user name.
 */
export async function addCustomer(
  identity: Identity,
  db: Database,
  actor: Member,
  { name, organizationName, timeZone, domain, administrator }: CustomerInput,
): Promise<string> {
  const userName = administrator.userName ?? administrator.email
  if (!/^[\w.@+-]{1,60}$/.test(userName)) {
    throw refused('Some fields are not right.', {
      'administrator.userName': 'Give a user name: this e-mail address cannot be one.',
    })
  }
  await requireFreeUserName(db, name)
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

async function requireFreeUserName(db: Database, name: string): Promise<void> {
  // Of two who found a customer of one name at once the second finds the first one's.
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

function explain(error: unknown, isNamedByMail: boolean): unknown {
  const key = brokenKey(error)
  if (key === null) return error
  if (key.includes('domain')) {
    return conflict('Another customer already has this domain.', { domain: 'This domain is already in use.' })
  }
  return isNamedByMail
    ? conflict('Somebody already signs in with this e-mail address. Give another user name.', {
        'administrator.userName': 'Somebody already signs in with the e-mail address. Choose another name.',
      })
    : conflict('Somebody already signs in with this user name.', {
        'administrator.userName': 'This user name is already in use.',
      })
}
