import { createSocket } from 'node:dgram'

/** A local DNS server with some TXT records. All other names do not exist. */
export type FakeDnsServer = {
  /** The address with its port, as in the settings. */
  address: string
  /** The texts by name. Tests change them. */
  texts: Map<string, string[]>
  /** Stops answering queries. */
  stopAnswering: () => void
  close: () => Promise<void>
}

const FLAGS_FOUND = 0x8580
const FLAGS_NOT_THERE = 0x8583
const HEAD = 12

/** Implements the part of RFC 1035 needed for TXT queries. */
export async function startFakeDnsServer(): Promise<FakeDnsServer> {
  const texts = new Map<string, string[]>()
  let isSilent = false
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    if (!isSilent) socket.send(answerTo(query, texts), from.port, from.address)
  })
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    stopAnswering: () => {
      isSilent = true
    },
    close: () => new Promise((closed) => socket.close(() => closed())),
  }
}

function answerTo(query: Buffer, texts: ReadonlyMap<string, string[]>): Buffer {
  const labels: string[] = []
  let at = HEAD
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const question = query.subarray(HEAD, at + 5)
  const found = texts.get(labels.join('.').toLowerCase())
  const head = Buffer.alloc(HEAD)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(found === undefined ? FLAGS_NOT_THERE : FLAGS_FOUND, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(found?.length ?? 0, 6)
  return Buffer.concat([head, question, ...(found ?? []).map(recordOf)])
}

/** A pointer to the queried name, type TXT, class IN, TTL one minute. */
function recordOf(text: string): Buffer {
  const parts = (text.match(/.{1,200}/g) ?? []).map((part) =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
  )
  const data = Buffer.concat(parts)
  const head = Buffer.from([0xc0, HEAD, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
