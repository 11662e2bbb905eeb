import { VEHICLE_FIELDS } from '../vehicles/vehicle-fields.ts'

/** The fields whose values go through the data mapping, in the order in which screens offer them. */
export const MAPPED_FIELDS = [
  'body',
  'drivetrain',
  'fuel',
  'transmission',
  'genericColour',
  'electrification',
  'condition',
  'make',
  'model',
] as const
export type MappedField = (typeof MAPPED_FIELDS)[number]

/** Those that hold any word. What the others cannot say is not kept, so a vehicle never holds a feed's own word there. */
export const WORD_FIELDS = [
  'body',
  'drivetrain',
  'fuel',
  'transmission',
  'genericColour',
  'make',
  'model',
] as const satisfies readonly MappedField[]
export type WordField = (typeof WORD_FIELDS)[number]

/** A value as it is compared: without case and spare blanks. */
export function valueKey(raw: string): string {
  return raw.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
}

/** "Body", "Generic colour": what a field is called. */
export const fieldTitle = (field: MappedField): string => VEHICLE_FIELDS[field].title
