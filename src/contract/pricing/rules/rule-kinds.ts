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
  { value: 'floor', label: 'Lowest price' },
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
