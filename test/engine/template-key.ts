import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from '#server/database/embedded/binaries.ts'
import { RUN_STARTS_AT } from './start-clock.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Everything that affects the template's content. The demo data is created by the product's own functions. */
const SOURCES = [
  'package-lock.json',
  'migrations',
  'demo',
  'data',
  'src/contract',
  'src/server',
  'test/engine',
  'test/harness/secrets.ts',
]

/** A key for the template of this code, this PostgreSQL and this owner. Equal keys mean equal content. */
export async function makeTemplateKey(of: { binaries: Binaries; isOwnerPlain: boolean }): Promise<string> {
  const hash = createHash('sha256')
  const { binaries, isOwnerPlain } = of
  hash.update(
    JSON.stringify({
      bin: binaries.bin,
      version: binaries.version,
      isOwnerPlain,
      node: process.version,
      user: process.getuid?.() ?? null,
      clock: RUN_STARTS_AT,
    }),
  )
  for (const source of SOURCES) {
    for (const file of await filesOf(source)) {
      hash.update(`\0${file}\0`)
      hash.update(await readFile(join(ROOT, file)))
    }
  }
  return hash.digest('hex').slice(0, 24)
}

async function filesOf(source: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, source), { recursive: true, withFileTypes: true }).catch(
    () => null,
  )
  if (entries === null) return [source]
  return entries
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .toSorted()
}
