import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { ConfirmPrices } from '#contract/confirm-prices.ts'
import { pricingRuleRecord, RULE_READS, RulePreview } from './pricing-rules.ts'

/** The most rules in a file, and the most lines of a table of minimum prices: every rule is compared with every vehicle. */
export const MAX_FILE_RULES = 300
const MAX_TEXT = 1_000_000
/** Names a file of rules, so that no other JSON is taken for one. */
const FORMAT = 'forecourt-pricing-rules'

const NO_FILE = "This isn't a pricing rules file."
/** The message for something else than an object. */
const objectError = (message: string) => ({
  error: ({ code }: { code?: string }) => (code === 'invalid_type' ? message : undefined),
})

/** A rule in a file: without IDs, with the codes of its lots. Fields that are left out have the defaults of a new rule. */
export const FiledRule = z.strictObject(
  {
    ...pricingRuleRecord.create.omit({ lotIds: true }).shape,
    lots: z.array(line(20, 'Lot')).max(200, 'A rule can name at most 200 lots.').optional().default([]),
  },
  objectError('A rule must be an object.'),
)
export type FiledRule = z.infer<typeof FiledRule>

/** The rules of a file. Each rule is checked by itself, so that every error is found. */
export const RuleFile = z.strictObject(
  {
    format: z.literal(FORMAT, NO_FILE),
    version: z.literal(1, 'This file is from a newer version of Forecourt.'),
    /** Of its amounts; files of earlier versions don't have it. */
    currency: z.string('The currency must be text.').optional(),
    rules: z
      .array(z.unknown())
      .min(1, 'The file has no rules.')
      .max(MAX_FILE_RULES, `A file can have at most ${MAX_FILE_RULES} rules.`),
  },
  objectError(NO_FILE),
)

const Stored = pricingRuleRecord.schema.omit({
  id: true,
  lotIds: true,
  version: true,
  updatedAt: true,
  updatedBy: true,
  hidesAmounts: true,
})

const ImportedRule = z.object({
  name: z.string(),
  /** `paused`: it is no longer in the table. */
  change: z.enum(['added', 'changed', 'paused']),
})

/** What an import does. Amounts are integer cents. */
export const RuleImport = z.object({
  isSaved: z.boolean(),
  /** Without those that stay as they are. */
  rules: z.array(ImportedRule),
  same: z.number().int(),
  /** How the prices of the stock change. */
  effect: RulePreview,
})
export type RuleImport = z.infer<typeof RuleImport>

/** The text of a file to import. */
export const ruleFileText = z
  .string()
  .min(1, 'Choose a file.')
  .max(MAX_TEXT, 'The file can have at most 1,000,000 characters.')

/** How a table of minimum prices is imported. */
export const lowestPriceTable = {
  table: line(40, 'Name of the table'),
  /** Only in these lots; empty: in all. */
  lotIds: z.array(Id).max(200, 'A rule can name at most 200 lots.').optional().default([]),
  /** The table is for new vehicles, as those of manufacturers are. */
  isNewOnly: z.boolean('This must be true or false.').optional().default(true),
  /** Whether 03/11/2026 is in March or November, for tables whose dates don't prove it. */
  dateOrder: z.enum(['mdy', 'dmy'], 'Choose whether the month or the day is first.').optional(),
}

const options = {
  text: ruleFileText,
  /** Saves nothing, and returns what the import would do. */
  isTrial: z.boolean('This must be true or false.'),
  confirmPrices: ConfirmPrices,
  confirmEvery: z.boolean('This must be true or false.').optional().default(false),
}

export const ruleFiles = {
  export: endpoint({
    method: 'GET',
    path: '/api/inventory/export-pricing-rules',
    takesOut: 'the price rules',
    allow: can(Func.pricingRules, Opr.export),
    summary:
      'Returns all price rules within reach, with the codes of their lots, as a file that can be imported.',
    output: z.object({
      format: z.literal(FORMAT),
      version: z.literal(1),
      currency: z.string(),
      rules: z.array(Stored.extend({ lots: z.array(z.string()) })),
    }),
  }),
  exportLowest: endpoint({
    method: 'GET',
    path: '/api/inventory/export-lowest-prices',
    takesOut: 'the tables of minimum prices',
    allow: can(Func.pricingRules, Opr.export),
    summary:
      'Returns the tables of minimum prices, each as CSV that can be imported again, from the active rules within reach.',
    output: z.array(z.object({ table: z.string(), lines: z.number().int(), text: z.string() })),
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/inventory/import-pricing-rules',
    allow: can(Func.pricingRules, Opr.create),
    summary:
      'Imports price rules from the JSON of the export, in the currency of the customer. A rule with the name of an existing one changes it, and others stay as they are. If any rule has an error, nothing is imported and the response lists the errors. Asks for confirmation or approval like adding a rule.',
    input: z.strictObject(options),
    output: RuleImport,
    changes: RULE_READS,
  }),
  importLowest: endpoint({
    method: 'POST',
    path: '/api/inventory/import-lowest-prices',
    allow: can(Func.pricingRules, Opr.create),
    summary:
      'Imports a table of minimum prices, such as the minimum advertised prices of a manufacturer, from CSV with the columns Make, Model and Minimum price, and optionally Year, Trim, From and Until. Each line becomes a rule that starts with the name of the table; rules of the table that are no longer in the file are paused.',
    input: z.strictObject({ ...options, ...lowestPriceTable }),
    output: RuleImport,
    changes: RULE_READS,
  }),
}
