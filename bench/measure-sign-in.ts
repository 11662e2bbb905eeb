import { cpus } from 'node:os'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { makePasswords } from '#server/identity/passwords/passwords.ts'
import { DEMO_PASSWORD } from '../demo/world.ts'
import { load } from './load.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { credentials, signIn as tokenOf } from './sign-in.ts'

const SECONDS = 5
const CONNECTIONS = 8

/** Sign-ins per second compared with the bare password hash, and their effect on a list. */
export async function measureSignIn(product: Product): Promise<Row[]> {
  const signIn = {
    url: `${product.address}${auth.signIn.path}`,
    body: credentials,
    connections: CONNECTIONS,
    seconds: SECONDS,
  }
  const list = {
    url: `${product.address}${lots.list.path}`,
    token: await tokenOf(product.address),
    connections: 2,
    seconds: SECONDS,
  }
  const hashes = await bareHashesPerSecond()
  const alone = await load(signIn)
  if (alone.failed > 0) throw new Error(`${alone.failed} sign-ins failed.`)
  const quiet = await load(list)
  const [busy] = await Promise.all([load(list), load(signIn)])
  return [
    {
      what: 'sign-ins, argon2id 19 MiB t=2 p=1, one hash per core',
      measured: `${alone.perSecond.toFixed(0)}/s, p99 ${alone.p99.toFixed(0)} ms`,
      comparison: `bare hash with the same concurrency ${hashes.toFixed(0)}/s; goal 100/s`,
      ratio: (alone.perSecond / hashes).toFixed(2),
    },
    {
      what: 'lot list while eight clients sign in continuously',
      measured: `p99 ${busy.p99.toFixed(0)} ms`,
      comparison: `alone p99 ${quiet.p99.toFixed(0)} ms; goal at most doubled`,
      ratio: (busy.p99 / Math.max(1, quiet.p99)).toFixed(2),
    },
  ]
}

async function bareHashesPerSecond(): Promise<number> {
  const passwords = makePasswords(cpus().length)
  const hashed = await passwords.hash(DEMO_PASSWORD)
  const startedAt = performance.now()
  const count = 120
  await Promise.all(Array.from({ length: count }, () => passwords.matches(hashed, DEMO_PASSWORD)))
  return count / ((performance.now() - startedAt) / 1000)
}
