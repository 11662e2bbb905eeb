/**
 * The legal kind of a price rule, in the order of calculation. Only what every buyer gets may lower an advertised price, so
 * a conditional offer is listed and never subtracted. Sources: FTC Act, section 5; California SB 766 on rebates.
 */
export const RULE_KINDS = [
  { value: 'base', label: 'Base price' },
  { value: 'accessory', label: 'Accessory' },
  { value: 'discount', label: 'Dealer discount' },
  { value: 'rebate', label: 'Rebate for every buyer' },
  { value: 'ceiling', label: 'Highest price' },
  { value: 'floor', label: 'Minimum price' },
  { value: 'rounding', label: 'Rounding' },
  { value: 'offer', label: 'Conditional offer' },
] as const
export type RuleKind = (typeof RULE_KINDS)[number]['value']
export const RULE_KIND_CODES = RULE_KINDS.map(({ value }) => value)

/** Which of the two nearest endings a price is rounded to. */
export const ROUNDING_MODES = [
  { value: 'down', label: 'Down' },
  { value: 'nearest', label: 'To the nearest' },
] as const

/** The amounts that a percentage can refer to. `price`: the price before the rules of the same kind. */
export const RULE_FIELDS = [
  { value: 'price', label: 'Price' },
  { value: 'msrp', label: 'MSRP' },
  { value: 'feedPrice', label: 'Feed price' },
  { value: 'marketPrice', label: 'Market price' },
  { value: 'invoice', label: 'Invoice' },
  { value: 'cost', label: 'Cost' },
] as const
export type RuleField = (typeof RULE_FIELDS)[number]['value']
export const RULE_FIELD_CODES = RULE_FIELDS.map(({ value }) => value)

/**
 * What a rule does with a vehicle that doesn't have an amount which its limit or its minimum price needs. `skip`: a reduction
 * leaves the vehicle as it is, and a minimum price doesn't apply to it. `cost`: its cost is used instead. `stop`: a reduction
 * isn't saved while vehicles lack the amount, and with a minimum price nothing lowers the price of the vehicle.
 */
export const WHEN_MISSING = [
  { value: 'skip', label: 'Skip the vehicle' },
  { value: 'cost', label: 'Use its cost' },
  { value: 'stop', label: 'Stop' },
] as const
export type WhenMissing = (typeof WHEN_MISSING)[number]['value']
export const WHEN_MISSING_CODES = WHEN_MISSING.map(({ value }) => value)
