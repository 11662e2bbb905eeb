import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { findPublicAddress } from '#server/outside/public-address.ts'
import { requireOutgoing } from '#server/outside/restored-copy.ts'

// An endpoint that hangs or responds byte by byte must not delay the others.
const STEP_MS = 5_000
const TOTAL_MS = 15_000
/** How much of a response is read and kept. */
const MAX_RESPONSE = 1_000

/** `gone`: the receiver said that the endpoint no longer exists (HTTP 410). */
export type WebhookOutcome = Readonly<{
  kind: 'delivered' | 'failed' | 'gone'
  /** Null if no response was received. */
  status: number | null
  /** The beginning of the response, or why there is none. */
  response: string
}>

/**
 * Posts a signed call. Only a status from 200 to 299 counts as delivered. Redirects are not followed, so that none leads to
 * another server, and an address that is not on the public internet is refused unless `allowsPrivate`. The name is resolved
 * once, and exactly that address is used. Never throws.
 */
export async function postWebhook(
  url: string,
  { body, headers, allowsPrivate }: { body: string; headers: Record<string, string>; allowsPrivate: boolean },
): Promise<WebhookOutcome> {
  try {
    await requireOutgoing()
    const { hostname, host, port, pathname, search } = new URL(url)
    const name = hostname.replace(/^\[|\]$/g, '')
    const address = allowsPrivate ? (await lookup(name)).address : await findPublicAddress(name, STEP_MS)
    return await new Promise<WebhookOutcome>((resolve, reject) => {
      const call = request(
        {
          host: address,
          port: port === '' ? 443 : Number(port),
          path: `${pathname}${search}`,
          method: 'POST',
          agent: false,
          timeout: STEP_MS,
          signal: AbortSignal.timeout(TOTAL_MS),
          ...(isIP(name) === 0 && { servername: name }),
          headers: {
            ...headers,
            host,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Forecourt',
          },
        },
        (response) => {
          const status = response.statusCode ?? 0
          let text = ''
          const end = (): void => {
            response.destroy()
            resolve({ kind: kindOf(status), status, response: responseText(status, text) })
          }
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
            if (text.length >= MAX_RESPONSE) end()
          })
          response.on('end', end)
          // The status counts, even if the rest of the response is lost.
          response.on('error', end)
        },
      )
      call.on('error', reject)
      call.on('timeout', () => call.destroy(new Error('The server is not responding.')))
      call.end(body)
    })
  } catch (error) {
    return { kind: 'failed', status: null, response: reasonOf(error) }
  }
}

function kindOf(status: number): WebhookOutcome['kind'] {
  if (status >= 200 && status < 300) return 'delivered'
  return status === 410 ? 'gone' : 'failed'
}

function responseText(status: number, text: string): string {
  if (status >= 300 && status < 400) return `Status ${status}. Redirects are not followed.`
  const shown = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, '')
    .trim()
  return shown === ''
    ? `Status ${status}.`
    : `Status ${status}: ${shown.slice(0, MAX_RESPONSE).toWellFormed()}`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'The server is not responding.'
  return error.message.slice(0, 300)
}
