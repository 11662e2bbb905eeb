import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Secrets } from '#server/secrets.ts'
import type { SealedColumn } from './sealed-columns.ts'

const CONTEXT = 'iam.installation/key_check'
const WORD = 'forecourt'

/**
 * Reads what this installation is called, or names it at its first start, and makes sure that the secret is the one
 * the database was sealed with.
 * @throws Error when FORECOURT_SECRET does not open it, for instance after a restore without the key.
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
  if (row === undefined) throw new Error('The database does not know its installation.')
  if (!opensInstallation(secrets, row.key_check_sealed)) {
    throw new Error(
      'FORECOURT_SECRET is not the secret this database was sealed with. Start with the original one.',
    )
  }
  return { installId: row.install_id }
}

/** The word is sealed by the installation's secret, too. */
export const sealedInstallation: SealedColumn = {
  table: 'iam.installation',
  column: 'key_check_sealed',
  contextColumns: [],
  context: () => CONTEXT,
}

/** Whether this is the secret that the installation was sealed with. */
export function opensInstallation(secrets: Secrets, sealed: string): boolean {
  try {
    return secrets.open(sealed, CONTEXT) === WORD
  } catch {
    return false
  }
}
