import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { Counted } from '#contract/lists/counted.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** The files of the report. */
export const RESPONSE_FILES = ['csv', 'xlsx'] as const

/** A number of leads. Its path opens those of them that still exist; null: there are none. `deleted`: how many don't. */
const LeadFigure = Counted.extend({ deleted: z.number().int() })
export type ReportedLeads = z.infer<typeof LeadFigure>

/** Response times count only while the lot was open. Test leads, duplicates and leads in quarantine don't count. */
const ResponseFigures = z.object({
  leads: LeadFigure,
  /** By a message that arrived or a call that reached someone. */
  answered: LeadFigure,
  /** Not answered and not closed. */
  waiting: LeadFigure,
  /** Without a response at their deadline: answered or closed after it, or still waiting. */
  late: LeadFigure,
  /** A manager was told or got the lead, because it wasn't accepted or answered in time. */
  escalated: LeadFigure,
  sold: LeadFigure,
  lost: LeadFigure,
  medianSeconds: z.number().int().nullable(),
  /** Nine of ten answered leads were answered within it. */
  p90Seconds: z.number().int().nullable(),
  /** Answered within five minutes, of all answered. Between 0 and 1. */
  shareUnderFive: z.number().nullable(),
})
const NamedFigures = ResponseFigures.extend({ id: z.string().nullable(), name: z.string() })
export type ResponseFigures = z.infer<typeof ResponseFigures>
export type NamedFigures = z.infer<typeof NamedFigures>

const LeadReport = z.object({
  total: ResponseFigures,
  /** By which the days of the period begin: that of the current organization. */
  zone: z.string(),
  byLot: z.array(NamedFigures),
  /** By who answered the leads first; those that wait, by who owns them now. */
  byUser: z.array(NamedFigures),
  bySource: z.array(NamedFigures),
})
export type LeadReport = z.infer<typeof LeadReport>

const asked = {
  from: z.iso.date('Enter a date such as 2026-11-01.'),
  to: z.iso.date('Enter a date such as 2026-11-30.'),
  /** Leads of this store only. */
  lotId: Id.optional(),
}

export const leadResponses = {
  get: endpoint({
    method: 'GET',
    path: '/api/customers/get-lead-responses',
    allow: can(Func.leads, Opr.list),
    summary:
      'Returns how fast the leads of a period were answered: median, 90th percentile and share under five minutes in opening hours, and how many wait, were late or escalated, by lot, person and source.',
    input: z.strictObject(asked),
    output: LeadReport,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/customers/export-lead-responses',
    kind: 'download',
    allow: can(Func.leads, Opr.export),
    summary: 'Downloads the response report as CSV or XLSX, with times in minutes.',
    input: z.strictObject({ ...asked, format: z.enum(RESPONSE_FILES).optional().default('csv') }),
  }),
}
