import type { CustomField, CustomFieldKind } from '#contract/customers/custom-fields/custom-fields.ts'

/** A field in the form. An empty key is derived from the name. */
export type CustomFieldRow = Omit<CustomField, 'unit'> & { unit: string }

export const BLANK_CUSTOM_FIELD: CustomFieldRow = {
  key: '',
  name: '',
  kind: 'text',
  unit: '',
  choices: [],
  isArchived: false,
}

export const CUSTOM_KIND_NAMES: Record<CustomFieldKind, string> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  flag: 'Yes or no',
  choice: 'Choice',
}

/** `key_board` for "Key board": lowercase letters, digits and _, starting with a letter. */
export function keyFrom(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 40)
}

export const toRows = (fields: readonly CustomField[]): CustomFieldRow[] =>
  fields.map((field) => ({ ...field, unit: field.unit ?? '' }))

/** Converts rows to the contract's input, without the properties of other kinds. */
export function fromRows(rows: readonly CustomFieldRow[]): CustomField[] {
  return rows.map(({ key, unit, choices, ...field }) => ({
    ...field,
    key: key.trim() || keyFrom(field.name),
    unit: field.kind === 'number' && unit.trim() !== '' ? unit : null,
    choices: field.kind === 'choice' ? choices : [],
  }))
}

export const showCustomField = ({ name, kind, isArchived }: CustomFieldRow): string =>
  `${name} (${CUSTOM_KIND_NAMES[kind].toLowerCase()}${isArchived ? ', archived' : ''})`
