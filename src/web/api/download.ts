import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { address, failureOf, request, withBearer } from './client.ts'
import { CallFailure } from './failure.ts'
import { parseRecord } from './read-json.ts'

/** An endpoint that returns a file. */
export type FileEndpoint<I extends z.ZodType> = Endpoint<
  I,
  z.ZodType,
  Endpoint['allow'],
  'download' | 'report'
>

/** `onBytes`: the number of bytes received so far. `bearer` replaces the session's token. */
type Options = { signal: AbortSignal; onBytes: (bytes: number) => void; bearer?: string }

/** The default name of a file. */
const DEFAULT_NAME = 'download'

/**
 * Downloads a file with the session's token, which a plain link can't send. Throws a CallFailure, also if the
 * download is interrupted (an aborted call throws the abort itself).
 */
export function download<I extends z.ZodType>(
  endpoint: FileEndpoint<I>,
  input: z.input<I>,
  options: Options,
): Promise<File> {
  const own = options.bearer === undefined ? {} : { bearer: options.bearer }
  return withBearer(endpoint, own, async (bearer) => {
    const response = await request(endpoint, address(endpoint, input), bearer, { signal: options.signal })
    if (!response.ok) throw failureOf(response, parseRecord(await response.text().catch(() => '')))
    const parts = await readParts(response, options)
    const type = response.headers.get('content-type') ?? ''
    return new File(parts, nameOf(response.headers.get('content-disposition')), { type })
  })
}

async function readParts(
  response: Response,
  { signal, onBytes }: Options,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const part = await reader?.read()
      if (part === undefined || part.done) return parts
      parts.push(part.value)
      bytes += part.value.length
      onBytes(bytes)
    }
  } catch (cause) {
    if (signal.aborted) throw cause
    // After the first bytes, the server can only abort the response.
    throw new CallFailure({
      kind: 'unreadable',
      message: 'The download was interrupted. Try again.',
      requestId: response.headers.get('x-request-id'),
    })
  }
}

/** The file name in `attachment; filename="a.csv"; filename*=UTF-8''a.csv`. */
export function nameOf(disposition: string | null): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? []
  if (encoded !== undefined) return decodeURIComponent(encoded)
  const [, plain] = /filename="([^"]+)"/i.exec(disposition ?? '') ?? []
  return plain ?? DEFAULT_NAME
}

/** Saves a file to the browser's download folder. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  // By then the browser has started reading it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
