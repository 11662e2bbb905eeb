import { z } from 'zod'
import { isEmail, isPhone, MAX_PHONE, NO_PHONE } from './contact.ts'
import { isCountry } from './countries.ts'
import { Id, Instant, line, optionalLine, Version } from './fields.ts'

/** What is entered. `RecordInputs` renders it; a field with its own rules has none, so its form brings the input. */
type FieldEntry =
  | Readonly<{ kind: TextKind; max: number; isRequired: boolean }>
  | Readonly<{ kind: 'choice'; choices: readonly Readonly<{ value: string; label: string }>[] }>
  | Readonly<{ kind: 'flag' }>
export type TextKind = 'text' | 'email' | 'url' | 'phone' | 'country'

/** A field that callers can write. Declare one with `requiredText`, `optionalText` or `choice`, or with `field` if it has its own rules. */
export type Field<
  Create extends z.ZodType = z.ZodType,
  Update extends z.ZodType = z.ZodType,
  Stored extends z.ZodType = z.ZodType,
> = Readonly<{
  /** Its name in forms and in the comparison of two versions. */
  label: string
  /** What callers send to add a record. */
  create: Create
  /** What they send to change one; optional, because fields that aren't sent stay. */
  update: Update
  /** What responses contain. */
  stored: Stored
  /** What an empty form field means: null, '' or a default. Undefined: it isn't sent. */
  blank: z.output<Stored> | undefined
  entry?: FieldEntry
}>

type Fields = Readonly<Record<string, Field>>

/** The fields that every record has and callers can't set. */
const tracked = {
  version: z.number().int(),
  updatedAt: Instant,
  /** Null if the product made the change. */
  updatedBy: z.string().nullable(),
}

type Flat<T> = { [K in keyof T]: T[K] }
type StoredShape<F extends Fields, R extends z.ZodRawShape> = Flat<
  { id: z.ZodString } & { [K in keyof F]: F[K]['stored'] } & R & typeof tracked
>
type CreateShape<F extends Fields> = { [K in keyof F]: F[K]['create'] }
type ChangeShape<F extends Fields> = Flat<
  { id: typeof Id; version: typeof Version } & { [K in keyof F]: F[K]['update'] }
>
type UpdateShape<F extends Fields, R extends z.ZodRawShape> = Flat<
  ChangeShape<F> & {
    [K in Exclude<keyof (R & typeof tracked), 'version'>]: z.ZodOptional<z.ZodUnknown>
  }
>

/** What `record` makes of its fields. */
export type RecordOf<F extends Fields = Fields, R extends z.ZodRawShape = z.ZodRawShape> = Readonly<{
  fields: F
  /** The record in responses: id, fields, read-only fields, version, and who changed it when. */
  schema: z.ZodObject<StoredShape<F, R>>
  /** The input that adds one. Extend it with whatever else the endpoint takes. */
  create: z.ZodObject<CreateShape<F>, z.core.$strict>
  /** The ID, the version and the fields to change, to extend for an endpoint that takes more. */
  changes: z.ZodObject<ChangeShape<F>>
  /** The input that changes one. Accepts a whole response: read-only fields are ignored. */
  update: z.ZodType<
    Omit<z.output<z.ZodObject<UpdateShape<F, R>>>, keyof R | 'updatedAt' | 'updatedBy'>,
    z.input<z.ZodObject<UpdateShape<F, R>>>
  >
}>

/**
 * A record with an ID and a version, declared once by its fields. Its schemas, its form (`recordForm`) and its columns
 * (`columnMap`) follow from them:
 *
 *     export const lotRecord = record(
 *       { name: requiredText('Name', 100), city: optionalText('City', 100) },
 *       { readOnly: { zone: z.string() } },
 *     )
 *     export type Lot = z.infer<typeof lotRecord.schema>
 *
 * `readOnly`: what responses contain besides the fields. The first signature states the exact types, which TypeScript
 * can't compute from a loop; record.test.ts compares them with the schemas.
 */
