import { z } from 'zod'
import { line } from '#contract/fields.ts'
import { regionOf } from '#contract/regions.ts'
import { FEE_CLASSES, type FeeClass } from './fees.ts'

/** Price advertising rules. The codes are stored with customers and lots. */
export const PRICE_LAWS = [
  {
    value: 'us',
    label: 'United States',
    help: 'Federal: the advertised price must include every mandatory fee except government charges.',
  },
  {
    value: 'us-ca',
    label: 'California',
    help: 'The total price includes every mandatory dealer charge and installed item. No rebate is deducted.',
  },
  {
    value: 'us-ok',
    label: 'Oklahoma',
    help: 'The advertised price must include document and handling fees.',
  },
  {
    value: 'ca',
    label: 'Canada',
    help: 'All-in pricing: the advertised price must include every fee. Sales tax and licensing can be excluded.',
  },
  { value: 'none', label: 'None', help: 'Prices are shown as entered. Nothing is checked.' },
] as const
export type PriceLaw = (typeof PRICE_LAWS)[number]['value']
export const PRICE_LAW_CODES = PRICE_LAWS.map(({ value }) => value)

/** What an advertised price must contain from `from` on. */
export type PriceProfile = Readonly<{
  /** The first day, in the lot's time zone. */
  from: string
  /** Fee classes in the total price. */
  includes: readonly FeeClass[]
  /** Whether a rebate that every buyer gets may be deducted from the advertised price. */
  deductsRebates: boolean
  /** The sentence that appears beside the price; null if there is no price rule. */
  sentence: string | null
  /** Where sources disagree: the reading that was not chosen. The stricter one always applies. */
  otherReading: string | null
  source: string
}>

const ALL = FEE_CLASSES.map(({ value }) => value)
const ALL_DEALER = ALL.filter((one) => one !== 'government' && one !== 'levy')

const FEDERAL: PriceProfile = {
  from: '0001-01-01',
  includes: ALL_DEALER,
  deductsRebates: true,
  sentence: 'Includes all dealer fees. Taxes and government fees are extra.',
  otherReading: null,
  source: 'FTC Act, section 5; FTC letters to dealers of March 2026',
}

/** By law, oldest first. They are help for the dealer, not legal advice. */
const PROFILES: Readonly<Record<PriceLaw, readonly PriceProfile[]>> = {
  us: [FEDERAL],
  'us-ca': [
    FEDERAL,
    {
      from: '2026-10-01',
      includes: ALL_DEALER,
      deductsRebates: false,
      sentence:
        'Total price with all dealer charges and installed items. Taxes and government fees are extra.',
      otherReading:
        'SB 766 defines the total price without the document processing charge. The FTC counts it, so it is included.',
      source: 'California SB 766, from October 1, 2026; FTC Act, section 5',
    },
  ],
  'us-ok': [
    {
      ...FEDERAL,
      source: 'Oklahoma rules on document and handling fees in advertised prices; FTC Act, section 5',
    },
  ],
  ca: [
    {
      from: '0001-01-01',
      includes: [...ALL_DEALER, 'levy'],
      deductsRebates: false,
      sentence: 'All-in price. Sales tax and licensing are extra.',
      otherReading:
        'Some guidance allows deducting rebates that every buyer gets. They are listed below the price instead.',
      source:
        'All-in price advertising of the provinces, such as OMVIC in Ontario; Competition Act on drip pricing',
    },
  ],
  none: [
    {
      from: '0001-01-01',
      includes: [],
      deductsRebates: true,
      sentence: null,
      otherReading: null,
      source: 'Chosen in the details',
    },
  ],
}

/**
 * The customer's own reading of a law from a day on, such as its counsel's, in place of the built-in one. A later built-in
 * version of the law takes its place again.
 */
export const OwnProfile = z.strictObject({
  law: z.enum(PRICE_LAW_CODES, 'Choose the price advertising rules.').exclude(['none']),
  from: z.iso.date('Enter a date, such as 2026-10-01.'),
  includes: z.array(z.enum(ALL, 'Choose a fee.')).max(ALL.length, 'Choose each fee once.'),
  deductsRebates: z.boolean('Choose whether rebates are deducted.'),
  sentence: line(200, 'Sentence'),
  source: line(200, 'Source'),
})
export type OwnProfile = z.output<typeof OwnProfile>

/** The customer's own readings of the laws. */
export const OwnProfiles = z
  .array(OwnProfile)
  .max(50, 'You can have at most 50 price profiles.')
  .superRefine((profiles, context) => {
    for (const [at, { law, from }] of profiles.entries()) {
      const isRepeated = profiles.slice(0, at).some((other) => other.law === law && other.from === from)
      if (isRepeated) {
        const message = 'These rules already have a profile from this day.'
        context.addIssue({ code: 'custom', path: [at, 'from'], message })
      }
    }
  })

/** A profile for a new row of the form: the federal one. */
export const STARTING_PROFILE = {
  includes: FEDERAL.includes,
  deductsRebates: FEDERAL.deductsRebates,
  sentence: FEDERAL.sentence ?? '',
} as const

/** The profile of a law on a day. @param own the customer's own readings, which win over built-in ones of the same or an earlier day. */
export function profileOf(law: PriceLaw, day: string, own: readonly OwnProfile[]): PriceProfile {
  const builtIn = PROFILES[law].findLast(({ from }) => from <= day) ?? FEDERAL
  const [latest] = own
    .filter((profile) => profile.law === law && profile.from <= day)
    .toSorted((one, other) => other.from.localeCompare(one.from))
  return latest === undefined || latest.from < builtIn.from ? builtIn : { ...latest, otherReading: null }
}

/** The days after `day` on which a law or the customer's reading of it changes, ascending. */
export function changesOf(law: PriceLaw, day: string, own: readonly OwnProfile[]): string[] {
  const days = [
    ...PROFILES[law].map(({ from }) => from),
    ...own.flatMap((profile) => (profile.law === law ? [profile.from] : [])),
  ]
  return [...new Set(days)].filter((from) => from > day).toSorted()
}

/** The law proposed for a state or province, written as "CA" or "California"; null if it isn't known. */
export function lawOfRegion(region: string | null): PriceLaw | null {
  const found = regionOf(region)
  if (found === null) return null
  if (found.country === 'CA') return 'ca'
  if (found.code === 'CA') return 'us-ca'
  return found.code === 'OK' ? 'us-ok' : 'us'
}

/**
 * The law that applies to a lot: its own, otherwise that of its state, otherwise the customer's. A customer without price
 * rules has none for its lots either, unless a lot has its own.
 */
export function lawOf({
  lotLaw,
  region,
  customerLaw,
}: {
  lotLaw: PriceLaw | null
  region: string | null
  customerLaw: PriceLaw
}): {
  law: PriceLaw
  origin: 'lot' | 'state' | 'customer'
} {
  if (lotLaw !== null) return { law: lotLaw, origin: 'lot' }
  const proposed = customerLaw === 'none' ? null : lawOfRegion(region)
  return proposed === null ? { law: customerLaw, origin: 'customer' } : { law: proposed, origin: 'state' }
}
