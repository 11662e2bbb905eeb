import { createSocket } from 'node:dgram'

/** A name server on this machine that knows some TXT records, and says of every other name that it is not there. */
export type NameServer = {
  /** With its port, as settings name it. */
  address: string
  /** Texts by name; a test changes them. */
  texts: Map<string, string[]>
  /** From now on nothing is answered. */
  hush: () => void
  close: () => Promise<void>
}

const FLAGS_FOUND = 0x8580
const FLAGS_NOT_THERE = 0x8583
const HEAD = 12

/** Speaks as much of RFC 1035 as a question for TXT takes. */
export async function startNameServer(): Promise<NameServer> {
  const texts = new Map<string, string[]>()
  let isHushed = false
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    if (!isHushed) socket.send(answerTo(query, texts), from.port, from.address)
  })
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    hush: () => {
      isHushed = true
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

/** Points to the name of the question; type TXT, class IN, a minute to live. */
function recordOf(text: string): Buffer {
  const parts = (text.match(/.{1,200}/g) ?? []).map((part) =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
  )
  const data = Buffer.concat(parts)
  const head = Buffer.from([0xc0, HEAD, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
