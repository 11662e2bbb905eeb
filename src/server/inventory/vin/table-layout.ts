/** What the table keeps of a vehicle, by the number that vPIC gives it; the place in the list is its code in the table. */
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

/** What the table consists of, in this order, each beginning at a multiple of four bytes. */
export const SECTIONS = [
  /** The makers' codes, six bytes each, padded with spaces, sorted. */
  'wmis',
  /** For each maker's code, where in `makers` it begins: four bytes, little-endian. */
  'makerStarts',
  /** Kind of vehicle, how many makes, makes with the commonest first, how many schemas, and each with its first year and last, 0 for no end. */
  'makers',
  'schemaStarts',
  /**
   * A schema: how many groups, then a key (length, characters) with what it says (length; elements with their strings,
   * of a model its number). What is more exact comes first.
   */
  'schemas',
  'stringStarts',
  'strings',
  /** Each model's name and make, two strings of four bytes; what `schemas` has for a model is its number here. */
  'models',
  /** How many engines, then what each one's name says: its string, how many elements, elements with their strings. */
  'engines',
] as const
export type SectionName = (typeof SECTIONS)[number]

/** Changes with the layout: a table of another one is refused. */
export const LAYOUT = 1
/** Years are kept as what they are later than this. */
export const FIRST_YEAR = 1900
export const WMI_BYTES = 6
/** Kinds of vehicles as vPIC numbers them. */
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
