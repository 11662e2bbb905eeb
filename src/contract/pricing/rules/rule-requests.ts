import { CustomerDetailsChange } from '#contract/customers/details/details.ts'
import { lotRecord } from '#contract/customers/lots/lots.ts'
import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, optionalLine, TimeZone } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { pricingRuleRecord, RULE_READS, RulePreview } from './pricing-rules.ts'
import { lowestPriceTable, ruleFileText } from './rule-files.ts'

/**
 * A change of what all advertised totals depend on besides price rules: the fees and price laws of the customer, a lot,
 * or the time zone of an organization.
 */
export const SettingChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('details'), changes: CustomerDetailsChange }),
  z.strictObject({ kind: z.literal('lot'), changes: lotRecord.changes }),
  z.strictObject({
    kind: z.literal('organization'),
    changes: z.strictObject({ id: Id, timeZone: TimeZone }),
  }),
])
export type SettingChange = z.infer<typeof SettingChange>

/**
 * A change that needs the approval of a second user, because it changes more prices than the customer allows one user to change
 * (`approvalAbove` of the price limits), or loosens that limit.
 */
const RequestedChange = z.discriminatedUnion('kind', [
  ...SettingChange.options,
  z.strictObject({ kind: z.literal('add'), rule: pricingRuleRecord.create }),
  z.strictObject({ kind: z.literal('update'), changes: pricingRuleRecord.changes }),
  z.strictObject({ kind: z.literal('remove'), id: Id, version: z.number().int().min(1).optional() }),
  z.strictObject({ kind: z.literal('import'), text: ruleFileText }),
  z.strictObject({ kind: z.literal('importLowest'), ...lowestPriceTable, text: ruleFileText }),
])
export type RequestedChange = z.infer<typeof RequestedChange>

/** A rejection is shown to the user who asked for this long, where they asked. */
export const REJECTED_DAYS = 7

/** The changes that can wait for approval. */
const REQUEST_KINDS = [
  'add',
  'update',
  'remove',
  'import',
  'importLowest',
  'details',
  'lot',
  'organization',
] as const
const REQUEST_STATES = ['open', 'approved', 'rejected', 'withdrawn'] as const

export const RuleRequest = z.object({
  id: z.string(),
  kind: z.enum(REQUEST_KINDS),
  /** Null for new rules, imports and deleted rules. */
  ruleId: z.string().nullable(),
  /** The name of the rule, what is imported, or the lot, organization or details that change. */
  title: z.string(),
  /** How many prices it changed when it was requested. */
  changed: z.number().int(),
  note: z.string().nullable(),
  state: z.enum(REQUEST_STATES),
  requestedAt: Instant,
  requestedBy: z.string(),
  decidedAt: Instant.nullable(),
  decidedBy: z.string().nullable(),
  /** Why it was rejected. */
  reason: z.string().nullable(),
  /** Labels of the fields of the rule, with the values now and afterwards as users read them. Empty for imports and deletions, and once decided. */
  differences: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** Whether the caller requested it. They can withdraw it, but not approve it. */
  isOwn: z.boolean(),
  /** The fields of the details, lot or organization that it changes. Empty for rules. */
  fields: z.array(z.string()),
  /** Why an open request can't be approved any longer: what it changes has changed since. */
  outdated: z.string().nullable(),
  version: z.number().int(),
})
export type RuleRequest = z.infer<typeof RuleRequest>

const LIST = '/api/inventory/get-pricing-rule-requests'
const WAITING = '/api/inventory/get-waiting-price-changes'
/** Show what is waiting for approval, and what became of it. */
const REQUEST_READS = [LIST, WAITING] as const

/** What a form is about. `id`: of the lot, organization or rule. */
const ChangedThing = z.strictObject({
  kind: z.enum(['details', 'lot', 'organization', 'rule']),
  id: Id.optional(),
})
export type ChangedThing = z.infer<typeof ChangedThing>
/** Who changes what totals depend on. */
const SETTINGS = [
  can(Func.customerDetails, Opr.update),
  can(Func.lots, Opr.update),
  can(Func.organizationWizard, Opr.update),
]
const decision = { id: Id, version: z.number().int().min(1) }

