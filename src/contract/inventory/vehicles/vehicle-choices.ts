export const CONDITIONS = ['new', 'used', 'cpo', 'demo'] as const

/** From the truck that brings it to the archive. `removed`: its feed names it no more. */
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

/** How far a vehicle drives by electricity, from not at all to by nothing else. */
export const ELECTRIFICATIONS = ['none', 'mild', 'hybrid', 'plug-in', 'electric', 'fuel-cell'] as const

/** What wrote a value: a feed, the decoding of the VIN, a person, or the mapping of values. */
export const VALUE_SOURCES = ['feed', 'vin', 'user', 'mapping'] as const
