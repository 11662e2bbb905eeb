import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import flags from '../../tools/node-flags.json' with { type: 'json' }
import { discardTestHome, findHomes, makeTestHome } from '#test/engine/home.ts'

const project = resolve(import.meta.dirname, '../..')

/** The real product as a separate process. */
export type Product = {
  address: string
  /** Its output so far. */
  output: () => string
  /** Stops it. */
  end: () => Promise<void>
}

/** Starts it with an installation of its own, which is removed when it stops. The web code must be built. */
export async function startProduct(environment: Record<string, string>): Promise<Product> {
  const home = await makeTestHome(await findHomes('forecourt-e2e'))
  try {
    const product = await startProcess(home, environment)
    const end = async () => {
      await product.end()
      await discardTestHome(home)
    }
    return { ...product, end }
  } catch (error) {
    await discardTestHome(home)
    throw error
  }
}

/** Starts it the way `npm start` does, and waits until it is ready. */
export async function startProcess(home: string, environment: Record<string, string>): Promise<Product> {
  const child = spawn(process.execPath, [...flags, 'src/server/main.ts'], {
    cwd: project,
    env: {
      ...process.env,
      FORECOURT_HOME: home,
      // A free port; the output names it.
      PORT: '0',
      FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '1000',
      ...environment,
    },
    // The channel closes if this process is killed, and then the product stops too.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const lines: string[] = []
  const end = async () => {
    child.kill('SIGTERM')
    await ended
  }
  try {
    const address = await waitUntilReady(child, lines)
    return { address, output: () => lines.join('\n'), end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Returns its address. */
function waitUntilReady(child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((ready, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line)
        const address = /is ready at (\S+)/.exec(line)?.[1]
        if (address !== undefined) ready(address)
      })
    }
    child.once('exit', () =>
      failed(new Error(`The product stopped before it was ready:\n${lines.join('\n')}`)),
    )
  })
}
