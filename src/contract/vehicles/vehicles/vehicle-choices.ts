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
