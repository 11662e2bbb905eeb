import { loadDemo } from '../../demo/demo.ts'
import { openPool, type Connection } from '#server/database/connect.ts'
import { migrate } from '#server/database/migrate.ts'
import { ownerTransactions, withOwner } from '#server/database/open-database.ts'
import { loadLibrary } from '#server/carbon/index.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { readSettings } from '#server/environment.ts'
import { makeIdentity } from '#server/identity/index.ts'
import { makeOutbox } from '#server/mail/index.ts'
import { secrets } from '#test/harness/secrets.ts'
import { LOGIN } from './login.ts'

/** Migrates the template database and loads the demo data. Every test file's database is copied from it. */
export async function buildTemplate(owner: Connection): Promise<void> {
  await withOwner(owner, (client) => migrate(client, LOGIN.user))
  const pool = openPool({ ...owner, ...LOGIN }, 'forecourt_iam', 1)
  try {
    const iam = kyselyOver((query) => pool.query(statement(query)))
    const identity = makeIdentity(iam, readSettings({}), secrets, {
      outbox: makeOutbox({ iam, secrets, transport: null }),
      address: () => 'http://127.0.0.1:8080',
    })
    await loadLibrary(ownerTransactions(owner))
    await loadDemo(ownerTransactions(owner), identity)
  } finally {
    await pool.end()
  }
}
