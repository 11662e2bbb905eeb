/** The vPIC elements in the table, with their vPIC IDs. The index in this list is the element's code in the table. */
export const ELEMENTS = [
  { vpic: 28, name: 'model' },
  { vpic: 38, name: 'trim' },
  { vpic: 34, name: 'series' },
  { vpic: 5, name: 'body' },
  { vpic: 14, name: 'doors' },
  { vpic: 24, name: 'fuel' },
  { vpic: 66, name: 'secondFuel' },
  { vpic: 126, name: 'electrification' },
  { vpic: 2, name: 'battery' },
  { vpic: 15, name: 'drivetrain' },
  { vpic: 13, name: 'litres' },
  { vpic: 9, name: 'cylinders' },
  { vpic: 64, name: 'cylinderLayout' },
  { vpic: 135, name: 'turbo' },
  { vpic: 18, name: 'engineModel' },
  { vpic: 129, name: 'engineNotes' },
  { vpic: 25, name: 'weight' },
] as const
export type ElementName = (typeof ELEMENTS)[number]['name']

/** The sections of the table, in order; each starts at a multiple of four bytes. */
export const SECTIONS = [
  /** Manufacturer codes (WMI), six bytes each, padded with spaces, sorted. */
  'wmis',
  /** For each WMI, its offset in `makers`: four bytes, little-endian. */
  'makerStarts',
  /** Vehicle type, number of makes, makes (most common first), number of schemas, and each schema with its first and last year (0: no end). */
  'makers',
  'schemaStarts',
  /**
   * A schema: number of groups, then each key (length, characters) with its elements (length; elements with their string
   * numbers, or the model number for a model). More specific keys come first.
   */
  'schemas',
  'stringStarts',
  'strings',
  /** The name and make of each model, two string numbers of four bytes; `schemas` refers to models by their index here. */
  'models',
  /** Number of engines, then for each engine name: its string, the number of elements, elements with their strings. */
  'engines',
] as const
export type SectionName = (typeof SECTIONS)[number]

/** Increment when the layout changes; tables with another layout are rejected. */
export const LAYOUT = 1
/** Years are stored as offsets from this year. */
export const FIRST_YEAR = 1900
export const WMI_BYTES = 6
/** Vehicle types by vPIC ID. */
export const VEHICLE_KINDS: Readonly<Record<number, string>> = {
  1: 'Motorcycle',
  2: 'Passenger car',
  3: 'Truck',
  5: 'Bus',
  6: 'Trailer',
  7: 'Multipurpose passenger vehicle',
  9: 'Low speed vehicle',
  10: 'Incomplete vehicle',
  13: 'Off road vehicle',
}
