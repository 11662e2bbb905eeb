import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { clock } from '#server/clock.ts'
import flags from '../tools/node-flags.json' with { type: 'json' }
import { freePort } from './free-port.ts'

/** The product as a separate process, like `npm start`. */
export type Product = {
  address: string
  pid: number
  readyMs: number
  rssMb: () => Promise<number>
  stop: () => Promise<void>
  /** Kills it, as in a power failure. Its database keeps running until the next start takes it over. */
  kill: () => Promise<void>
}

/**
 * Starts it with a home folder and waits until it reports that it is ready.
 * @param within a command that executes the command line after it in its own process.
 * @param environment more settings.
 */
export async function startProduct(
  home: string,
  within: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const startedAt = performance.now()
  const port = await freePort()
  const [command, ...line] = [...within, process.execPath, ...flags, 'src/server/main.ts']
  const child = spawn(command, line, {
    env: {
      ...process.env,
      FORECOURT_HOME: home,
      PORT: String(port),
      FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '1000000',
      // Where tests set the clock: all processes share it, and a restart doesn't set it back.
      ...(process.env.FORECOURT_CLOCK && { FORECOURT_CLOCK: clock.date().toISOString() }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await waitForLine(child, /^Forecourt is ready/)
  // A process whose log no one reads stops when the pipe is full.
  child.stdout?.resume()
  return {
    address: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    rssMb: () => residentMb(child.pid ?? 0),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  }
}

/** Runs work with a product started only for it, so that nothing else affects the measurement. */
export async function onProduct<T>(home: string, work: (product: Product) => Promise<T>): Promise<T> {
  const product = await startProduct(home)
  try {
    return await work(product)
  } finally {
    await product.stop()
  }
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function waitForLine(child: ChildProcess, pattern: RegExp): Promise<void> {
  if (child.stdout === null) throw new Error('The product has no output.')
  for await (const line of createInterface({ input: child.stdout })) if (pattern.test(line)) return
  throw new Error('The product ended before it was ready.')
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
