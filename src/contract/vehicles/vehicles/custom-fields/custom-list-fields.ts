import { customFieldName, type CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import type { FieldKind, List, ListField } from '#contract/lists/list.ts'

const KINDS = {
  text: 'text',
  number: 'decimal',
  date: 'date',
  flag: 'flag',
  choice: 'choice',
} as const satisfies Record<CustomField['kind'], FieldKind>

/** A custom field as an optional, filterable column. */
function customListField({ name, kind, unit, choices }: CustomField): ListField {
  return {
    title: name,
    kind: KINDS[kind],
    isHidden: true,
    ...(kind === 'choice' && { choices: choices.map((value) => ({ value, label: value })) }),
    ...(kind === 'number' && unit !== null && { unit }),
  }
}

/** A list with the active custom fields added after its own. */
export function listWithCustom(list: List, fields: readonly CustomField[]): List {
  const open = fields.filter(({ isArchived }) => !isArchived)
  const listed = open.map((field): [string, ListField] => [customFieldName(field), customListField(field)])
  return { ...list, fields: { ...list.fields, ...Object.fromEntries(listed) } }
}
