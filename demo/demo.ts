import { sql } from 'kysely'
import { clock } from '#server/clock.ts'
import type { OpenDatabase } from '#server/database/open-database.ts'
import type { AsOwner } from '#server/database/tenant-transaction.ts'
import type { Settings } from '#server/environment.ts'
import type { Identity } from '#server/identity/index.ts'
import { DEMO_AUTHENTICATOR } from './demo-authenticator.ts'
import { addDemoCustomer } from './add-demo-customer.ts'
import { DEMO_PASSWORD, DEMO_WORLD } from './world.ts'

/** By default, the demo data is loaded only where no one else has access: on a loopback host with the embedded database. */
export function isDemoWanted(settings: Settings, mode: OpenDatabase['mode']): boolean {
  return settings.demo ?? (settings.isLoopback && mode === 'embedded')
}

/** The demo accounts, as printed at startup. */
export function describeDemo(): string {
  const people = DEMO_WORLD.flatMap((customer) =>
    customer.people
      .filter(({ isAnnounced }) => isAnnounced)
      .map(({ userName, userType }) => `  ${userName.padEnd(20)}${userType}, ${customer.name}`),
  )
  const withFactor = [
    'With a second factor:',
    '  northgate.desk      a code by mail, which northgate.admin finds in the outbox',
    `  northgate.phone     authenticator ${DEMO_AUTHENTICATOR.secret}`,
    `                      or a backup code: ${DEMO_AUTHENTICATOR.backupCodes.join(', ')}`,
  ]
  return (
    ['Demo accounts, password', DEMO_PASSWORD, 'for all:'].join(' ') +
    `\n${[...people, ...withFactor].join('\n')}`
  )
}

/**
 * Loads the demo data into a database without customers, all or nothing. It is created with the product's own functions,
 * and the audit log names the demo users as authors.
 * @returns false if there already were customers.
 */
export async function loadDemo(asOwner: AsOwner, identity: Identity): Promise<boolean> {
  return asOwner(async (db) => {
    // If two servers start on one empty database, the second one finds the customers of the first.
    await sql`lock table customers in share row exclusive mode`.execute(db)
    const first = await db.selectFrom('customers').select('id').limit(1).executeTakeFirst()
    if (first !== undefined) return false
    const now = clock.date()
    for (const customer of DEMO_WORLD) await addDemoCustomer(identity, db, { customer, now })
    // The addresses don't exist, so the invitations are not sent even if there is a mail server.
    await db
      .updateTable('outboxMails')
      .set({ state: 'kept', nextAttemptAt: null })
      .where('state', '=', 'waiting')
      .execute()
    return true
  })
}
