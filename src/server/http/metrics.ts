import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isLoopbackHost } from '#server/environment.ts'
import { nothingHere } from './errors.ts'
import type { Seen } from './request-log.ts'

/** Seconds. Most answers take some milliseconds; what takes longer than ten seconds is over anyway. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** With one of these a proxy stands in between, and whoever asks it may be a stranger. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

export type GaugeSource = {
  name: string
  help: string
  label: string
  /** The values by label, asked when somebody looks. */
  read: () => Promise<Record<string, number>> | Record<string, number>
}

export type Metrics = { count: (seen: Seen) => void }

/**
 * Serves `/metrics` for Prometheus: from this machine itself, or with the token as a bearer. Numbers of the installation
 * alone, never a customer's.
 */
export function serveMetrics(
  app: FastifyInstance,
  { gauges, token }: { gauges: readonly GaugeSource[]; token: string | null },
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'forecourt_request_seconds',
    help: 'Requests by call and status, with the seconds they took.',
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
        for (const [value, number] of Object.entries(await read())) gauge.set({ [label]: value }, number)
      },
    })
  }
  app.get('/metrics', async (request, reply) => {
    // To everybody else there is nothing at this address.
    if (!isFromHere(request) && !hasToken(request, token)) throw nothingHere()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return {
    count: ({ method, endpoint, status, seconds }) =>
      requests.observe({ method, endpoint, status: String(status) }, seconds),
  }
}

function isFromHere(request: FastifyRequest): boolean {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  return (
    isLoopbackHost(request.socket.remoteAddress ?? '') &&
    isLoopbackHost(host) &&
    FORWARDED.every((name) => request.headers[name] === undefined)
  )
}

function hasToken(request: FastifyRequest, token: string | null): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === null || given === undefined) return false
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(token))
}
