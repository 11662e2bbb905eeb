import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connectionOf } from './generate.ts'

const run = promisify(execFile)

export type PgbenchResult = { perSecond: number; meanMs: number }

/** Transactions per second of a script with the application's role, or null if pgbench isn't installed. */
export async function pgbench(
  home: string,
  script: string,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<PgbenchResult | null> {
  const { host, port, loginPassword } = await connectionOf(home)
  const options = ['-n', '-M', 'prepared', '-c', connections, '-j', 2, '-T', seconds, '-f', script].map(
    String,
  )
  try {
    const { stdout } = await run(
      'pgbench',
      [...options, '-h', host, '-p', String(port), '-U', 'forecourt_login', 'forecourt'],
      { env: { ...process.env, PGPASSWORD: loginPassword, PGOPTIONS: '-c role=forecourt_app' } },
    )
    return {
      perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]),
      meanMs: Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]),
    }
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
