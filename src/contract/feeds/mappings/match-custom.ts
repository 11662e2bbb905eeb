import {
  type CustomField,
  customFieldName,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { squeezeName } from './aliases.ts'
import { columnsOf, type FeedMapping } from './mapping.ts'
import type { Match } from './match.ts'

/** Matches columns to custom fields by the field's name or key. */
export function matchCustom(columns: readonly string[], own: readonly CustomField[]): Match[] {
  return own
    .filter(({ isArchived }) => !isArchived)
    .flatMap((field): Match[] => {
      const names = [squeezeName(field.name), squeezeName(field.key)].filter((name) => name !== '')
      const column = columns.find((one) => names.includes(squeezeName(one)))
      if (column === undefined) return []
      return [
        {
          target: customFieldName(field),
          mapping: { source: { kind: 'column', column } },
          confidence: 0.97,
          reason: `Column name matches the ${field.name} field`,
        },
      ]
    })
}

/**
 * A remembered mapping with the custom fields of today: fields that were archived or deleted since are left out, and fields
 * that were added since get the unused columns with their name.
 */
export function withCustomFields(
  mapping: FeedMapping,
  columns: readonly string[],
  own: readonly CustomField[],
): FeedMapping {
  const active = new Set<string>(own.filter(({ isArchived }) => !isArchived).map(customFieldName))
  const fields = Object.fromEntries(
    Object.entries(mapping.fields).filter(([target]) => !isCustomFieldName(target) || active.has(target)),
  )
  const used = new Set(Object.values(fields).flatMap((one) => (one === undefined ? [] : columnsOf(one))))
  const added = matchCustom(columns, own).filter(
    ({ target, mapping: { source } }) =>
      !(target in fields) && source.kind === 'column' && !used.has(source.column),
  )
  return {
    ...mapping,
    fields: { ...fields, ...Object.fromEntries(added.map(({ target, mapping: one }) => [target, one])) },
  }
}
