/** How a rule chooses among its destinations. */
export const STRATEGIES = [
  { value: 'all', label: 'All' },
  { value: 'round-robin', label: 'Round-robin' },
  { value: 'weighted', label: 'Weighted' },
  { value: 'least-recent', label: 'Least recent' },
  { value: 'least-open', label: 'Fewest open leads' },
  { value: 'failover', label: 'Failover' },
] as const
export type Strategy = (typeof STRATEGIES)[number]['value']

/** When a rule applies, by the opening hours of the lot. */
export const HOURS = [
  { value: 'any', label: 'At any time' },
  { value: 'open', label: 'While the lot is open' },
  { value: 'closed', label: 'While the lot is closed' },
  { value: 'between', label: 'Between two times' },
] as const
export type Hours = (typeof HOURS)[number]['value']

export const TRADE_INS = [
  { value: 'any', label: 'With or without' },
  { value: 'with', label: 'With a trade-in' },
  { value: 'without', label: 'Without a trade-in' },
] as const
export type TradeIn = (typeof TRADE_INS)[number]['value']

/** Where a rule sends leads. */
export const DESTINATION_KINDS = [
  { value: 'adf', label: 'ADF email' },
  { value: 'email', label: 'Plain email' },
  { value: 'webhook', label: 'Webhook' },
  { value: 'user', label: 'User' },
  { value: 'team', label: 'Team' },
] as const
export type DestinationKind = (typeof DESTINATION_KINDS)[number]['value']

/** Destinations inside the product: they need no delivery, so they can't fail. */
export const isInbox = (kind: DestinationKind): boolean => kind === 'user' || kind === 'team'
