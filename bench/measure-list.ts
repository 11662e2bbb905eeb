import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { lots } from '#contract/customers/lots.ts'
import { Claims } from '#contract/identity/session.ts'
import { connectionOf } from './generate.ts'
import { listTransaction } from './list-transaction.ts'
import { load, median } from './load.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signInDealer } from './sign-in.ts'

const run = promisify(execFile)
const ROUNDS = 3
const SECONDS = 4
const CONNECTIONS = 8

/**
 * One list (50 of 200 lots, both exact counts) through HTTP, session, permission, tenant transaction and validation,
 * beside pgbench running the very same transaction on the same database: A B A B, the ratio pair by pair.
 */
export async function measureList(product: Product, home: string): Promise<Row[]> {
  const token = await signInDealer(product.address)
  const url = `${product.address}${lots.list.path}?sort=name`
  const script = join(home, 'list.sql')
  const claims = Claims.parse(decodeJwt(token))
  await writeFile(script, await listTransaction(claims))
  await load({ url, token, connections: CONNECTIONS, seconds: 2 })

  const pairs: { ours: number; theirs: number | null; p99: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await load({ url, token, connections: CONNECTIONS, seconds: SECONDS })
    if (ours.failed > 0) throw new Error(`${ours.failed} list calls failed.`)
    pairs.push({ ours: ours.perSecond, theirs: await pgbench(home, script), p99: ours.p99 })
  }
  const theirs = pairs.flatMap((pair) => (pair.theirs === null ? [] : [pair.theirs]))
  const ratios = pairs.flatMap((pair) => (pair.theirs === null ? [] : [pair.ours / pair.theirs]))
  return [
    {
      what: 'lots list, 50 of 200 rows, both counts, over HTTP',
      measured: `${median(pairs.map((pair) => pair.ours)).toFixed(0)}/s, p99 ${median(pairs.map((pair) => pair.p99)).toFixed(0)} ms`,
      beside:
        theirs.length === 0
          ? 'pgbench is not installed'
          : `pgbench of the same transaction ${median(theirs).toFixed(0)}/s`,
      ratio: ratios.length === 0 ? '-' : median(ratios).toFixed(2),
    },
  ]
}

/** Transactions a second, or null where Debian's pgbench is not there. */
async function pgbench(home: string, script: string): Promise<number | null> {
  const { host, port, loginPassword } = await connectionOf(home)
  const options = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(CONNECTIONS),
    '-j',
    '2',
    '-T',
    String(SECONDS),
    '-f',
    script,
  ]
  try {
    const { stdout } = await run(
      'pgbench',
      [...options, '-h', host, '-p', String(port), '-U', 'forecourt_login', 'forecourt'],
      { env: { ...process.env, PGPASSWORD: loginPassword, PGOPTIONS: '-c role=forecourt_app' } },
    )
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
