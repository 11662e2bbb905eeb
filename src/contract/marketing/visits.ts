import { z } from 'zod'

/** Days that visits and clicks are shown for, with today. */
export const VISIT_DAYS = 30

/** Visits by kind: `suspects` may be scanners, `bots` certainly are. */
const Counts = z.object({
  people: z.number().int(),
  suspects: z.number().int(),
  bots: z.number().int(),
})

/** The visits of a page, or the clicks on a short URL, of the last 30 days. */
export const Visits = z.object({
  total: Counts,
  /** Leads of these days that came by it, as far as the reader may see them. */
  leads: z.number().int(),
  /** Each of the days, oldest first. */
  days: z.array(Counts.extend({ day: z.string() })),
})
export type Visits = z.infer<typeof Visits>
