import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { lots } from '#contract/customers/lots/lots.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { send } from './buyers.ts'
import { call, type Session } from './calling.ts'

// What Harbor, the customer that disturbs others, sets up.

const SITE = 'harbor.localhost'

/** A photo host that accepts connections and never answers. */
export async function startHangingHost(certificate: { cert: string; key: string }) {
  const hanging: ServerResponse[] = []
  const server: Server = createServer(certificate, (_, response) => hanging.push(response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, hanging, close: () => server.close().closeAllConnections() }
}

/** Gives a vehicle photos on a host at this port. @returns their paths on Harbor's site */
export async function publishPhotosAt(
  harbor: Session,
  id: string,
  { port, count }: { port: number; count: number },
): Promise<string[]> {
  const { version } = await call(harbor, vehicles.get, { id })
  const photos = Array.from({ length: count }, (_, n) => ({
    kind: 'address' as const,
    place: `https://localhost:${port}/${n}.png`,
    alt: '',
  }))
  await call(harbor, vehicles.update, { id, version, photos })
  const { location = '' } = await send(harbor.product.address, `/v/x-${id}`, { host: SITE })
  const { text } = await send(harbor.product.address, location, { host: SITE })
  return [...new Set(text.match(/\/feeds\/pictures\/[\w-]+/g))]
}

/** Opens an address for leads. @returns the path that its emails are posted to */
export async function openMailbox(harbor: Session): Promise<string> {
  const { results } = await call(harbor, lots.list, { page: 1 })
  const input = { label: 'Noise', sourceName: 'Noise', lotId: results?.[0]?.id ?? '' }
  const { id } = await call(harbor, inboundAddresses.add, input)
  return (await call(harbor, inboundAddresses.renewUrls, { id })).mailPath
}
