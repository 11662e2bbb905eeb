import { typedNumber, typedPercent, typeNumber, unlessBlank } from '#contract/parsing/typed-number.ts'
import { type PricingRule, pricingRuleRecord, ruleErrors } from '#contract/pricing/rules/pricing-rules.ts'
import {
  ROUNDING_MODES,
  RULE_FIELDS,
  RULE_KINDS,
  WHEN_MISSING,
  type WhenMissing,
} from '#contract/pricing/rules/rule-kinds.ts'
import { hasLimits } from '#contract/pricing/rules/reduction-limits.ts'
import { labelOf } from '#contract/record.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { type FormPart, recordForm } from '#web/ui/record/record-form.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { parseMoney, typeMoney } from '#web/customers/index.ts'

/** Amounts as typed. */
type Amounts = {
  cents: string
  percent: string
  stepCents: string
  steps: { days: string; cents: string; percent: string }[]
  aboveCostCents: string
  aboveInvoiceCents: string
  offMsrpPercent: string
  /** '' until the user chooses: then it is what is usual for the kind. */
  whenMissing: WhenMissing | ''
  fromMinute: string
  untilMinute: string
}
const AMOUNTS = [
  'cents',
  'percent',
  'stepCents',
  'steps',
  'aboveCostCents',
  'aboveInvoiceCents',
  'offMsrpPercent',
  'whenMissing',
  'fromMinute',
  'untilMinute',
] as const
type AmountNames = (typeof AMOUNTS)[number]
type AmountInput = Pick<PricingRule, Exclude<AmountNames, 'whenMissing'>> & {
  whenMissing: WhenMissing | undefined
}

export const BLANK_STEP = { days: '', cents: '', percent: '' }

/** 0 is an amount here: not below cost. */
const typeLimit = (cents: number | null): string => (cents === null ? '' : typeMoney(cents))

const isBlank = (text: string): boolean => text.trim() === ''

/** The amounts in the currency of the customer. */
const amounts = (currency: string): FormPart<AmountNames, PricingRule, Amounts, AmountInput> => {
  const money = (text: string): number => (isBlank(text) ? 0 : parseMoney(text, currency))
  return {
    fields: AMOUNTS,
    labels: {
      cents: 'Amount',
      percent: 'Percentage',
      stepCents: 'Round to',
      steps: 'Amounts by days in stock',
      aboveCostCents: 'Not below cost plus',
      aboveInvoiceCents: 'Not below invoice plus',
      offMsrpPercent: 'At most % below MSRP',
      whenMissing: 'If an amount is missing',
      fromMinute: 'From',
      untilMinute: 'Until',
    },
    blank: {
      cents: '',
      percent: '',
      stepCents: '',
      steps: [],
      aboveCostCents: '',
      aboveInvoiceCents: '',
      offMsrpPercent: '',
      whenMissing: '',
      fromMinute: '',
      untilMinute: '',
    },
    toValues: (rule) => ({
      cents: rule.cents === 0 ? '' : typeMoney(rule.cents),
      percent: typeNumber(rule.percent),
      stepCents: rule.stepCents === null ? '' : typeMoney(rule.stepCents),
      steps: rule.steps.map((step) => ({
        days: String(step.days),
        cents: step.cents === 0 ? '' : typeMoney(step.cents),
        percent: typeNumber(step.percent),
      })),
      aboveCostCents: typeLimit(rule.aboveCostCents),
      aboveInvoiceCents: typeLimit(rule.aboveInvoiceCents),
      offMsrpPercent: typeNumber(rule.offMsrpPercent),
      whenMissing: rule.whenMissing,
      fromMinute: rule.fromMinute ?? '',
      untilMinute: rule.untilMinute ?? '',
    }),
    toInput: (values) => ({
      cents: money(values.cents),
      percent: unlessBlank(values.percent, typedPercent),
      stepCents: isBlank(values.stepCents) ? null : money(values.stepCents),
      steps: values.steps.map((step) => ({
        days: typedNumber(step.days),
        cents: money(step.cents),
        percent: unlessBlank(step.percent, typedPercent),
      })),
      aboveCostCents: isBlank(values.aboveCostCents) ? null : money(values.aboveCostCents),
      aboveInvoiceCents: isBlank(values.aboveInvoiceCents) ? null : money(values.aboveInvoiceCents),
      offMsrpPercent: unlessBlank(values.offMsrpPercent, typedPercent),
      whenMissing: values.whenMissing === '' ? undefined : values.whenMissing,
      fromMinute: values.fromMinute === '' ? null : values.fromMinute.slice(0, 16),
      untilMinute: values.untilMinute === '' ? null : values.untilMinute.slice(0, 16),
    }),
    check: (_values, sentences) => sentences,
  }
}

