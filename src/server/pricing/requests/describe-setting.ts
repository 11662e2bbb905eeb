import { FEE_CLASSES, FEE_VEHICLES, MandatoryFee } from '#contract/customers/details/fees.ts'
import { OwnProfile, PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import { lotRecord } from '#contract/customers/lots/lots.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { labelOf } from '#contract/record.ts'
import { amountText } from '#contract/vehicles/vehicles/price-changes.ts'
import type { RuleTexts } from '../rules/rule-differences.ts'

type Difference = { field: string; before: string | null; after: string | null }
type SettingKind = 'details' | 'lot' | 'organization'
type Settings = Readonly<Record<string, unknown>>

/** What moves totals in the details. What else was changed with it is named without its values. */
const DETAILS: Readonly<Record<string, string>> = {
  name: 'Name',
  legalName: 'Legal name',
  website: 'Website',
  phone: 'Phone',
  makes: 'Makes',
  timeZone: 'Time zone',
  currency: 'Currency',
  distanceUnit: 'Distance unit',
  priceLaw: 'Price advertising rules',
  priceLimits: 'Price protection',
  fees: 'Mandatory fees',
  feeCaps: 'Highest fees',
  priceProfiles: 'Price profiles',
  disclaimers: 'Disclaimers',
  contacts: 'Contacts',
  customFields: 'Custom vehicle fields',
}

/** The fields of the details or a lot that a change gives other values, by their labels. */
export function describeSetting(
  kind: SettingKind,
  { before, after }: { before: Settings; after: Settings },
  texts: RuleTexts,
): Difference[] {
  return Object.entries(labelsByName(kind)).flatMap(([name, label]) => {
    const [old, now] = [before[name], after[name]]
    if (now === undefined || isEqual(old, now)) return []
    return differencesOf({ name, label }, { old, now }, texts)
  })
}

/** "Mandatory fees and Price profiles". */
export function labelsOf(kind: SettingKind, names: readonly string[]): string {
  const labels = labelsByName(kind)
  return new Intl.ListFormat('en').format(names.map((name) => labels[name] ?? name))
}

function labelsByName(kind: SettingKind): Readonly<Record<string, string>> {
  if (kind === 'details') return DETAILS
  return Object.fromEntries(Object.entries(lotRecord.fields).map(([name, { label }]) => [name, label]))
}

function differencesOf(
  { name, label }: { name: string; label: string },
  { old, now }: { old: unknown; now: unknown },
  texts: RuleTexts,
): Difference[] {
  if (name === 'priceLimits') return limitDifferences(old, now)
  return [{ field: label, before: describeValue(name, old, texts), after: describeValue(name, now, texts) }]
}

const LIMITS: Readonly<Record<string, string>> = {
  changePercent: 'Largest price change (%)',
  stockPercent: 'Share of stock (%)',
  minCents: 'Lowest price',
  maxCents: 'Highest price',
  totalCents: 'Largest total change',
  approvalAbove: 'Approval above',
}

/** A limit that was not sent stays as it is. */
function limitDifferences(old: unknown, now: unknown): Difference[] {
  const [before, after] = [{ ...Object(old) }, { ...Object(now) }]
  return Object.entries(LIMITS).flatMap(([name, field]) => {
    const [was, is] = [before[name] ?? null, after[name] === undefined ? before[name] : after[name]]
    if (was === (is ?? null)) return []
    const text = (value: unknown) => {
      if (typeof value !== 'number') return null
      return (name.endsWith('Cents') ? value / 100 : value).toLocaleString('en')
    }
    return [{ field, before: text(was), after: text(is) }]
  })
}

function describeValue(name: string, value: unknown, texts: RuleTexts): string | null {
  if (value === null || value === undefined || value === '') return null
  if (name === 'priceLaw')
    return PRICE_LAWS.find((law) => law.value === value)?.label ?? JSON.stringify(value)
  if (name === 'fees') {
    const fees = MandatoryFee.array().safeParse(value)
    if (fees.success) return fees.data.map((fee) => feeText(fee, texts)).join('; ') || null
  }
  if (name === 'priceProfiles') {
    const profiles = OwnProfile.array().safeParse(value)
    if (profiles.success) return profiles.data.map(profileText).join('; ') || null
  }
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.length === 1 ? '1 entry' : `${value.length} entries`
  return JSON.stringify(value)
}

function feeText(fee: MandatoryFee, { currency, lots }: RuleTexts): string {
  const facts = [
    labelOf(FEE_CLASSES, fee.class),
    fee.percent === null ? null : `at most ${fee.percent}%`,
    fee.vehicles === 'all' ? null : labelOf(FEE_VEHICLES, fee.vehicles),
    fee.lotIds.length === 0 ? null : fee.lotIds.map((id) => lots.get(id) ?? 'a lot out of reach').join(', '),
    fee.from === null ? null : `from ${fee.from}`,
    fee.isInPrice ? 'in the price' : null,
  ]
  return `${fee.name} ${amountText(fee.cents, currency)} (${facts.filter((one) => one !== null).join(', ')})`
}

function profileText({ law, from, includes, deductsRebates, sentence, source }: OwnProfile): string {
  const fees = includes.length === 0 ? 'no fees' : includes.map((one) => labelOf(FEE_CLASSES, one)).join(', ')
  const rebates = deductsRebates ? 'rebates deducted' : 'no rebate deducted'
  return `${labelOf(PRICE_LAWS, law)} from ${from}: ${fees}; ${rebates}; "${sentence}" (${source})`
}
