import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { failureOf, headersOf, notReached, withBearer } from './client.ts'
import { markStale } from './query.ts'
import { isRecord, parseRecord } from './read-json.ts'

/** An endpoint that takes files. */
type UploadEndpoint<I extends z.ZodType, O extends z.ZodType> = Endpoint<I, O, Endpoint['allow'], 'upload'>

/** `onSent`: the number of bytes sent so far. `bearer` replaces the session's token. */
type Options = { signal: AbortSignal; onSent: (bytes: number) => void; bearer?: string }

/**
 * Uploads files, with the fields of `input` before them. What the endpoint declares to change is read again. Throws a CallFailure; an aborted call throws the signal's
 * reason. Uses XMLHttpRequest, because fetch doesn't report upload progress.
 */
export async function upload<I extends z.ZodType, O extends z.ZodType>(
  endpoint: UploadEndpoint<I, O>,
  input: z.input<I>,
  files: readonly File[],
  options: Options,
): Promise<z.output<O>> {
  const own = options.bearer === undefined ? {} : { bearer: options.bearer }
  const data = await withBearer(endpoint, own, async (bearer) => {
    const request = await send(endpoint, bodyOf(input, files), bearer, options)
    const answer = parseRecord(request.responseText)
    if (request.status === 200 && answer?.['status'] === true) {
      const parsed = endpoint.output.safeParse(answer['data'])
      if (parsed.success) return parsed.data
    }
    const headers = new Headers()
    const requestId = request.getResponseHeader('x-request-id')
    if (requestId !== null) headers.set('x-request-id', requestId)
    throw failureOf({ ok: request.status === 200, status: request.status, headers }, answer)
  })
  markStale(endpoint)
  return data
}

function bodyOf(input: unknown, files: readonly File[]): FormData {
  const body = new FormData()
  // Multipart fields are text only.
  for (const [name, value] of Object.entries(isRecord(input) ? input : {})) {
    if (typeof value === 'string') body.append(name, value)
  }
  for (const file of files) body.append('files', file, file.name)
  return body
}

function send(
  endpoint: Endpoint,
  body: FormData,
  bearer: string,
  { signal, onSent }: Options,
): Promise<XMLHttpRequest> {
  return new Promise((answered, failed) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(endpoint.method, endpoint.path)
    for (const [name, value] of headersOf(endpoint, bearer)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('load', () => answered(request))
    request.addEventListener('error', () => failed(notReached()))
    request.addEventListener('abort', () => failed(signal.reason))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    if (signal.aborted) failed(signal.reason)
    else request.send(body)
  })
}
