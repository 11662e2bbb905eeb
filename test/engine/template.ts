import { loadDemo } from '../../demo/demo.ts'
import type { Connection } from '#server/database/connect.ts'
import { migrate } from '#server/database/migrate.ts'
import { ownerTransactions, withOwner } from '#server/database/open-database.ts'
import { LOGIN } from './login.ts'

/** Migrates and seeds the template that every test file's database is copied from. Its world is the demo world. */
export async function buildTemplate(owner: Connection): Promise<void> {
  await withOwner(owner, (client) => migrate(client, LOGIN.user))
  await loadDemo(ownerTransactions(owner))
}
