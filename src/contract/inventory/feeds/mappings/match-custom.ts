import { type CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { squeezeName } from './aliases.ts'
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
