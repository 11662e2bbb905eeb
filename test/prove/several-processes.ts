import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestDatabase } from '#test/engine/database.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'
import { urlOf } from '#test/harness/whole-database.ts'
import { startProduct, type Product } from '../../bench/product.ts'

/** Starts a process with its own home in `folder`. All of them share the database, the secret and `files` in that folder. */
export async function startSharing(
  folder: string,
  name: string,
  database: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const home = join(folder, name)
  await mkdir(home, { recursive: true })
  await symlink(join(folder, 'files'), join(home, 'files')).catch(() => {})
  return startProduct(home, [], {
    DATABASE_URL: urlOf(database.login),
    DATABASE_OWNER_URL: urlOf(database.connection),
    FORECOURT_SECRET: TEST_SECRET,
    FORECOURT_DEMO: '1',
    ...environment,
  })
}
