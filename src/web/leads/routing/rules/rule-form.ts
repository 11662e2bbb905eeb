import { typedNumber } from '#contract/parsing/typed-number.ts'
import {
  leadRoutingRuleRecord,
  leadRuleErrors,
  type LeadRoutingRule,
  type LeadRoutingRuleInput,
} from '#contract/leads/routing/lead-routing-rules.ts'
import { HOURS, STRATEGIES, TRADE_INS } from '#contract/leads/routing/rule-choices.ts'
import { labelOf } from '#contract/record.ts'
import { parseMoney, typeMoney } from '#web/customers/index.ts'
import { type FormPart, recordForm } from '#web/ui/record/record-form.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { languageName, splitWindow, WINDOW_UNITS, type WindowUnit } from './describe-rule.ts'

type TargetRow = { destinationId: string; weight: string }

/** Amounts as typed. */
type Typed = {
  priceFromCents: string
  priceToCents: string
  targets: TargetRow[]
  /** How long a person's lead about the same vehicle is not sent again, in `dedupeUnit`. */
  dedupeMinutes: string
  dedupeUnit: WindowUnit
}
type TypedNames = 'priceFromCents' | 'priceToCents' | 'targets' | 'dedupeMinutes'
type TypedInput = Pick<LeadRoutingRule, TypedNames>

export const BLANK_TARGET: TargetRow = { destinationId: '', weight: '1' }
const MONTH = splitWindow(leadRoutingRuleRecord.fields.dedupeMinutes.blank ?? 0)

const typed = (currency: string): FormPart<TypedNames, LeadRoutingRule, Typed, TypedInput> => {
  const cents = (text: string) => (text.trim() === '' ? null : parseMoney(text, currency))
  const text = (amount: number | null) => (amount === null ? '' : typeMoney(amount))
  return {
    fields: ['priceFromCents', 'priceToCents', 'targets', 'dedupeMinutes'],
    labels: {
      priceFromCents: 'Price from',
      priceToCents: 'Price to',
      targets: 'Destinations',
      dedupeMinutes: "Don't send again within",
      dedupeUnit: 'Unit of the time',
    },
    blank: {
      priceFromCents: '',
      priceToCents: '',
      targets: [],
      dedupeMinutes: String(MONTH.amount),
      dedupeUnit: MONTH.unit,
    },
    toValues: (rule) => {
      const { amount, unit } = splitWindow(rule.dedupeMinutes)
      return {
        priceFromCents: text(rule.priceFromCents),
        priceToCents: text(rule.priceToCents),
        targets: rule.targets.map(({ destinationId, weight }) => ({ destinationId, weight: String(weight) })),
        dedupeMinutes: String(amount),
        dedupeUnit: unit,
      }
    },
    toInput: (values) => ({
      priceFromCents: cents(values.priceFromCents),
      priceToCents: cents(values.priceToCents),
      targets: values.targets.map(({ destinationId, weight }) => ({
        destinationId,
        // Only weighted rules show the weight; the others keep what was saved.
        weight: weight.trim() === '' ? 1 : typedNumber(weight),
      })),
      dedupeMinutes: typedNumber(values.dedupeMinutes || '0') * WINDOW_UNITS[values.dedupeUnit],
    }),
    check: ({ targets }, sentences) => {
      const errors = { ...sentences }
      for (const [at, { destinationId }] of targets.entries()) {
        if (destinationId === '') errors[`targets.${at}.destinationId`] = 'Choose a destination.'
      }
      return errors
    },
  }
}

/** What a rule has that isn't saved yet. */
const UNSAVED = {
  id: 'new',
  number: 1,
  version: 1,
  updatedAt: '1970-01-01T00:00:00Z',
  updatedBy: null,
} as const

/** The form of a lead routing rule. The catch-all rule has no conditions and can't be paused. */
export function ruleForm(currency: string, { isCatchAll }: { isCatchAll: boolean }) {
  const fields = recordForm(leadRoutingRuleRecord, typed(currency))
  // The form keeps the destinations of a rule that sends leads to a store, in case that was a mistake.
  const form = {
    ...fields,
    toInput: (values: typeof fields.blank): ReturnType<typeof fields.toInput> => {
      const input = fields.toInput(values)
      return input.storeId == null ? input : { ...input, targets: [] }
    },
  }
  return {
    ...form,
    check: (values: typeof form.blank): Record<string, string> => {
      const errors = form.check(values)
      if (Object.keys(errors).length > 0) return errors
      const parsed = leadRoutingRuleRecord.schema.safeParse({
        ...UNSAVED,
        isCatchAll,
        ...form.toInput(values),
      })
      return parsed.success ? leadRuleErrors(parsed.data) : errors
    },
  }
}
export type RuleValues = ReturnType<typeof ruleForm>['blank']

