import autocannon from 'autocannon'

export type Load = { perSecond: number; p50: number; p99: number; failed: number }

/** Calls one URL for `seconds` at full speed with `connections`. Responses other than 2xx count as failed. */
export async function load(options: {
  url: string
  connections: number
  seconds: number
  token?: string
  body?: string
}): Promise<Load> {
  const { url, connections, seconds, token, body } = options
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return {
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
