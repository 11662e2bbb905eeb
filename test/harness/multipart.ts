import { randomUUID } from 'node:crypto'

type Part = { name: string; bytes: Buffer | string; type?: string }

/** A multipart body: the fields, followed by the files, all named `files`. */
export function multipart(
  fields: Readonly<Record<string, unknown>>,
  files: readonly Part[],
): { payload: Buffer; headers: { 'content-type': string } } {
  const boundary = `----${randomUUID()}`
  const parts = [
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
      ),
    ),
    ...files.flatMap(({ name, bytes, type = 'application/octet-stream' }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
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
export const anyFile = (): Part => ({ name: `${randomUUID()}.txt`, bytes: 'Hello.' })
