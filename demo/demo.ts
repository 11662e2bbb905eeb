import { sql } from 'kysely'
import { clock } from '#server/clock.ts'
import type { OpenDatabase } from '#server/database/open-database.ts'
import type { AsOwner } from '#server/database/tenant-transaction.ts'
import type { Settings } from '#server/environment.ts'
import type { Identity } from '#server/identity/index.ts'
import { DEMO_AUTHENTICATOR } from './demo-authenticator.ts'
import { foundDemoCustomer } from './found-demo-customer.ts'
import { DEMO_PASSWORD, DEMO_WORLD } from './world.ts'

/** By itself the demo world shows only where strangers cannot come: a loopback host with the embedded database. */
export function isDemoWanted(settings: Settings, mode: OpenDatabase['mode']): boolean {
  return settings.demo ?? (settings.isLoopback && mode === 'embedded')
}

/** The accounts, as the start prints them. */
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
 * Loads the demo world into a database that has no customer yet: all of it, or nothing when it is stopped half-way.
 * It is made by the same functions the product uses, and the audit log names the demo people who "did" it.
 * @returns false when there were customers already.
 */
export async function loadDemo(asOwner: AsOwner, identity: Identity): Promise<boolean> {
  return asOwner(async (db) => {
    // Of two servers that start together on one empty database the second finds the first one's customers.
    await sql`lock table customers in share row exclusive mode`.execute(db)
    const first = await db.selectFrom('customers').select('id').limit(1).executeTakeFirst()
    if (first !== undefined) return false
    const now = clock.date()
    for (const customer of DEMO_WORLD) await foundDemoCustomer(identity, db, { customer, now })
    // Nobody reads mail at these addresses: their invitations stay here even where there is a mail server.
    await db.updateTable('outboxMails').set({ state: 'kept', nextAttemptAt: null }).execute()
    return true
  })
}
