import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../fields.ts'
import { can, Func, Opr } from '../permissions.ts'

/** One part of the installation. It tells nothing of any customer. */
export const HealthCheck = z.object({
  name: z.enum(['database', 'mail', 'storage', 'jobs']),
  /** `off`: there is none, on purpose. `late`: it works, but somebody waits. `scarce`: it works, but not for long. */
  state: z.enum(['ok', 'off', 'late', 'scarce', 'failed']),
  /** Since when it is so, as far as this server has seen; null where it always was. */
  since: Instant.nullable(),
  /** What it means, in one sentence. */
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
    summary: 'Answers 200 when the product is ready, 503 with the reason when its database is not.',
    output: z.object({ status: z.literal('ok'), database: z.enum(['embedded', 'external']) }),
  }),
  ready: endpoint({
    method: 'GET',
    path: '/readyz',
    kind: 'probe',
    allow: 'anyone',
    summary:
      'Answers 200 when requests may come: the database answers and has every migration; 503 otherwise, and before it stops.',
    output: z.object({ status: z.literal('ready') }),
  }),
  alive: endpoint({
    method: 'GET',
    path: '/livez',
    kind: 'probe',
    allow: 'anyone',
    summary: 'Answers 200 while the process works, whether or not its database answers: for who restarts it.',
    output: z.object({ status: z.literal('alive') }),
  }),
  system: endpoint({
    method: 'GET',
    path: '/api/administration/get-health',
    allow: can(Func.jobsAndHealth, Opr.read),
    // The store of files may be another machine.
    outside: true,
    summary: 'How the parts of the installation are, and what waits or failed within reach.',
    output: z.object({
      checkedAt: Instant,
      checks: z.array(HealthCheck),
      /** What the caller reaches; failures of the last seven days. */
      jobs: z.object({ waiting: count, running: count, failed: count }),
      mails: z.object({ waiting: count, failed: count }),
    }),
  }),
}
