import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'

export type Address = { host: string; port: number; isSocket: boolean }

const SOCKET_PORT = 5432
/** A socket path can have at most 107 bytes on Linux and 103 on macOS. */
const SOCKET_PATH_LIMIT = 100

/** The address for the server: a socket in the folder, or a free local port if the path is too long. */
export async function chooseAddress(folder: string): Promise<Address> {
  const path = join(folder, `.s.PGSQL.${SOCKET_PORT}`)
  if (process.platform !== 'win32' && Buffer.byteLength(path) < SOCKET_PATH_LIMIT) {
    return { host: folder, port: SOCKET_PORT, isSocket: true }
  }
  return { host: '127.0.0.1', port: await findFreePort(), isSocket: false }
}

/** A port that is free right now. */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port on 127.0.0.1.')
  return address.port
}
