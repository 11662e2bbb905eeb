import { z } from 'zod'
import { fieldSentences } from '#contract/field-sentences.ts'
import type { Field, RecordOf } from '#contract/record.ts'
import type { Labels } from './differences.ts'

type Fields = Readonly<Record<string, Field>>
type Row<F extends Fields, R extends z.ZodRawShape> = z.output<RecordOf<F, R>['schema']>
type Input<F extends Fields> = z.input<RecordOf<F>['create']>

/** What an input holds: text instead of null. */
type FormValue<S> = null extends S ? Exclude<S, null> | '' : S
type PlainValues<F extends Fields> = { -readonly [K in keyof F]: FormValue<z.output<F[K]['stored']>> }

/** Everything `useRecordForm` needs to know about a record. */
export type FormModel<Values, Saved, Sent> = Readonly<{
  /** As the contract declares them. */
  fields: Fields
  schema: z.ZodType<Saved>
  /** In form order. */
  labels: Labels<Values>
  /** The values of a new record. */
  blank: Values
  toValues: (record: Saved) => Values
  /** The values as input for the API. */
  toInput: (values: Values) => Sent
  /** The contract's message for each invalid field. */
  check: (values: Values) => Record<string, string>
}>

/** Fields whose inputs hold something other than the value itself, such as opening hours as text for each day. */
export type FormPart<Name extends string, Stored, Values, Sent> = Readonly<{
  /** The fields of the record. The labels of their inputs take the place of the first one's. */
  fields: readonly Name[]
  labels: Labels<Values>
  blank: Values
  toValues: (record: Stored) => Values
  toInput: (values: Values) => Sent
  /** Adds its own messages, and moves the contract's to its inputs. */
  check: (values: Values, sentences: Record<string, string>) => Record<string, string>
}>

/**
 * The form of a record, derived from its fields: one input for each. An empty input is sent as the field's `blank`.
 * `part` replaces some fields by inputs of its own, and may add others.
 */
export function recordForm<F extends Fields, R extends z.ZodRawShape>(
  record: RecordOf<F, R>,
): FormModel<PlainValues<F>, Row<F, R>, Input<F>>
export function recordForm<
  F extends Fields,
  R extends z.ZodRawShape,
  Name extends keyof F & string,
  Values extends Record<string, unknown>,
  Sent extends Pick<Input<F>, Name & keyof Input<F>>,
>(
  record: RecordOf<F, R>,
  part: FormPart<Name, Row<F, R>, Values, Sent>,
): FormModel<Omit<PlainValues<F>, Name> & Values, Row<F, R>, Input<F> & Sent>
export function recordForm(
  { fields, schema, create }: RecordOf,
  part: FormPart<string, Loose, Loose, Loose> = NO_PART,
) {
  const names = Object.keys(fields).filter((name) => !part.fields.includes(name))
  const each = (make: (name: string, one: Field) => unknown): Loose =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, one]) =>
        names.includes(name) ? [[name, make(name, one)]] : [],
      ),
    )
  const toValues = (saved: Loose): Loose => ({
    ...each((name) => saved[name] ?? ''),
    ...part.toValues(saved),
  })
  const toInput = (values: Loose): Loose => ({
    ...each((name, { blank }) => (values[name] === '' ? blank : values[name])),
    ...part.toInput(values),
  })
  return {
    fields,
    schema,
    labels: labelsOf(fields, part),
    blank: { ...each((_name, { blank }) => blank ?? ''), ...part.blank },
    toValues,
    toInput,
    check: (values: Loose) => {
      // Without the strictness: a part may send more than the fields of the record.
      const { error } = z.object(create.shape).safeParse(toInput(values))
      return part.check(values, error ? fieldSentences(error) : {})
    },
  }
}

type Loose = Record<string, unknown>

const NO_PART: FormPart<string, Loose, Loose, Loose> = {
  fields: [],
  labels: {},
  blank: {},
  toValues: () => ({}),
  toInput: () => ({}),
  check: (_values, sentences) => sentences,
}

/** In the order of the fields. */
function labelsOf(fields: Fields, part: FormPart<string, Loose, Loose, Loose>): Record<string, string> {
  const labels = Object.entries(fields).flatMap(([name, { label }]) => {
    if (!part.fields.includes(name)) return [[name, label]]
    return name === part.fields[0] ? Object.entries(part.labels) : []
  })
  return Object.fromEntries(labels)
}
