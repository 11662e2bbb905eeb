import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Secrets } from '#server/secrets.ts'
import type { SealedColumn } from './sealed-columns.ts'

const CONTEXT = 'iam.installation/key_check'
const WORD = 'forecourt'

/**
 * Reads the install ID, or creates it at the first start, and verifies that the database was encrypted with this secret.
 * @throws Error if FORECOURT_SECRET does not match, for example after a restore without the key.
 */
export async function openInstallation(iamPool: pg.Pool, secrets: Secrets): Promise<{ installId: string }> {
  await iamPool.query(
    'insert into iam.installation (install_id, key_check_sealed) values ($1, $2) on conflict do nothing',
    [randomBytes(4).toString('hex'), secrets.seal(WORD, CONTEXT)],
  )
  const { rows } = await iamPool.query<{ install_id: string; key_check_sealed: string }>(
    'select install_id, key_check_sealed from iam.installation',
  )
  const [row] = rows
  if (row === undefined) throw new Error('The database has no installation row.')
  if (!opensInstallation(secrets, row.key_check_sealed)) {
    throw new Error(
      'FORECOURT_SECRET is not the secret this database was encrypted with. Start with the original secret.',
    )
  }
  return { installId: row.install_id }
}

/** The key check value, which is encrypted with the installation's secret. */
export const sealedInstallation: SealedColumn = {
  table: 'iam.installation',
  column: 'key_check_sealed',
  contextColumns: [],
  context: () => CONTEXT,
}

/** Whether the installation was encrypted with this secret. */
export function opensInstallation(secrets: Secrets, sealed: string): boolean {
  try {
    return secrets.open(sealed, CONTEXT) === WORD
  } catch {
    return false
  }
}
