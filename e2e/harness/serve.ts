// Serves the product in a separate process, one world after another, each with its own settings, database and home.
// Restarting inside the process avoids reloading the code, which is the most expensive part.
import { z } from 'zod'
import { addDemoEvidence } from '../../demo/demo-evidence.ts'
import { addDemoFiles } from '../../demo/demo-files.ts'
import { clock } from '#server/clock.ts'
import { readSettings } from '#server/environment.ts'
import { run, type Running } from '#server/run.ts'

/** `environment`: null stops the current world. `isFirst`: the demo world's files don't exist yet. */
const Order = z.object({
  number: z.number(),
  environment: z.record(z.string(), z.string()).nullable(),
  clock: z.string(),
  isFirst: z.boolean(),
})
export type Order = z.infer<typeof Order>
export type Answer = { number: number; address: string; failure: string | null }

let running: Running | null = null

async function carryOut({ environment, clock: start, isFirst }: Order): Promise<string> {
  await running?.stop()
  running = null
  if (environment === null) return ''
  clock.set(start)
  const say = (line: string): void => console.log(line)
  running = await run(readSettings(environment), say, async (_, asOwner, __, storage) => {
    if (!isFirst) return
    await addDemoFiles(asOwner, storage)
    await addDemoEvidence(asOwner, storage)
  })
  return running.address
}

process.on('message', (message) => {
  const order = Order.parse(message)
  const answer = (rest: Omit<Answer, 'number'>) => process.send?.({ number: order.number, ...rest })
  carryOut(order).then(
    (address) => answer({ address, failure: null }),
    (error: unknown) =>
      answer({
        address: '',
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
  )
})
process.on('disconnect', () => {
  // The parent process is gone; its database server removes the databases.
  process.exit(0)
})
