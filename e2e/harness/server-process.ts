import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { z } from 'zod'
import flags from '../../tools/node-flags.json' with { type: 'json' }
import type { Order } from './serve.ts'

const project = resolve(import.meta.dirname, '../..')
const Answer = z.object({ number: z.number(), address: z.string(), failure: z.string().nullable() })

/** A process that serves the product, one world after another. */
export type ServerProcess = {
  /** Stops the current world and serves another one; returns its address. */
  open: (world: Omit<Order, 'number'>) => Promise<string>
  /** Stops the current world. */
  close: () => Promise<void>
  /** Its output so far. */
  output: () => string
  end: () => Promise<void>
}

/** Starts an idle server process. It stops with its parent process. */
export function startServerProcess(environment: Record<string, string> = {}): ServerProcess {
  const child = spawn(process.execPath, [...flags, 'e2e/harness/serve.ts'], {
    cwd: project,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => printed.push(String(text)))
  const output = () => printed.join('')
  let asked = 0
  const order = (world: Omit<Order, 'number'>) => {
    asked += 1
    return answerTo(child, { ...world, number: asked }, output)
  }
  return {
    open: order,
    close: async () => void (await order({ environment: null, clock: '', isFirst: false })),
    output,
    end: () =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done()
        child.once('exit', () => done())
        child.disconnect()
      }),
  }
}

function answerTo(child: ChildProcess, order: Order, output: () => string): Promise<string> {
  return new Promise((answered, failed) => {
    const settle = (conclude: () => void) => {
      child.off('message', onMessage)
      child.off('exit', onExit)
      conclude()
    }
    const onMessage = (message: unknown) => {
      const { number, address, failure } = Answer.parse(message)
      if (number !== order.number) return
      settle(() => (failure === null ? answered(address) : failed(new Error(`${failure}\n${output()}`))))
    }
    const onExit = () => settle(() => failed(new Error(`The product stopped:\n${output()}`)))
    child.on('message', onMessage)
    child.once('exit', onExit)
    child.send(order)
  })
}
