import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** A facility whose base-year emissions would change, in kg CO2e, location-based. */
const ChangedFacility = z.object({
  facilityId: z.string(),
  facilityName: z.string(),
  before: z.string(),
  after: z.string(),
  /** Why it counts as it does now. */
  reason: z.string(),
})

/**
 * A change of a base year's total beyond its recalculation threshold: as approved, with the factors of today, and with the
 * factors and the boundary of today, in kg CO2e. GHG Protocol, Corporate Standard, chapter 5.
 */
export const BaseYearNotice = z.object({
  inventoryId: z.string(),
  inventoryName: z.string(),
  /** The day whose boundary was applied to the whole base year. */
  asOf: z.string(),
  location: z.string(),
  market: z.string(),
  newLocation: z.string(),
  newMarket: z.string(),
  /** Change of the location-based total in percent, with one decimal; null if it was 0. */
  percent: z.string().nullable(),
  marketPercent: z.string().nullable(),
  /** In percent. */
  threshold: z.string(),
  /** What changed, in sentences. */
  explanation: z.array(z.string()),
  facilities: z.array(ChangedFacility),
  raisedAt: Instant,
  dismissedAt: Instant.nullable(),
  dismissedBy: z.string().nullable(),
  dismissedReason: z.string().nullable(),
})
export type BaseYearNotice = z.infer<typeof BaseYearNotice>

export const BaseYearState = z.object({
  /** Null: no change beyond the threshold. */
  notice: BaseYearNotice.nullable(),
  /** A change is being checked. */
  isPending: z.boolean(),
})

export const baseYear = {
  get: endpoint({
    method: 'GET',
    path: '/api/carbon/get-base-year-notice',
    allow: {
      anyOf: [can(Func.carbonInsights, Opr.list), can(Func.carbonStart, Opr.read)],
    },
    summary:
      "Returns the recalculation notice of a base year: how much its total would change with today's boundary and factors, if that is more than its threshold.",
    input: z.strictObject({ inventory: Id }),
    output: BaseYearState,
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/api/carbon/dismiss-base-year-notice',
    allow: can(Func.reportingPeriods, Opr.execute),
    summary:
      'Dismisses the recalculation notice of a base year with a reason. It is raised again when the change is a different one.',
    input: z.strictObject({
      inventory: Id,
      reason: line(500, 'Reason'),
      /** The changed location-based total that the caller saw. Returns 409 if it is another one now. */
      newLocation: z.string().max(80).optional(),
    }),
    output: BaseYearState,
  }),
}
