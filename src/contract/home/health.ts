import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const health = {
  live: endpoint({
    method: 'GET',
    path: '/healthz',
    kind: 'probe',
    allow: 'anyone',
    summary: 'Answers 200 when the product is ready, 503 with the reason when its database is not.',
    output: z.object({ status: z.literal('ok'), database: z.enum(['embedded', 'external']) }),
  }),
}
