import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { files, MEDIA_CONTAINER } from '#contract/files/files.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { reports } from '#contract/reports/reports.ts'
import type { Session } from '../calling.ts'
import { openingOf, uploadHeaders } from './sending.ts'

/** Clients that hold connections until `leave` is called, or until the server closes them. */
export type Callers = { answered: () => number; hungUp: () => number; leave: () => void }

const ANNOUNCED = 100_000_000
const SENT = Buffer.alloc(10_000, 7)
const READ_MS = 1_000

/** Uploads that send the headers and the first bytes of a file, and then nothing. */
export async function parkUploads(session: Session, count: number): Promise<Callers> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const socket = await dial(session)
      socket.write(headOf('POST', files.upload.path, session, uploadHeaders(session, ANNOUNCED)))
      socket.write(openingOf(`parked-${at}.bin`))
      socket.write(SENT)
      return socket
    }),
  )
  return callers(sockets)
}

/** Downloads of a file that are read very slowly. */
export async function readFileSlowly(session: Session, path: string, count: number): Promise<Callers> {
  const url = `${files.download.path}?${new URLSearchParams({ container: MEDIA_CONTAINER, path })}`
  return readSlowly(session, count, headOf('GET', url, session, {}))
}

/** Vehicle exports that are read very slowly. Each holds a database connection. */
export async function readExportSlowly(session: Session, count: number): Promise<Callers> {
  const columns = Object.keys(VEHICLE_LIST.fields).filter((name) => name !== 'cost')
  const body = JSON.stringify({ list: VEHICLE_LIST.key, format: 'csv', columns })
  const head = headOf('POST', reports.exportList.path, session, {
    'content-type': 'application/json',
    'content-length': String(body.length),
  })
  return readSlowly(session, count, head + body)
}

async function readSlowly(session: Session, count: number, requestText: string): Promise<Callers> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await dial(session)
      socket.write(requestText)
      socket.on('data', () => {
        socket.pause()
        setTimeout(() => socket.resume(), READ_MS)
      })
      await once(socket, 'data')
      return socket
    }),
  )
  return callers(sockets)
}

async function dial({ product }: Session): Promise<Socket> {
  const { hostname, port } = new URL(product.address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => {})
  return socket
}

function headOf(method: string, url: string, session: Session, more: Record<string, string>): string {
  const headers = {
    host: new URL(session.product.address).host,
    authorization: `Bearer ${session.token}`,
    ...more,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

function callers(sockets: readonly Socket[]): Callers {
  return {
    answered: () => sockets.filter(({ bytesRead }) => bytesRead > 0).length,
    hungUp: () => sockets.filter(({ closed }) => closed).length,
    leave: () => sockets.forEach((socket) => socket.destroy()),
  }
}
