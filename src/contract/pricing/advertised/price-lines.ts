import { capitalize } from '#contract/capitalize.ts'
import { FEE_CLASSES } from '#contract/customers/details/fees.ts'
import { labelOf } from '#contract/record.ts'
import { RULE_KINDS } from '../rules/rule-kinds.ts'
import type { Provenance } from '#contract/vehicles/vehicles/vehicles.ts'
import type { AdvertisedPrice } from './advertised-prices.ts'
import { besideName } from '../totals/beside-name.ts'
import type { VehiclePrice } from '../totals/vehicle-price.ts'

/** A line of the explanation: the price after it, and what it changed. */
export type PriceLine = Readonly<{
  key: string
  /** The rule that made the change. */
  ruleId?: string
  name: string
  about: string
  kind: string
  /** Null for amounts that other lines are added to. */
  changeCents: number | null
  priceCents: number
  /** `anchor`: a price; `up` and `down`: a change; `none`: a line that adds nothing. */
  tone: 'anchor' | 'up' | 'down' | 'none'
}>

/** How amounts, dates and sources are written: on screens in the user's language, in documents in English. */
export type PriceTexts = Readonly<{
  money: (cents: number) => string
  /** A date, `2026-10-01`. */
  day: (day: string) => string
  source: (provenance: Provenance) => string
}>

/** What the lines are made of. */
type Explained = Pick<VehiclePrice, 'base' | 'ruleLines' | 'sellingCents' | 'fees' | 'totalCents'>

/** The lines of a vehicle's price, in the order in which they are calculated; empty without a price. */
export function priceLines(price: Explained, { money, source }: PriceTexts): PriceLine[] {
  const { base, sellingCents, totalCents, fees } = price
  if (base === null || sellingCents === null || totalCents === null) return []
  const lines: PriceLine[] = [
    {
      key: 'base',
      name: base.field === 'price' ? 'Price' : 'MSRP',
      about: aboutBase(base, source),
      kind: 'Base',
      changeCents: null,
      priceCents: base.cents,
      tone: 'anchor',
    },
    ...price.ruleLines.map((line, at): PriceLine => ({
      key: `rule ${at} ${line.ruleId ?? line.kind}`,
      ...(line.ruleId !== null && { ruleId: line.ruleId }),
      ...wordsOf(line),
      changeCents: line.amountCents,
      priceCents: line.runningCents,
      tone: line.amountCents > 0 ? 'up' : 'down',
    })),
    {
      key: 'selling',
      name: 'Selling price',
      about: 'For every buyer, before fees',
      kind: '',
      changeCents: null,
      priceCents: sellingCents,
      tone: 'anchor',
    },
    ...fees
      .filter(({ treatment }) => treatment !== 'extra')
      .map((fee, at): PriceLine => ({
        key: `fee ${at}`,
        name: fee.name,
        about: aboutFee(fee, money),
        kind: 'Fee',
        changeCents: fee.addedCents,
        priceCents: fee.runningCents,
        tone: fee.addedCents > 0 ? 'up' : 'none',
      })),
  ]
  const all: PriceLine[] = [
    ...lines,
    {
      key: 'total',
      name: 'Total price',
      about: base?.field === 'msrp' ? 'If the MSRP were the price' : 'What buyers see',
      kind: '',
      changeCents: null,
      priceCents: totalCents,
      tone: 'anchor',
    },
  ]
  return all.map((line) => ({
    ...line,
    about: besideName(line.name, line.about),
    kind: besideName(line.name, line.kind),
  }))
}

function wordsOf({ kind, name }: Explained['ruleLines'][number]): Pick<PriceLine, 'name' | 'about' | 'kind'> {
  if (kind === 'special') return { name: 'Only this car', about: name, kind: 'Special price' }
  if (kind === 'rules') return { name, about: 'All together, because one depends on costs', kind: '' }
  return { name, about: '', kind: labelOf(RULE_KINDS, kind) }
}

/** The lines of an advertised price, as it was calculated then. Without the price before rules if that wasn't kept. */
export function advertisedLines(price: AdvertisedPrice, money: PriceTexts['money']): PriceLine[] {
  const { baseCents, lines: ruleLines, sellingCents, totalCents } = price
  let runningCents = sellingCents
  const fees = price.fees.map((fee) => {
    runningCents += fee.cents
    const amounts = { chargedCents: fee.cents, addedCents: fee.cents, runningCents }
    return { ...fee, ...amounts, treatment: 'included' as const, limitedByPercent: null, exceeds: null }
  })
  const base = { field: 'price' as const, cents: baseCents ?? sellingCents, provenance: null }
  const lines = priceLines(
    { base, ruleLines, sellingCents, fees, totalCents },
    { money, day: (day) => day, source: () => '' },
  )
  return baseCents === null ? lines.slice(1) : lines
}

function aboutBase(
  { field, provenance }: NonNullable<VehiclePrice['base']>,
  source: PriceTexts['source'],
): string {
  if (field === 'msrp') return 'No price is set, so nothing is advertised'
  return provenance === null ? '' : source(provenance)
}

type Fee = VehiclePrice['fees'][number]

function aboutFee(fee: Fee, money: (cents: number) => string): string {
  const kind = besideName(fee.name, labelOf(FEE_CLASSES, fee.class))
  const limit = fee.limitedByPercent
  const limited = limit === null ? '' : `limited to ${limit}% of the selling price`
  const more = fee.treatment === 'in-price' ? `${money(fee.chargedCents)} already in the price` : limited
  return capitalize([kind, more].filter(Boolean).join(', '))
}

/** Fees that exceed a limit, in words. */
export function feeFindings({ fees }: VehiclePrice, { money, day }: PriceTexts): string[] {
  return fees.flatMap(({ name, chargedCents, exceeds }) =>
    exceeds === null
      ? []
      : [
          `${name}: ${money(chargedCents)} is above the limit of ${money(exceeds.cents)} since ${day(exceeds.from)} (${exceeds.source}).`,
        ],
  )
}
