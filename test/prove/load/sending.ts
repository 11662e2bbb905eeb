import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { files, MEDIA_CONTAINER } from '#contract/files/files.ts'
import type { Session } from '../calling.ts'

const BOUNDARY = 'forecourt-proof'
const CHUNK = Buffer.alloc(1_048_576, 7)

/** The part of an upload body before the bytes of the file, including the fields. */
export function openingOf(name: string): string {
  const field = (word: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${word}"`
  return (
    `${field('container')}\r\n\r\n${MEDIA_CONTAINER}\r\n` +
    `${field('files')}; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  )
}
const CLOSING = `\r\n--${BOUNDARY}--\r\n`

export const uploadHeaders = ({ token }: Session, length: number): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  'content-length': String(length),
})

/** Uploads a file with this many bytes to the media folder. The bytes are generated while they are sent, to save memory. */
export async function sendFile(
  session: Session,
  name: string,
  bytes: number,
): Promise<{ status: number; message: string | null }> {
  const opening = openingOf(name)
  const sending = request(`${session.product.address}${files.upload.path}`, {
    method: files.upload.method,
    headers: uploadHeaders(session, Buffer.byteLength(opening) + bytes + CLOSING.length),
  })
  const response = new Promise<{ status: number; body: string }>((resolve, fail) => {
    sending.once('error', fail)
    sending.once('response', (message) => {
      text(message).then((body) => resolve({ status: message.statusCode ?? 0, body }), fail)
    })
  })
  // The error response may arrive before the last byte is sent. Only the response matters.
  const sent = pipeline(Readable.from(partsOf(opening, bytes)), sending).catch(() => {})
  const { status, body } = await response
  sending.destroy()
  await sent
  return { status, message: z.object({ message: z.string().nullable() }).parse(JSON.parse(body)).message }
}

function* partsOf(opening: string, bytes: number): Generator<Buffer> {
  yield Buffer.from(opening)
  for (let left = bytes; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, Math.min(left, CHUNK.length))
  yield Buffer.from(CLOSING)
}
