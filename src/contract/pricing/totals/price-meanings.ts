/** What the price field of a custom file means to its receiver. Google and Meta require the total price. */
export const PRICE_MEANINGS = [
  { value: 'total', label: 'Total price' },
  { value: 'without-fees', label: 'Price without dealer fees' },
  { value: 'both', label: 'Total price, fees in extra columns' },
] as const
export type PriceMeaning = (typeof PRICE_MEANINGS)[number]['value']
export const PRICE_MEANING_CODES = PRICE_MEANINGS.map(({ value }) => value)

/** Where a price is sent: Google vehicle ads, Google vehicle listings (another product), Meta automotive inventory, and a custom file for any other receiver. */
export const CHANNEL_KINDS = ['google', 'google-listings', 'meta', 'csv'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]
