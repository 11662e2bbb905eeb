import type { PriceCause, PricePoint } from '#contract/vehicles/vehicles/vehicles.ts'

const WHAT: Readonly<Record<PriceCause['what'], string>> = {
  rule: 'Pricing rule',
  approval: 'Approval',
  settings: 'Fees or price law',
  lot: 'Lot or organization',
  special: 'Special price',
  vehicle: 'Vehicle data',
  feed: 'Feed',
  clock: 'Date of a rule, fee or law',
}

/** Who or what changed a price, each with what it was: "Dana Whitfield", "Pricing rule Clearance, version 3". */
export function changedBy({ by, feed, isByRules, causes }: PricePoint): { who: string; what: string }[] {
  if (!isByRules) return [{ who: feed ?? by ?? 'Feed', what: feed === null ? '' : (by ?? '') }]
  if (causes.length === 0) return [{ who: 'Pricing rules or fees', what: '' }]
  return causes.map((cause) => {
    const what = whatOf(cause)
    if (cause.by === null) return { who: what, what: '' }
    return { who: cause.as === null || cause.as === cause.by ? cause.by : `${cause.by} as ${cause.as}`, what }
  })
}

function whatOf({ what, rules }: PriceCause): string {
  const named = rules.map(({ name, version }) => `${name}, version ${version}`).join('; ')
  return named === '' ? WHAT[what] : `${WHAT[what]} ${named}`
}

/** The same in one line: "Dana Whitfield (Pricing rule Clearance, version 3)". */
export const changedByText = (point: PricePoint): string =>
  changedBy(point)
    .map(({ who, what }) => (what === '' ? who : `${who} (${what})`))
    .join(', ')
