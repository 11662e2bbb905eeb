export const CONDITIONS = ['new', 'used', 'cpo', 'demo'] as const

/** In workflow order. `removed`: its feed no longer contains it. */
export const VEHICLE_STATUSES = [
  'incoming',
  'preparing',
  'live',
  'hold',
  'pending',
  'sold',
  'archived',
  'wholesale',
  'removed',
] as const

/** Levels of electrification, from none to fully electric. */
export const ELECTRIFICATIONS = ['none', 'mild', 'hybrid', 'plug-in', 'electric', 'fuel-cell'] as const

/** Sources of a value: a feed, the VIN decoder, a user, or a data mapping. */
export const VALUE_SOURCES = ['feed', 'vin', 'user', 'mapping'] as const

/** Where a price comes from: the feed, a person who changed it, or a special price that rules don't change. */
export const PRICE_STATES = ['source', 'person', 'fixed'] as const
/** What to do about a price that a person set, when the feed sends another one than before. */
export const PRICE_ANSWERS = ['take', 'keep'] as const
