import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { SET_UP_PATH, type setUp } from '#contract/organizations/set-up.ts'
import type { AsOwner, Database } from '#server/database/tenant-transaction.ts'
import { conflict, forbidden } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { createUser, type Identity } from '#server/identity/index.ts'
import type { Secrets } from '#server/secrets.ts'
import { foundCustomer } from '../found-customer.ts'

/** Derived from the secret only, so the link is the same on every server and after a restart. */
function setUpToken(secrets: Secrets, installId: string): string {
  return createHmac('sha256', secrets.deriveKey('set-up')).update(installId).digest('base64url')
}

/** The link to print at startup; null once there is a customer. */
export async function setUpLink(
  asOwner: AsOwner,
  { secrets, installId, address }: { secrets: Secrets; installId: string; address: string },
): Promise<string | null> {
  const isEmpty = await asOwner(hasNoCustomer)
  return isEmpty ? `${address}${SET_UP_PATH}?token=${setUpToken(secrets, installId)}` : null
}

/** Whether the installation has its first customer. Asks the database only until it has. */
export function setUpState(asOwner: AsOwner): () => Promise<boolean> {
  let isDone = false
  return async () => {
    isDone ||= !(await asOwner(hasNoCustomer))
    return isDone
  }
}

export function setUpHandlers(
  asOwner: AsOwner,
  { passwords }: Identity,
  { secrets, installId }: { secrets: Secrets; installId: string },
): Handlers<typeof setUp> {
  const token = Buffer.from(setUpToken(secrets, installId))
  return {
    async begin({ input }) {
      const given = Buffer.from(input.token)
      if (given.length !== token.length || !timingSafeEqual(given, token)) {
        throw forbidden('This link is invalid. Use the link printed when Forecourt started.')
      }
      await asOwner((db) => createPlatform(db, passwords, input))
      return null
    },
  }
}

async function createPlatform(
  db: Database,
  passwords: Identity['passwords'],
  given: Received<typeof setUp.begin>,
): Promise<void> {
  // Serializes concurrent requests with the same link: the second one finds the customer of the first.
  await sql`lock table customers in share row exclusive mode`.execute(db)
  if (!(await hasNoCustomer(db))) throw conflict('Forecourt is already set up. Sign in.')
  const { company, timeZone, token: _, ...user } = given
  const founded = await foundCustomer(db, {
    name: company,
    isPlatform: true,
    organizations: [{ name: company, timeZone }],
  })
  await createUser(db, passwords, {
    ...user,
    customerId: founded.customerId,
    userTypeId: founded.userTypes['Super user'] ?? '',
    organizationIds: Object.values(founded.organizations),
    isSuper: true,
  })
}

async function hasNoCustomer(db: Database): Promise<boolean> {
  return (await db.selectFrom('customers').select('id').limit(1).executeTakeFirst()) === undefined
}
