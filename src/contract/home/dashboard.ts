import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../fields.ts'
import { CurrentInventory, DuePoints } from '../carbon/results/due-points.ts'
import { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { Organization } from '../organizations/organizations.ts'
import { Counted } from '../lists/counted.ts'
import { can, Func, Opr } from '../permissions.ts'

const count = z.number().int()

/** An entry of "Latest changes": who did what to which record. */
export const Change = z.object({
  id: z.string(),
  at: Instant,
  /** The user who made the change; null if the product did. */
  actor: z.string().nullable(),
  /** The impersonated user, if any. */
  onBehalfOf: z.string().nullable(),
  action: z.enum(['added', 'changed', 'deleted']),
  /** "lot", "organization": the glossary term. */
  kind: z.string(),
  subject: z.string(),
  /** The path of the record; null if it was deleted or has no page. */
  url: z.string().nullable(),
})
export type Change = z.infer<typeof Change>

/** A number of rows that need a decision, with a link to exactly these rows. */
export const Decision = z.object({
  id: z.string(),
  tone: z.enum(['bad', 'warn', 'info']),
  /** Null: counting takes too long. */
  count: count.nullable(),
  /** After the count: "feeds need a review". */
  noun: z.string(),
  /** The values with the most rows, descending: by lot, reason or facility. The label is null for rows without a value. */
  groups: z.array(z.object({ label: z.string().nullable(), count })),
  /** The path of the list with its filter. */
  url: z.string(),
})
export type Decision = z.infer<typeof Decision>

/** Market-based emissions, and the path of the results that add up to them. */
export const EmissionLine = z.object({
  /** kg CO2e. Null: there are no results. */
  kg: z.string().nullable(),
  /** Results that couldn't be calculated. If above 0, `kg` is a minimum. */
  missing: count,
  /** Null: the caller can't open it. */
  url: z.string().nullable(),
})
export type EmissionLine = z.infer<typeof EmissionLine>

/** What a new company sets up first, in this order. The last two are the platform's. */
export const FIRST_STEPS = [
  'details',
  'lots',
  'people',
  'feed',
  'mail',
  'domain',
  'inventory',
  'address',
  'customer',
] as const

export const dashboard = {
  get: endpoint({
    method: 'GET',
    path: '/api/home/dashboard',
    allow: can(Func.dashboard, Opr.list),
    summary:
      'Returns the organization, its lot figures, what is due in assessments, and the latest changes the caller can see.',
    output: z.object({
      organization: Organization,
      /** Null if the caller can't list lots. */
      lots: z
        .object({
          total: Counted,
          /** Visible to buyers: on public pages, and not of an archived organization. */
          public: Counted,
          byType: z.array(z.object({ type: z.string(), count: z.number().int() })),
          byOrganization: z.array(z.object({ id: z.string(), name: z.string(), count: z.number().int() })),
          withoutAddress: Counted,
        })
        .nullable(),
      /** What is due in open assessments. Null if the caller can't list them. */
      assessments: z
        .object({
          /** Targets that wait for answers after their due date. */
          overdue: count,
          /** Targets that wait for answers and are due within seven days. */
          dueSoon: count,
          /** Submitted targets that wait for a reviewer. Null if the caller doesn't review. */
          toReview: count.nullable(),
          /** The open assessments that wait for answers, by their earliest due date; at most five. */
          next: z.array(
            z.object({
              id: z.string(),
              name: z.string(),
              dueOn: z.string(),
              waiting: count,
              overdue: Counted,
            }),
          ),
        })
        .nullable(),
      changes: z.array(Change),
      /**
       * The first steps that the caller can take for the whole customer, with those that are done. Empty as soon as all are, and
       * for callers who reach only one organization.
       */
      firstSteps: z.array(z.object({ step: z.enum(FIRST_STEPS), isDone: z.boolean() })),
    }),
  }),
  decisions: endpoint({
    method: 'GET',
    path: '/api/home/dashboard-decisions',
    allow: can(Func.dashboard, Opr.list),
    summary:
      'Returns what the caller needs to act on, most urgent first, as row counts of lists that they can open.',
    output: z.array(Decision),
  }),
  carbon: endpoint({
    method: 'GET',
    path: '/api/home/dashboard-carbon',
    allow: can(Func.carbonInsights, Opr.list),
    summary:
      'Returns the emissions of the current inventory to date and its data points by facility and month; null without an inventory.',
    output: z
      .object({
        inventory: CurrentInventory,
        total: Totals.shape.total,
        scopes: Totals.shape.scopes,
        gaps: Totals.shape.gaps,
        pending: count,
        points: DuePoints,
        lines: z.object({
          all: EmissionLine,
          scope1: EmissionLine,
          scope2: EmissionLine,
          scope3: EmissionLine,
        }),
      })
      .nullable(),
  }),
  stock: endpoint({
    method: 'GET',
    path: '/api/home/dashboard-stock',
    allow: can(Func.vehicles, Opr.list),
    summary: 'Returns inventory figures: vehicles in stock, published, not for sale and by age.',
    output: z.object({
      /** What each word means: `STOCK_RULES`. */
      inStock: Counted,
      live: Counted,
      published: Counted,
      /** For sale, but something keeps buyers from seeing them. */
      hidden: Counted,
      notForSale: Counted.extend({ incoming: count, preparing: count, hold: count }),
      pending: count,
      /** Of vehicles with a known arrival date (`dated`); null if there are none. */
      medianDays: z.number().nullable(),
      dated: Counted,
      over90: Counted,
      /** The lots with vehicles in stock, by number of vehicles, descending. */
      lots: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          inStock: count,
          /** By days in stock: 0-30, 31-60, 61-90, over 90. Vehicles without an arrival date are not counted. */
          ages: z.tuple([count, count, count, count]),
        }),
      ),
    }),
  }),
}