export function record<const F extends Fields, R extends z.ZodRawShape>(
  fields: F,
  more: { readOnly: R },
): RecordOf<F, R>
export function record(fields: Fields, { readOnly }: { readOnly: z.ZodRawShape }) {
  const each = (part: 'create' | 'update' | 'stored') =>
    Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one[part]]))
  const { version: _, ...ignored } = { ...readOnly, ...tracked }
  const echoed = Object.fromEntries(Object.keys(ignored).map((name) => [name, z.unknown().optional()]))
  const changes = z.object({ id: Id, version: Version, ...each('update') })
  return {
    fields,
    schema: z.object({ id: z.string(), ...each('stored'), ...readOnly, ...tracked }),
    create: z.strictObject(each('create')),
    changes,
    update: z
      .strictObject({ ...changes.shape, ...echoed })
      .transform((sent) =>
        Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(echoed, name))),
      ),
  }
}

/** A field with its own rules. Make `input` optional if a record can be added without it. */
export function field<I extends z.ZodType, S extends z.ZodType>(
  label: string,
  { input, stored, blank }: { input: I; stored: S; blank: z.output<S> | undefined },
): Field<I, z.ZodOptional<I>, S> {
  return { label, create: input, update: input.optional(), stored, blank }
}

/** A required line of text of at most `max` characters. */
export function requiredText(label: string, max: number) {
  return lineField(label, { kind: 'text', max, isRequired: true }, line(max, label))
}

/** An optional line of text of at most `max` characters; null if empty. */
export function optionalText(label: string, max: number) {
  return optionalLineField(label, { kind: 'text', max, isRequired: false }, optionalLine(max, label))
}

const MAX_EMAIL = 254
const MAX_URL = 300

const isUrl = (text: string): boolean => z.url({ protocol: /^https?$/ }).safeParse(text).success

/** An email address; null if empty, unless it is required. */
export const emailField = textKind('email', MAX_EMAIL, isEmail, 'Enter a valid email address.')
/** A web address with http or https; null if empty, unless it is required. */
export const urlField = textKind(
  'url',
  MAX_URL,
  isUrl,
  'Enter a web address such as https://www.example.com.',
)
/** A phone number as people write it; null if empty, unless it is required. */
export const phoneField = textKind('phone', MAX_PHONE, isPhone, NO_PHONE)
/** A country code of two letters; null if empty, unless it is required. */
export const countryField = textKind('country', 2, isCountry, 'Choose a country.')

/** Declares the fields of one kind of text. `sentence`: what is wrong with a text that isn't one. */
function textKind(kind: TextKind, max: number, isValid: (text: string) => boolean, sentence: string) {
  function declare(label: string): ReturnType<typeof optionalLineField>
  function declare(label: string, more: { isRequired: true }): ReturnType<typeof lineField>
  function declare(label: string, more?: { isRequired: true }) {
    const isAbsentOrValid = (text: string | null | undefined) => text == null || isValid(text)
    return more === undefined
      ? optionalLineField(
          label,
          { kind, max, isRequired: false },
          optionalLine(max, label).refine(isAbsentOrValid, sentence),
        )
      : lineField(label, { kind, max, isRequired: true }, line(max, label).refine(isValid, sentence))
  }
  return declare
}

function lineField(label: string, entry: FieldEntry, input: ReturnType<typeof line>) {
  return { ...field(label, { input, stored: z.string(), blank: '' }), entry }
}

function optionalLineField(label: string, entry: FieldEntry, input: ReturnType<typeof optionalLine>) {
  return { ...field(label, { input, stored: z.string().nullable(), blank: null }), entry }
}

/** One of several values; a new record has the value `initial` unless another one is sent. */
export function choice<const V extends string>(
  label: string,
  choices: readonly Readonly<{ value: V; label: string }>[],
  { message, initial }: { message: string; initial: NoInfer<V> },
) {
  const values = choices.map(({ value }) => value)
  const input = z.enum(values, message)
  return {
    label,
    create: input.optional().default(initial),
    update: input.optional(),
    stored: z.enum(values),
    blank: initial,
    entry: { kind: 'choice', choices } as const,
  }
}

/** Yes or no; a new record has the value `initial` unless another one is sent. */
export function flag(label: string, { initial }: { initial: boolean }) {
  const input = z.boolean()
  return {
    label,
    create: input.optional().default(initial),
    update: input.optional(),
    stored: z.boolean(),
    blank: initial,
    entry: { kind: 'flag' } as const,
  }
}

/** The label of a value among its choices. */
export function labelOf(
  choices: readonly Readonly<{ value: string; label: string }>[],
  value: string,
): string {
  return choices.find((one) => one.value === value)?.label ?? value
}
