import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Connection } from '#server/database/connect.ts'

/** Something between the product and its database that fails as networks and servers do. */
export type DatabaseProxy = Readonly<{
  /** For the product's pools. */
  login: Connection
  /** Nothing arrives anymore, and nothing is refused, as of a server that was stopped by SIGSTOP. */
  freeze: () => void
  /** Connections end and new ones are refused. */
  refuse: () => Promise<void>
  /** Connections end and new ones are accepted, as after a restart. */
  restart: () => void
  /** Works again. What was frozen arrives. */
  restore: () => Promise<void>
  close: () => Promise<void>
}>

/** A proxy for the database of a test. */
export async function openDatabaseProxy(target: Connection): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((client) => {
    const database = target.host.startsWith('/')
      ? connect(join(target.host, `.s.PGSQL.${target.port}`))
      : connect(target.port, target.host)
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one)
      one.on('data', (bytes) => other.write(bytes))
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      if (isFrozen) one.pause()
    }
  })
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const stopListening = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    cut()
    await closed
  }
  return {
    login: { ...target, host: '127.0.0.1', port },
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    refuse: stopListening,
    restart: cut,
    async restore() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
      if (!server.listening) await listen(port)
    },
    close: stopListening,
  }
}
