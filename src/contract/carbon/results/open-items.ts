import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { Counted } from '#contract/lists/counted.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { queriedList } from '#contract/queried-list.ts'
import { paged } from '../activity/activity.ts'
import { SOURCE_NAMES } from '../inventories/source-names.ts'

/**
 * What of an inventory can be listed by source: data points whose time has passed and that have nothing, those that only have an
 * estimate, and sources whose data owner was asked and has entered nothing since.
 */
export const OPEN_ITEM_KINDS = ['missing', 'estimated', 'unanswered'] as const
export type OpenItemKind = (typeof OPEN_ITEM_KINDS)[number]

export const OpenItem = z.object({
  sourceId: z.string(),
  sourceType: z.string(),
  ...SOURCE_NAMES,
  facilityId: z.string(),
  facilityName: z.string(),
  /** The days of the data point. Null for a source that was requested. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Who was asked. Null for a data point. */
  dataOwnerName: z.string().nullable(),
})
export type OpenItem = z.infer<typeof OpenItem>

/** What is open in an inventory, each with the rows that it counts. */
export const OpenItemCounts = z.object({
  missing: Counted.extend({
    /** Most first. */
    facilities: z.array(Counted.extend({ facilityId: z.string(), name: z.string() })),
  }),
  estimated: Counted,
  unanswered: Counted,
  /** Records in review, and those of them that are flagged. */
  submitted: Counted,
  unusual: Counted,
  /** Results that couldn't be calculated. */
  withoutResult: Counted,
})
export type OpenItemCounts = z.infer<typeof OpenItemCounts>

const OPENS = can(Func.carbonInsights, Opr.list)

/** What keeps an inventory from being complete. */
export const carbonOpenItems = {
  counts: endpoint({
    method: 'GET',
    path: '/api/carbon/get-open-item-counts',
    allow: OPENS,
    summary: 'Counts what keeps an inventory from being complete, each with the path of the rows.',
    input: z.strictObject({ inventoryId: Id }),
    output: OpenItemCounts,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-open-items',
    allow: can(Func.activityData, Opr.list),
    summary:
      'Lists the data points of an inventory that are missing or estimated so far, or the sources whose data owner has not answered a request.',
    input: z.strictObject({
      inventoryId: Id,
      kind: z.enum(OPEN_ITEM_KINDS, 'Choose what to list: missing, estimated or unanswered.'),
      facilityId: Id.optional(),
      ...paged,
    }),
    output: queriedList(OpenItem),
  }),
}