export const ruleRequests = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.pricingRules, Opr.list),
    summary:
      'Lists the changes that are waiting for approval because they move prices, oldest first, then those of the last 30 days that were decided, newest first; at most 100.',
    output: z.array(RuleRequest),
  }),
  waiting: endpoint({
    method: 'GET',
    path: WAITING,
    allow: {
      anyOf: [
        can(Func.customerDetails, Opr.read),
        can(Func.lots, Opr.read),
        can(Func.organizations, Opr.read),
        can(Func.organizationWizard, Opr.read),
        can(Func.pricingRules, Opr.read),
      ],
    },
    summary: `Lists the changes of the details, of a lot, an organization or a price rule that are waiting for approval, oldest first, and the caller's latest request about it if it was rejected in the last ${REJECTED_DAYS} days. The caller needs the permission to read what they change.`,
    input: ChangedThing,
    output: z.array(RuleRequest),
  }),
  effect: endpoint({
    method: 'GET',
    path: '/api/inventory/pricing-rule-request-effect/{id}',
    allow: can(Func.pricingRules, Opr.read),
    summary: 'Returns how a change that is waiting for approval would change the prices of the stock.',
    input: z.strictObject({ id: Id }),
    output: RulePreview,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/inventory/preview-price-setting',
    allow: { anyOf: SETTINGS },
    writes: false,
    summary:
      'Returns how a change of fees, price laws, time zones or a lot would change the totals that buyers see of the stock: now, or on the later day on which most of them change.',
    input: z.strictObject({ change: SettingChange }),
    output: RulePreview,
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/inventory/ask-pricing-rule-approval',
    allow: {
      anyOf: [
        can(Func.pricingRules, Opr.create),
        can(Func.pricingRules, Opr.update),
        can(Func.pricingRules, Opr.delete),
        ...SETTINGS,
      ],
    },
    summary:
      'Asks a second user to approve a change that moves prices, to price rules or to what totals depend on. The caller needs the permission for the change itself. Nothing changes until it is approved. It replaces an earlier request of the caller about the same rule or the same fields, whose other fields it takes over. Returns 409 if another user has asked for approval of a change of them.',
    input: z.strictObject({ change: RequestedChange, note: optionalLine(500, 'Note') }),
    output: RuleRequest,
    changes: REQUEST_READS,
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/inventory/approve-pricing-rule-request',
    allow: can(Func.pricingRules, Opr.update),
    summary:
      "Approves and makes a change that moves prices. The caller needs the permission for the change itself and can't be the user who requested it. Returns 409 if it was decided in the meantime, or if what it changes has changed since.",
    input: z.strictObject(decision),
    output: RuleRequest,
    changes: [
      ...REQUEST_READS,
      ...RULE_READS,
      '/api/customers/details',
      '/api/customers/details-activity',
      '/api/customers/get-lots',
      '/api/customers/edit-lot/{id}',
      '/api/organizations/edit-organization/{id}',
    ],
  }),
  reject: endpoint({
    method: 'POST',
    path: '/api/inventory/reject-pricing-rule-request',
    allow: can(Func.pricingRules, Opr.update),
    summary:
      'Rejects a change that moves prices with a reason. Returns 409 if it was decided in the meantime.',
    input: z.strictObject({
      ...decision,
      reason: z
        .string('Reason must be text.')
        .overwrite(trimmed)
        .min(1, 'Say why.')
        .max(500, 'Reason may have at most 500 characters.'),
    }),
    output: RuleRequest,
    changes: REQUEST_READS,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/api/inventory/withdraw-pricing-rule-request',
    allow: { anyOf: [can(Func.pricingRules, Opr.read), ...SETTINGS] },
    summary: "Withdraws the caller's own request. Returns 409 if it was decided in the meantime.",
    input: z.strictObject(decision),
    output: RuleRequest,
    changes: REQUEST_READS,
  }),
}
