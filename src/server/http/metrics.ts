import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isLoopbackHost } from '#server/environment.ts'
import { addressNotFound } from './errors.ts'
import type { RequestSummary } from './request-log.ts'

/** In seconds. Most responses take a few milliseconds; none takes much longer than ten seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Any of these headers means a proxy is in between, so the request may come from outside. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

export type GaugeSource = {
  name: string
  help: string
  label: string
  /** The values by label, read on each scrape. */
  read: () => Promise<Record<string, number>> | Record<string, number>
}

export type Metrics = { count: (request: RequestSummary) => void }

/**
 * Serves `/metrics` for Prometheus to requests from this machine, or with the bearer token. The figures are about the
 * installation, never about a customer.
 */
export function serveMetrics(
  app: FastifyInstance,
  { gauges, token }: { gauges: readonly GaugeSource[]; token: string | null },
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'forecourt_request_seconds',
    help: 'Request duration in seconds, by endpoint and status.',
    labelNames: ['method', 'endpoint', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  for (const { name, help, label, read } of gauges) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        gauge.reset()
        for (const [value, number] of Object.entries(await readOrNone(read)))
          gauge.set({ [label]: value }, number)
      },
    })
  }
  app.get('/metrics', async (request, reply) => {
    // Everyone else gets a 404, as if the address did not exist.
    if (!isFromOperator(request, token)) throw addressNotFound()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return {
    count: ({ method, endpoint, status, seconds }) =>
      requests.observe({ method, endpoint, status: String(status) }, seconds),
  }
}

/** A figure that can't be read, as while the database is down, is left out: the others are needed most at that time. */
async function readOrNone(read: GaugeSource['read']): Promise<Record<string, number>> {
  try {
    return await read()
  } catch {
    return {}
  }
}

/** Whether a request comes from this machine, or has the operator's token: it may see what is wrong with the installation. */
export const isFromOperator = (request: FastifyRequest, token: string | null): boolean =>
  isFromThisMachine(request) || hasToken(request, token)

function isFromThisMachine(request: FastifyRequest): boolean {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  return (
    isLoopbackHost(request.socket.remoteAddress ?? '') &&
    isLoopbackHost(host) &&
    FORWARDED.every((name) => request.headers[name] === undefined)
  )
}

function hasToken(request: FastifyRequest, token: string | null): boolean {
  const [, sent] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === null || sent === undefined) return false
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(sent), hash(token))
}
