import { z } from 'zod'
import { foldCase } from '#contract/expressions/fold-case.ts'
import { line, optionalLine } from '#contract/fields.ts'

/** Per customer, including archived fields. */
export const MAX_CUSTOM_FIELDS = 50
export const MAX_CUSTOM_CHOICES = 100
export const CUSTOM_FIELD_KINDS = ['text', 'number', 'date', 'flag', 'choice'] as const
export type CustomFieldKind = (typeof CUSTOM_FIELD_KINDS)[number]

/** The name of a custom field wherever vehicle fields are named: in rules, mappings, locks and columns. */
export type CustomFieldName = `custom_${string}`

const NAME = /^custom_[a-z][a-z0-9_]{0,39}$/
export const isCustomFieldName = (name: unknown): name is CustomFieldName =>
  typeof name === 'string' && NAME.test(name)
export const CustomFieldName = z.custom<CustomFieldName>(isCustomFieldName, "This isn't a custom field.")

export const customFieldName = ({ key }: Pick<CustomField, 'key'>): CustomFieldName => `custom_${key}`

/** A vehicle field defined by a customer. */
export const CustomField = z.strictObject({
  /** Can't be changed: values are stored under it. */
  key: z
    .string('Key must be text.')
    .regex(
      /^[a-z][a-z0-9_]{0,39}$/,
      'Key must start with a letter and contain only lowercase letters, digits and _ (40 at most).',
    ),
  name: line(60, 'Name'),
  /** Can't be changed once saved. */
  kind: z.enum(CUSTOM_FIELD_KINDS, 'Choose a type.'),
  /** Shown after a number: "mm". */
  unit: optionalLine(12, 'Unit')
    .default(null)
    .transform((unit) => unit ?? null),
  /** The options of a choice field; empty for other kinds. */
  choices: z
    .array(line(60, 'Choice'), 'Choices must be a list.')
    .max(MAX_CUSTOM_CHOICES, `A field can have at most ${MAX_CUSTOM_CHOICES} choices.`)
    .default([]),
  /** Its values are kept, but it's hidden from forms and lists. */
  isArchived: z.boolean('Archived must be true or false.').default(false),
})
export type CustomField = z.output<typeof CustomField>

/** A customer's custom fields, in display order. */
export const CustomFields = z
  .array(CustomField, 'Custom fields must be a list.')
  .max(MAX_CUSTOM_FIELDS, `A customer can have at most ${MAX_CUSTOM_FIELDS} custom fields.`)
  .superRefine((fields, context) => {
    const addIssue = (at: number, name: keyof CustomField, message: string) =>
      context.addIssue({ code: 'custom', path: [at, name], message })
    for (const [at, field] of fields.entries()) {
      const before = fields.slice(0, at)
      if (before.some(({ key }) => key === field.key))
        addIssue(at, 'key', 'Another field already has this key.')
      if (before.some(({ name }) => foldCase(name) === foldCase(field.name))) {
        addIssue(at, 'name', 'Another field already has this name.')
      }
      if (field.kind === 'choice' && field.choices.length === 0)
        addIssue(at, 'choices', 'Add at least one choice.')
      if (new Set(field.choices.map(foldCase)).size < field.choices.length) {
        addIssue(at, 'choices', 'Each choice can be listed only once.')
      }
    }
  })

/** Text, a number, a date as `2026-03-01`, or a boolean. */
export const CustomValue = z.union([z.string(), z.number(), z.boolean()])
export type CustomValue = z.infer<typeof CustomValue>

const MAX_NUMBER = 1_000_000_000_000
export const MAX_CUSTOM_TEXT = 200
const Text = line(MAX_CUSTOM_TEXT)

/**
 * Validates a value for a field. Returns the value to store (null clears it), or an error message.
 */
export function readCustomValue(
  field: CustomField,
  value: CustomValue | null,
): { value: CustomValue | null } | string {
  if (value === null || value === '') return { value: null }
  const { name, kind, choices } = field
  switch (kind) {
    case 'number': {
      const isValid =
        typeof value === 'number' && Math.abs(value) <= MAX_NUMBER && Number(value.toFixed(4)) === value
      return isValid ? { value } : `${name} must be a number with at most four decimal places.`
    }
    case 'flag':
      return typeof value === 'boolean' ? { value } : `${name} must be yes or no.`
    case 'date':
      return typeof value === 'string' && z.iso.date().safeParse(value).success
        ? { value }
        : `${name} must be a date such as 2026-03-01.`
    case 'choice': {
      const choice = choices.find(
        (one) => typeof value === 'string' && foldCase(one) === foldCase(value.trim()),
      )
      return choice === undefined
        ? `${name} must be one of ${choices.slice(0, 5).join(', ')}.`
        : { value: choice }
    }
    default: {
      const read = Text.safeParse(value)
      return read.success
        ? { value: read.data }
        : `${name} must be a single line of at most ${MAX_CUSTOM_TEXT} characters.`
    }
  }
}
