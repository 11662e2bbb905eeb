import { z } from 'zod'
import { foldCase } from '#contract/expressions/fold-case.ts'
import { line, optionalLine } from '#contract/fields.ts'

/** How many fields of its own a customer may have, the archived ones included. */
export const MOST_CUSTOM_FIELDS = 50
export const MOST_CUSTOM_CHOICES = 100
export const CUSTOM_FIELD_KINDS = ['text', 'number', 'date', 'flag', 'choice'] as const
export type CustomFieldKind = (typeof CUSTOM_FIELD_KINDS)[number]

/** The name of a customer's own field wherever fields of a vehicle are named: in rules, mappings, locks and columns. */
export type CustomFieldName = `custom_${string}`

const NAME = /^custom_[a-z][a-z0-9_]{0,39}$/
export const isCustomFieldName = (name: unknown): name is CustomFieldName =>
  typeof name === 'string' && NAME.test(name)
export const CustomFieldName = z.custom<CustomFieldName>(isCustomFieldName, 'This is no custom field.')

export const customFieldName = ({ key }: Pick<CustomField, 'key'>): CustomFieldName => `custom_${key}`

/** A field of vehicles that a customer made for itself. */
export const CustomField = z.strictObject({
  /** Never another: values are kept by it. */
  key: z
    .string('Key must be text.')
    .regex(
      /^[a-z][a-z0-9_]{0,39}$/,
      'A key begins with a letter and has small letters, digits and _ only, at most 40.',
    ),
  name: line(60, 'Name'),
  /** Never another once it is saved. */
  kind: z.enum(CUSTOM_FIELD_KINDS, 'Choose a kind.'),
  /** Behind a number: "mm". */
  unit: optionalLine(12, 'Unit')
    .default(null)
    .transform((unit) => unit ?? null),
  /** What may be chosen; empty for the other kinds. */
  choices: z
    .array(line(60, 'A choice'), 'Choices must be a list of words.')
    .max(MOST_CUSTOM_CHOICES, `A field may have at most ${MOST_CUSTOM_CHOICES} choices.`)
    .default([]),
  /** Its values stay, and nothing offers it any more. */
  isArchived: z.boolean('Say true or false.').default(false),
})
export type CustomField = z.output<typeof CustomField>

/** A customer's own fields, in the order in which screens show them. */
export const CustomFields = z
  .array(CustomField, 'Custom fields must be a list.')
  .max(MOST_CUSTOM_FIELDS, `A customer may have at most ${MOST_CUSTOM_FIELDS} custom fields.`)
  .superRefine((fields, context) => {
    const flaw = (at: number, name: keyof CustomField, message: string) =>
      context.addIssue({ code: 'custom', path: [at, name], message })
    for (const [at, field] of fields.entries()) {
      const before = fields.slice(0, at)
      if (before.some(({ key }) => key === field.key)) flaw(at, 'key', 'Another field has this key.')
      if (before.some(({ name }) => foldCase(name) === foldCase(field.name))) {
        flaw(at, 'name', 'Another field has this name.')
      }
      if (field.kind === 'choice' && field.choices.length === 0)
        flaw(at, 'choices', 'Give at least one choice.')
      if (new Set(field.choices.map(foldCase)).size < field.choices.length) {
        flaw(at, 'choices', 'Each choice stands once.')
      }
    }
  })

/** Text, a number, a day as `2026-03-01`, or yes and no. */
export const CustomValue = z.union([z.string(), z.number(), z.boolean()])
export type CustomValue = z.infer<typeof CustomValue>

const MOST_NUMBER = 1_000_000_000_000
export const LONGEST_CUSTOM_TEXT = 200
const Text = line(LONGEST_CUSTOM_TEXT)

/**
 * A value that somebody gives a field, as it is kept; null where it is emptied, or the sentence that says why it is none.
 */
export function readCustomValue(
  field: CustomField,
  value: CustomValue | null,
): { value: CustomValue | null } | string {
  if (value === null || value === '') return { value: null }
  const { name, kind, choices } = field
  switch (kind) {
    case 'number': {
      const isKept =
        typeof value === 'number' && Math.abs(value) <= MOST_NUMBER && Number(value.toFixed(4)) === value
      return isKept ? { value } : `${name} must be a number with at most four decimals.`
    }
    case 'flag':
      return typeof value === 'boolean' ? { value } : `${name} must be yes or no.`
    case 'date':
      return typeof value === 'string' && z.iso.date().safeParse(value).success
        ? { value }
        : `${name} must be a day such as 2026-03-01.`
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
        : `${name} must be one line of at most ${LONGEST_CUSTOM_TEXT} characters.`
    }
  }
}
