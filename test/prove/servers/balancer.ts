import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

/** A process behind the load balancer. `address` is null if it is not running. */
export type Slot = { address: string | null; isReady: boolean; agent: Agent }

export type Balancer = {
  address: string
  slots: readonly Slot[]
  /** The number of requests that no process answered. */
  lost: () => number
  close: () => Promise<void>
}

const POLL_MS = 1_000

/**
 * A load balancer for several processes: polls `/readyz` of each every second and distributes requests round-robin to those
 * that answer 200, over persistent connections and without retries.
 */
export async function startBalancer(slots: number): Promise<Balancer> {
  const all = Array.from({ length: slots }, (): Slot => ({
    address: null,
    isReady: false,
    agent: new Agent({ keepAlive: true }),
  }))
  let turn = 0
  let lost = 0
  const poll = setInterval(() => {
    for (const slot of all) void checkReadiness(slot)
  }, POLL_MS)
  const server = createServer((from, to) => {
    const ready = all.filter(({ isReady }) => isReady)
    turn += 1
    const slot = ready[turn % Math.max(1, ready.length)]
    const fail = () => {
      lost += 1
      to.destroy()
    }
    if (slot === undefined) return fail()
    return forward(slot, { from, to, fail })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('The balancer has no address.')
  return {
    address: `http://127.0.0.1:${at.port}`,
    slots: all,
    lost: () => lost,
    async close() {
      clearInterval(poll)
      for (const { agent } of all) agent.destroy()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function checkReadiness(slot: Slot): Promise<void> {
  if (slot.address === null) return
  const answer = await fetch(`${slot.address}/readyz`, { signal: AbortSignal.timeout(POLL_MS) }).catch(
    () => null,
  )
  await answer?.body?.cancel()
  slot.isReady = answer?.status === 200
}

type Exchange = { from: IncomingMessage; to: ServerResponse; fail: () => void }

function forward(slot: Slot, { from, to, fail }: Exchange): void {
  const onward = request(`${slot.address}${from.url}`, {
    method: from.method,
    headers: { ...from.headers, connection: 'keep-alive' },
    agent: slot.agent,
  })
  onward.once('response', (answer) => {
    const { connection: _, ...headers } = answer.headers
    to.writeHead(answer.statusCode ?? 502, headers)
    answer.once('error', fail).pipe(to)
  })
  onward.once('error', fail)
  from.pipe(onward)
}
