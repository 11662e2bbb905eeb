import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../fields.ts'
import { can, Func, Opr } from '../permissions.ts'

/** The health of one part of the installation; of emails and links, for the caller's customer. */
export const HealthCheck = z.object({
  name: z.enum(['database', 'mail', 'links', 'storage', 'jobs', 'server', 'outgoing']),
  /**
   * `off`: not set up, on purpose. `late`: working, with a backlog. `scarce`: working, but nearly out of space. `waits`: held back
   * until an operator decides.
   */
  state: z.enum(['ok', 'off', 'late', 'scarce', 'waits', 'failed']),
  /** Since when, as far as this server has observed; null if always. */
  since: Instant.nullable(),
  /** An explanation in one sentence. */
  sentence: z.string(),
})
export type HealthCheck = z.infer<typeof HealthCheck>

const count = z.number().int()

export const health = {
  live: endpoint({
    method: 'GET',
    path: '/healthz',
    kind: 'probe',
    allow: 'anyone',
    summary: 'Returns 200 while the process and its database respond, and 503 otherwise.',
    output: z.object({ status: z.literal('ok') }),
  }),
  ready: endpoint({
    method: 'GET',
    path: '/readyz',
    kind: 'probe',
    allow: 'anyone',
    summary:
      'Returns 200 when the server can take requests: its database responds and has every migration. Returns 503 otherwise, and before shutdown.',
    output: z.object({ status: z.literal('ready') }),
  }),
  alive: endpoint({
    method: 'GET',
    path: '/livez',
    kind: 'probe',
    allow: 'anyone',
    summary:
      'Returns 200 while the process runs, even if its database does not respond. For process supervisors.',
    output: z.object({ status: z.literal('alive') }),
  }),
  system: endpoint({
    method: 'GET',
    path: '/api/administration/get-health',
    allow: can(Func.jobsAndHealth, Opr.read),
    // File storage may be on another machine.
    outside: true,
    summary:
      "Returns the health of the installation, and the queued and failed jobs and emails within the caller's reach.",
    output: z.object({
      checkedAt: Instant,
      checks: z.array(HealthCheck),
      /** Within the caller's reach; failures of the last seven days. */
      jobs: z.object({ waiting: count, running: count, failed: count }),
      mails: z.object({ waiting: count, failed: count }),
    }),
  }),
}
