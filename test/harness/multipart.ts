import { randomUUID } from 'node:crypto'

/** `field`: the input; `files` if absent. */
export type SentPart = { name: string; bytes: Buffer | string; type?: string; field?: string }

/** A multipart body: the fields, followed by the files. */
export function multipart(
  fields: Readonly<Record<string, unknown>> | readonly (readonly [string, string])[],
  files: readonly SentPart[],
): { payload: Buffer; headers: { 'content-type': string } } {
  const boundary = `----${randomUUID()}`
  const parts = [
    ...(Array.isArray(fields) ? fields : Object.entries(fields)).map(([name, value]) =>
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
      ),
    ),
    ...files.flatMap(({ name, bytes, type = 'application/octet-stream', field = 'files' }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
      ),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ]),
  ]
  return {
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** A file with a unique name. */
export const anyFile = (): SentPart => ({ name: `${randomUUID()}.txt`, bytes: 'Hello.' })
