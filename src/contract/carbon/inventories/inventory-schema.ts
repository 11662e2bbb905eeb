import { z } from 'zod'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import { Day } from '../factors/factor-schema.ts'

export const INVENTORY_STATUSES = [
  'draft',
  'collecting',
  'in_review',
  'approved',
  'locked',
  'restated',
] as const
export type InventoryStatus = (typeof INVENTORY_STATUSES)[number]

export const STATUS_NAMES: Readonly<Record<InventoryStatus, string>> = {
  draft: 'Draft',
  collecting: 'Collecting',
  in_review: 'In review',
  approved: 'Approved',
  locked: 'Locked',
  restated: 'Restated',
}

/** A frozen inventory can't be changed: not its settings, facilities, sources or activity data. */
export function isFrozen(status: InventoryStatus): boolean {
  return status === 'approved' || status === 'locked' || status === 'restated'
}

type Step = Readonly<{ to: InventoryStatus; title: string; needsReason?: true }>

/** The allowed status changes with their button labels. `restated` is set only by restating the inventory. */
export const STATUS_STEPS: Readonly<Record<InventoryStatus, readonly Step[]>> = {
  draft: [{ to: 'collecting', title: 'Start collecting' }],
  collecting: [
    { to: 'in_review', title: 'Submit for review' },
    { to: 'draft', title: 'Return to draft' },
  ],
  in_review: [
    { to: 'approved', title: 'Approve' },
    { to: 'collecting', title: 'Return to collecting', needsReason: true },
  ],
  approved: [
    { to: 'locked', title: 'Lock', needsReason: true },
    { to: 'collecting', title: 'Reopen', needsReason: true },
  ],
  locked: [{ to: 'approved', title: 'Unlock', needsReason: true }],
  restated: [],
}

export const GWP_SETS = ['AR4', 'AR5', 'AR6'] as const
/** `edition`: a factor is valid for its edition year. `latest`: otherwise the latest earlier one is used and flagged. */
export const INVENTORY_YEAR_RULES = ['edition', 'latest'] as const
export const RELEVANCES = ['relevant', 'not_relevant', 'not_assessed'] as const
export const DENOMINATOR_KINDS = ['revenue', 'floor_area', 'staff', 'vehicles_sold', 'own'] as const

/** The names of the scope 3 categories in the GHG Protocol's Scope 3 Standard, from category 1. */
export const SCOPE3_CATEGORIES = [
  'Purchased goods and services',
  'Capital goods',
  'Fuel- and energy-related activities',
  'Upstream transportation and distribution',
  'Waste generated in operations',
  'Business travel',
  'Employee commuting',
  'Upstream leased assets',
  'Downstream transportation and distribution',
  'Processing of sold products',
  'Use of sold products',
  'End-of-life treatment of sold products',
  'Downstream leased assets',
  'Franchises',
  'Investments',
] as const

const none = [z.null(), z.literal('').transform(() => null)] as const
const person = z.union([...none, Id], 'Choose a person.').optional()

const Scope3 = z
  .strictObject({
    category: z.number().int().min(1).max(15),
    relevance: z.enum(RELEVANCES, 'Choose relevant, not relevant or not assessed.'),
    reason: optionalLine(500, 'Reason').transform((reason) => reason ?? null),
  })
  .superRefine(({ relevance, reason }, context) => {
    if (relevance !== 'not_relevant' || reason !== null) return
    context.addIssue({ code: 'custom', path: ['reason'], message: 'Enter why it is not relevant.' })
  })

const Denominator = z
  .strictObject({
    kind: z.enum(DENOMINATOR_KINDS, 'Choose a denominator.'),
    name: optionalLine(80, 'Name').transform((name) => name ?? null),
    amount: z
      .union([z.string().trim(), z.number().transform(String)], 'Amount must be a number.')
      .refine(
        (text) => /^\d{1,15}(\.\d{1,6})?$/.test(text) && Number(text) > 0,
        'Amount must be a number above 0 with at most 6 decimals.',
      ),
    unit: line(40, 'Unit'),
  })
  .superRefine(({ kind, name }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['name'], message })
    if (kind === 'own' && name === null) refuse('Enter a name.')
    if (kind !== 'own' && name !== null) refuse('Only a custom denominator can have a name.')
  })

/** The fields of the start step, with their validation messages. */
export const INVENTORY_FIELDS = {
  name: line(100, 'Name'),
  periodStart: Day,
  /** The last day. */
  periodEnd: Day,
  boundary: z.enum(CONSOLIDATIONS, 'Choose operational control, financial control or equity share.'),
  gwpSet: z.enum(GWP_SETS, 'Choose AR4, AR5 or AR6.').optional(),
  datasets: z
    .array(Id)
    .max(20, 'Choose at most 20 datasets.')
    .refine((ids) => new Set(ids).size === ids.length, 'Each dataset can be listed only once.')
    .optional(),
  yearRule: z
    .enum(INVENTORY_YEAR_RULES, 'Choose the edition of the year, or the latest available.')
    .optional(),
  isBaseYear: z.boolean('Choose whether this is the base year.').optional(),
  recalculationThreshold: z
    .union([z.string().trim(), z.number().transform(String)], 'Recalculation threshold must be a number.')
    .refine(
      (text) => /^\d{1,3}(\.\d{1,4})?$/.test(text) && Number(text) <= 100,
      'Recalculation threshold must be a number from 0 to 100 with at most 4 decimals.',
    )
    .optional(),
  ownerId: person,
  reviewerId: person,
  approverId: person,
  twoPersonApproval: z.boolean('Choose whether to require two-person approval.').optional(),
  scope3: z
    .array(Scope3)
    .max(15, 'There are only fifteen categories.')
    .refine(
      (rows) => new Set(rows.map(({ category }) => category)).size === rows.length,
      'Each category can be listed only once.',
    )
    .optional(),
  denominators: z.array(Denominator).max(20, 'Add at most 20 denominators.').optional(),
  version: Version,
}

type Checked = {
  periodStart?: string | undefined
  periodEnd?: string | undefined
  ownerId?: string | null | undefined
  approverId?: string | null | undefined
  twoPersonApproval?: boolean | undefined
}

/** The longest period in days, about 18 months: enough for a change of the fiscal year. */
const LONGEST = 550

/** Problems between the fields of a complete inventory, by field; empty if there are none. */
export function findInventoryMismatches({
  periodStart,
  periodEnd,
  ownerId,
  approverId,
  twoPersonApproval = true,
}: Checked): Record<string, string> {
  const days =
    periodStart === undefined || periodEnd === undefined
      ? 1
      : (Date.parse(periodEnd) - Date.parse(periodStart)) / 86_400_000
  return {
    ...(days <= 0 && { periodEnd: 'The last day must be after the first.' }),
    ...(days > LONGEST && { periodEnd: 'A period can be at most 18 months long.' }),
    ...(twoPersonApproval &&
      approverId &&
      approverId === ownerId && {
        approverId: 'With two-person approval, the approver must be someone other than the owner.',
      }),
  }
}