type Names = Readonly<{
  lots: ReadonlyMap<string, string>
  forms: ReadonlyMap<string, string>
  destinations: ReadonlyMap<string, string>
}>

/** A field's display text, for the comparison of two versions. */
export function showField(name: string, values: RuleValues, names: Names): string {
  const named = (ids: readonly string[], known: ReadonlyMap<string, string>, none: string) =>
    ids.length === 0 ? none : ids.map((id) => known.get(id) ?? id).join(', ')
  switch (name) {
    case 'lotIds':
      return named(values.lotIds, names.lots, 'All lots')
    case 'storeId':
      return values.storeId ? (names.lots.get(values.storeId) ?? values.storeId) : 'No: to destinations'
    case 'formIds':
      return named(values.formIds, names.forms, 'All forms')
    case 'languages':
      return showValue(values.languages.map(languageName))
    case 'hours':
      return labelOf(HOURS, values.hours)
    case 'tradeIn':
      return labelOf(TRADE_INS, values.tradeIn)
    case 'strategy':
      return labelOf(STRATEGIES, values.strategy)
    case 'dedupeMinutes':
      return `${values.dedupeMinutes} ${values.dedupeUnit}`
    case 'targets':
      return showValue(
        values.targets.map(({ destinationId, weight }) => {
          const destination = names.destinations.get(destinationId) ?? destinationId
          return values.strategy === 'weighted' ? `${destination} (${weight})` : destination
        }),
      )
    default:
      return showValue({ ...values }[name])
  }
}

/** The conditions that the editor shows only if they are used. */
export const CONDITIONS = [
  { key: 'lots', title: 'Lot', fields: ['lotIds'] },
  { key: 'leadTypes', title: 'Lead type', fields: ['leadTypes'] },
  { key: 'sources', title: 'Source', fields: ['sources'] },
  { key: 'makes', title: 'Make', fields: ['makes'] },
  { key: 'models', title: 'Model', fields: ['models'] },
  { key: 'price', title: 'Price', fields: ['priceFromCents', 'priceToCents'] },
  { key: 'campaigns', title: 'Campaign', fields: ['campaigns'] },
  { key: 'forms', title: 'Form', fields: ['formIds'] },
  { key: 'postalCodes', title: 'ZIP code', fields: ['postalCodes'] },
  { key: 'languages', title: 'Language', fields: ['languages'] },
  { key: 'hours', title: 'Time', fields: ['hours', 'fromTime', 'untilTime'] },
  { key: 'tradeIn', title: 'Trade-in', fields: ['tradeIn'] },
  { key: 'filter', title: 'Other lead fields', fields: ['condition'] },
] as const satisfies readonly { key: string; title: string; fields: readonly (keyof RuleValues)[] }[]
export type ConditionKey = (typeof CONDITIONS)[number]['key']

/** The conditions that differ from a rule for every lead. */
export function usedConditions(values: RuleValues): ConditionKey[] {
  return CONDITIONS.filter(({ fields }) => fields.some((field) => !isBlank(values[field]))).map(
    ({ key }) => key,
  )
}

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === '' || value === 'any' || value === null
}

/** The values that remove a condition. */
export function blankOf(key: ConditionKey, blank: RuleValues): Readonly<Record<string, unknown>> {
  const fields = CONDITIONS.find((one) => one.key === key)?.fields ?? []
  return Object.fromEntries(fields.map((field) => [field, blank[field]]))
}

/** A paused copy of a rule, as the input of a new one with this name. */
export function copyOf(rule: LeadRoutingRule, name: string): LeadRoutingRuleInput {
  const fields = Object.keys(leadRoutingRuleRecord.fields)
  return leadRoutingRuleRecord.create.parse({
    ...Object.fromEntries(Object.entries(rule).filter(([one]) => fields.includes(one))),
    name,
    isActive: false,
  })
}
