import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'

export type Address = { host: string; port: number; isSocket: boolean }

const SOCKET_PORT = 5432
/** The system allows 107 bytes on Linux and 103 on macOS for a socket's path. */
const SOCKET_PATH_LIMIT = 100

/** Where the server listens: a socket in the folder, or a free port of this machine where the path is too long. */
export async function chooseAddress(folder: string): Promise<Address> {
  const path = join(folder, `.s.PGSQL.${SOCKET_PORT}`)
  if (process.platform !== 'win32' && Buffer.byteLength(path) < SOCKET_PATH_LIMIT) {
    return { host: folder, port: SOCKET_PORT, isSocket: true }
  }
  return { host: '127.0.0.1', port: await findFreePort(), isSocket: false }
}

/** A port that nobody listens on at this moment. */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port was found on 127.0.0.1.')
  return address.port
}
