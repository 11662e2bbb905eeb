import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'

/** The fields with data mappings, in display order. */
export const MAPPED_FIELDS = [
  'body',
  'drivetrain',
  'fuel',
  'transmission',
  'genericColor',
  'electrification',
  'condition',
  'make',
  'model',
] as const
export type MappedField = (typeof MAPPED_FIELDS)[number]

/** The mapped fields that are free text. The others are enums, so an unmapped feed value is never stored in them. */
export const TEXT_FIELDS = [
  'body',
  'drivetrain',
  'fuel',
  'transmission',
  'genericColor',
  'make',
  'model',
] as const satisfies readonly MappedField[]
export type TextField = (typeof TEXT_FIELDS)[number]

/** The form in which values are compared: case-insensitive, with whitespace collapsed. */
export function valueKey(raw: string): string {
  return raw.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
}

/** The field's label: "Body", "Generic color". */
export const fieldTitle = (field: MappedField): string => VEHICLE_FIELDS[field].title
