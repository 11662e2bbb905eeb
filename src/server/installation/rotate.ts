import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { listKeys, type Secrets } from '#server/secrets.ts'
import { createExclusively, writeDraft } from './exclusive-file.ts'
import { readSecretFile } from './secret-file.ts'
import type { SealedColumn } from './sealed-columns.ts'

const ROWS_AT_ONCE = 500

/** Writes the secret file for a rotation: the new key first, followed by the old one, which still decrypts. */
export async function startRotation(home: string): Promise<string> {
  const present = await readSecretFile(home, 'secret')
  if (present === null) throw new Error(`There is no secret in ${home} yet.`)
  const keys = listKeys(present)
  // An earlier rotation was interrupted: continue with its new key.
  if (keys.length > 1) return present
  const [old] = keys
  if (old === undefined) throw new Error('The secret is empty.')
  const both = `${Number(old.id) + 1}:${randomBytes(32).toString('base64url')},${old.id}:${old.secret}`
  await replaceSecret(home, both)
  return both
}

/**
 * Keeps only the newest key in the secret file, once everything is re-encrypted. The older keys move to another file, for
 * restoring earlier backups.
 * @returns the path of that file
 */
export async function endRotation(home: string, both: string, now: Date): Promise<string> {
  const [newest, ...older] = listKeys(both).map(({ id, secret }) => `${id}:${secret}`)
  const kept = join(home, `secret-until-${now.toISOString().replaceAll(/[:.]/g, '-')}`)
  await createExclusively(kept, `${older.join(',')}\n`)
  await replaceSecret(home, newest ?? both)
  return kept
}

async function replaceSecret(home: string, text: string): Promise<void> {
  const path = join(home, 'secret')
  await rename(await writeDraft(path, `${text}\n`), path)
}

/** The number of values that were re-encrypted, and of those that no key decrypts and that are unchanged. */
export type Resealed = { sealed: number; lost: number }

/**
 * Re-encrypts every value of these columns with the newest key, in one transaction. Values that already use it are skipped,
 * so this can be run again. Nothing else may be using the database.
 */
export async function resealAll(
  owner: pg.Client,
  secrets: Secrets,
  columns: readonly SealedColumn[],
): Promise<Resealed> {
  const done: Resealed = { sealed: 0, lost: 0 }
  await owner.query('begin')
  try {
    for (const column of columns) {
      const { sealed, lost } = await resealColumn(owner, secrets, column)
      done.sealed += sealed
      done.lost += lost
    }
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
  return done
}

type Row = Record<string, string | null>

async function resealColumn(
  owner: pg.Client,
  secrets: Secrets,
  { table, column, contextColumns, context }: SealedColumn,
): Promise<Resealed> {
  const done: Resealed = { sealed: 0, lost: 0 }
  const [schema = '', name = ''] = table.split('.')
  const target = `${owner.escapeIdentifier(schema)}.${owner.escapeIdentifier(name)}`
  // No visible change, so the triggers must neither increment versions nor write to the audit log.
  await owner.query(`alter table ${target} disable trigger user`)
  const texts = ['ctid', ...contextColumns, column].map((one) => `${one}::text as ${one}`)
  await owner.query({
    text: `declare sealed_rows no scroll cursor for select ${texts.join(', ')} from ${target}
      where ${column} is not null and ${column} not like $1`,
    values: [`${secrets.newestId}.%`],
  })
  for (;;) {
    const { rows } = await owner.query<Row>(`fetch forward ${ROWS_AT_ONCE} from sealed_rows`)
    if (rows.length === 0) break
    for (const row of rows) {
      const plain = openOrNull(secrets, row[column] ?? '', context(row))
      if (plain === null) {
        done.lost += 1
        continue
      }
      await owner.query(`update ${target} set ${column} = $1 where ctid = $2::tid`, [
        secrets.seal(plain, context(row)),
        row.ctid,
      ])
      done.sealed += 1
    }
  }
  await owner.query('close sealed_rows')
  await owner.query(`alter table ${target} enable trigger user`)
  return done
}

/** Null if the value was encrypted with a lost key or moved to another row, so it was not readable before either. */
function openOrNull(secrets: Secrets, sealed: string, context: string): string | null {
  try {
    return secrets.open(sealed, context)
  } catch {
    return null
  }
}