/** The form of a price rule. */
export function ruleForm(currency: string) {
  const form = recordForm(pricingRuleRecord, amounts(currency))
  return {
    ...form,
    // What most percentages refer to.
    blank: withField(form.blank, 'price'),
    check: (values: typeof form.blank): Record<string, string> => {
      const errors = form.check(values)
      if (Object.keys(errors).length > 0) return errors
      const parsed = pricingRuleRecord.create.safeParse(form.toInput(values))
      if (!parsed.success) return errors
      const { kind, cents = 0, percent = null, field = null, stepCents = null, steps = [] } = parsed.data
      const { fromMinute = null, untilMinute = null, qualifier = null } = parsed.data
      return ruleErrors({ kind, cents, percent, field, stepCents, steps, fromMinute, untilMinute, qualifier })
    },
  }
}
export type RuleValues = ReturnType<typeof ruleForm>['blank']

const withField = <V extends { field: PricingRule['field'] | '' }>(
  values: V,
  field: NonNullable<PricingRule['field']>,
): V => ({ ...values, field })

/** A field's display text, for comparisons. */
export function showField(name: string, values: RuleValues): string {
  if (name === 'kind') return labelOf(RULE_KINDS, values.kind)
  if (name === 'roundingMode') return labelOf(ROUNDING_MODES, values.roundingMode)
  if (name === 'whenMissing')
    return values.whenMissing === '' ? showValue('') : labelOf(WHEN_MISSING, values.whenMissing)
  if (name === 'field') return values.field === '' ? showValue('') : labelOf(RULE_FIELDS, values.field)
  if (name === 'lotIds')
    return values.lotIds.length === 0 ? 'All lots' : count(values.lotIds.length, 'lot', 'lots')
  if (name === 'steps') {
    return showValue(values.steps.map((step) => `${step.days} days: ${step.cents || `${step.percent}%`}`))
  }
  return showValue({ ...values }[name])
}

/** "not below invoice plus $300, at most 12% below MSRP"; '' for a rule without limits. */
export function describeLimits(rule: PricingRule, currency: string): string {
  if (rule.hidesAmounts || !hasLimits(rule)) return ''
  const { aboveCostCents, aboveInvoiceCents, offMsrpPercent, keepsMinimum } = rule
  const above = (what: string, cents: number | null): string[] => {
    if (cents === null) return []
    if (cents === 0) return [`not below ${what}`]
    return [`not below ${what} ${cents < 0 ? 'minus' : 'plus'} ${formatPrice(Math.abs(cents), currency)}`]
  }
  return [
    ...above('cost', aboveCostCents),
    ...above('invoice', aboveInvoiceCents),
    ...(offMsrpPercent === null ? [] : [`at most ${offMsrpPercent}% below MSRP`]),
    ...(keepsMinimum ? ['not below the minimum price'] : []),
  ].join(', ')
}

/** "$800", "2% of price", "100% of cost plus $500", "$300 to $1,150 by days in stock". */
export function describeAmount(
  { kind, cents, percent, field, stepCents, roundingMode, steps, hidesAmounts }: PricingRule,
  currency: string,
): string {
  if (hidesAmounts) return `Depends on ${fieldText(field)}`
  const money = (amount: number) => formatPrice(amount, currency)
  if (kind === 'rounding') {
    const ending = `nds in ${money(cents)}, every ${money(stepCents ?? 0)}`
    return roundingMode === 'nearest' ? `Nearest that e${ending}` : `E${ending}`
  }
  const one = (amount: { cents: number; percent: number | null }): string => {
    if (amount.percent === null) return money(amount.cents)
    const share = `${amount.percent}% of ${fieldText(field)}`
    if (amount.cents === 0) return share
    return `${share} ${amount.cents < 0 ? 'minus' : 'plus'} ${money(Math.abs(amount.cents))}`
  }
  const ordered = steps.toSorted((a, b) => a.days - b.days)
  const [first, last] = [ordered[0], ordered.at(-1)]
  if (first === undefined || last === undefined) return one({ cents, percent })
  return first === last
    ? `${one(first)} from day ${first.days}`
    : `${one(first)} to ${one(last)} by days in stock`
}

/** "cost", but "MSRP". */
export function fieldText(field: PricingRule['field']): string {
  const label = labelOf(RULE_FIELDS, field ?? 'price')
  return label === label.toUpperCase() ? label : label.toLowerCase()
}
