import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { address, failureOf, headersOf, notReached, withBearer } from './client.ts'
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
  const data = await sendBody(endpoint, { url: endpoint.path, body: bodyOf(input, files) }, options)
  markStale(endpoint)
  return data
}

/** Sends bytes as the whole body, with `input` in the address. Throws as `upload` does. */
export function uploadBytes<I extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<I, O, Endpoint['allow'], 'raw'>,
  input: z.input<I>,
  bytes: Blob,
  options: Options,
): Promise<z.output<O>> {
  return sendBody(endpoint, { url: address(endpoint, input).url, body: bytes }, options)
}

type Request = { url: string; body: FormData | Blob }

function sendBody<O extends z.ZodType>(
  endpoint: Endpoint<z.ZodType, O>,
  sent: Request,
  options: Options,
): Promise<z.output<O>> {
  const own = options.bearer === undefined ? {} : { bearer: options.bearer }
  return withBearer(endpoint, own, async (bearer) => {
    const request = await send(endpoint, sent, bearer, options)
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
  { url, body }: Request,
  bearer: string,
  { signal, onSent }: Options,
): Promise<XMLHttpRequest> {
  return new Promise((answered, failed) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(endpoint.method, url)
    if (body instanceof Blob) request.setRequestHeader('content-type', 'application/octet-stream')
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
