import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { listKeys, type Secrets } from '#server/secrets.ts'
import { createExclusively, writeDraft } from './exclusive-file.ts'
import { readSecretFile } from './secret-file.ts'
import type { SealedColumn } from './sealed-columns.ts'

const ROWS_AT_ONCE = 500

/** The secret's file while a rotation is under way: the new key in front, the older one still opening. */
export async function startRotation(home: string): Promise<string> {
  const present = await readSecretFile(home, 'secret')
  if (present === null) throw new Error(`There is no secret in ${home} yet.`)
  const keys = listKeys(present)
  // An earlier rotation was interrupted: its new key is the one to go on with.
  if (keys.length > 1) return present
  const [old] = keys
  if (old === undefined) throw new Error('The secret is empty.')
  const both = `${Number(old.id) + 1}:${randomBytes(32).toString('base64url')},${old.id}:${old.secret}`
  await replaceSecret(home, both)
  return both
}

/**
 * Leaves the newest key alone: what the older ones sealed is sealed anew. They are kept beside, for the backups that
 * were made with them.
 * @returns where they are.
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

/** How many values a rotation sealed anew, and how many no key opens: those stay as they are. */
export type Resealed = { sealed: number; lost: number }

/**
 * Seals every value of these columns with the newest key, in one transaction: all of them or none. Values that the
 * newest key sealed already are left, so it may be run again. Nobody else may be at work on the database.
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
  // Nothing that people see becomes different: no version counts up, and the audit log would hold a row for each.
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

/** Null: sealed with a key that was lost before, or moved to another row. It could not be opened yesterday either. */
function openOrNull(secrets: Secrets, sealed: string, context: string): string | null {
  try {
    return secrets.open(sealed, context)
  } catch {
    return null
  }
}
