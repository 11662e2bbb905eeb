import { z } from 'zod'
import { MAX_FILTER } from '../queried-list.ts'
import {
  CONSENT_CHANNELS,
  CONSENT_PURPOSES,
  COUNTRIES,
  FILE_KINDS,
  OBLIGATIONS,
  ORGANIZATION_SIZES,
} from './vocabulary.ts'
import {
  MAX_CHOICES,
  MAX_CODE,
  MAX_COLUMNS,
  MAX_DECIMALS,
  MAX_EDITIONS,
  MAX_FILES,
  MAX_LANGUAGES,
  MAX_LINE,
  MAX_LONG_TEXT,
  MAX_MATRIX_ROWS,
  MAX_QUESTIONS,
  MAX_RATING,
  MAX_RULES,
  MAX_SECTIONS,
  MAX_TABLE_ROWS,
  MAX_TEXT,
  MAX_TITLE,
} from './limits.ts'

export { CONSENT_CHANNELS, CONSENT_PURPOSES, COUNTRIES, FILE_KINDS, OBLIGATIONS }
export type { Country } from './vocabulary.ts'

// These schemas accept an unfinished draft. What must be true before it can be published is in `check-definition.ts`.

/** Text that the database can store. */
const text = (max: number, message?: string) =>
  z
    .string()
    .max(max, message)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'Remove the special characters.')
const textsOf = (max: number) =>
  z
    .record(text(35), text(max, `A text may have at most ${max} characters.`))
    .refine((texts) => Object.keys(texts).length <= MAX_LANGUAGES, `At most ${MAX_LANGUAGES} languages.`)
/** Titles, one per language. */
const Titles = textsOf(MAX_TITLE)
/** Longer texts, one per language. */
const LongTexts = textsOf(MAX_TEXT)
const Code = text(MAX_CODE, `A code may have at most ${MAX_CODE} characters.`)
const RuleText = text(MAX_FILTER, `A rule can have at most ${MAX_FILTER} characters.`)
/** Plain digits, so that no decimal is rounded. */
const Decimal = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,10})?$/, 'Enter a number in plain digits, like 1500 or 0.25.')
const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'Enter a date as 2026-03-01.')
const count = (max: number) => z.number().int().min(0).max(max)
const yes = z.literal(true).optional()

const CountryCode = z.enum(COUNTRIES)

const Choice = z.strictObject({ value: text(MAX_CODE), title: Titles })
export type QuestionChoice = z.infer<typeof Choice>
const Choices = z.array(Choice).max(MAX_CHOICES, `At most ${MAX_CHOICES} choices.`)

const base = {
  /** Stable and unique in the definition. The name of the answer in rules, exports and emails. */
  code: Code,
  title: Titles,
  help: LongTexts.optional(),
  /** Voluntary if absent. */
  obligation: z.enum(OBLIGATIONS).optional(),
  /** Exceptions for editions and sizes of organizations: the first one that applies counts. */
  obligations: z
    .array(
      z.strictObject({
        edition: Code.optional(),
        sizes: z.array(z.enum(ORGANIZATION_SIZES)).max(ORGANIZATION_SIZES.length).optional(),
        obligation: z.enum(OBLIGATIONS),
      }),
    )
    .max(MAX_EDITIONS * ORGANIZATION_SIZES.length)
    .optional(),
  /** The same concept in other questionnaires, such as an XBRL concept. */
  conceptId: text(200).optional(),
  /** Not shown. Filled from the URL, or computed. */
  isHidden: yes,
  /** The URL parameter that fills it. */
  prefill: text(MAX_CODE).optional(),
  /** Asked only while this rule is true. */
  visibleIf: RuleText.optional(),
  /** Makes a voluntary question required while this rule is true. */
  requiredIf: RuleText.optional(),
  /** A name that other questions of the section have too: at least one of them that are asked must be answered. */
  oneOf: Code.optional(),
  /** Must be true, once every question it names has an answer. */
  check: RuleText.optional(),
  /** Shown instead of the standard messages. */
  messages: z.strictObject({ check: Titles.optional(), required: Titles.optional() }).optional(),
}

const lengths = (max: number) => ({ minLength: count(max).optional(), maxLength: count(max).optional() })
const numbers = {
  unit: text(30).optional(),
  /** Most decimals of an answer. */
  decimals: count(MAX_DECIMALS).optional(),
  min: Decimal.optional(),
  max: Decimal.optional(),
}
const days = { earliest: Day.optional(), latest: Day.optional() }
const ask = <Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...base, ...shape })

const column = <Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), code: Code, title: Titles, isRequired: yes, ...shape })
const Column = z.discriminatedUnion('type', [
  column('text', lengths(MAX_LINE)),
  /** `total`: the name of the column's sum in rules. */
  column('number', { ...numbers, total: Code.optional() }),
  column('date', days),
  column('boolean', {}),
  column('single', { choices: Choices }),
])
/** A column of a table. */
export type QuestionColumn = z.infer<typeof Column>

export const Question = z.discriminatedUnion('type', [
  ask('text', lengths(MAX_LINE)),
  ask('longText', lengths(MAX_LONG_TEXT)),
  ask('email', {}),
  /** `country`: of numbers without a country code. Without it they stay as entered. */
  ask('phone', { country: CountryCode.optional() }),
  ask('url', {}),
  ask('vin', {}),
  ask('postalCode', { country: CountryCode.optional() }),
  ask('number', numbers),
  ask('date', days),
  ask('boolean', {}),
  ask('single', { choices: Choices, allowOther: yes }),
  ask('multiple', {
    choices: Choices,
    allowOther: yes,
    minChoices: count(MAX_CHOICES).optional(),
    maxChoices: count(MAX_CHOICES).optional(),
  }),
  /** From 1 to `max`. */
  ask('rating', {
    max: z.number().int().min(2).max(MAX_RATING),
    lowest: Titles.optional(),
    highest: Titles.optional(),
  }),
  /** One choice in each row. */
  ask('matrix', {
    rows: z
      .array(z.strictObject({ code: Code, title: Titles }))
      .max(MAX_MATRIX_ROWS, `At most ${MAX_MATRIX_ROWS} rows.`),
    choices: Choices,
  }),
  ask('table', {
    columns: z.array(Column).max(MAX_COLUMNS, `At most ${MAX_COLUMNS} columns.`),
    minRows: count(MAX_TABLE_ROWS).optional(),
    maxRows: count(MAX_TABLE_ROWS).optional(),
  }),
  ask('file', {
    accept: z.array(z.enum(FILE_KINDS)).max(FILE_KINDS.length).optional(),
    maxFiles: count(MAX_FILES).optional(),
  }),
  ask('address', { country: CountryCode.optional() }),
  ask('person', {}),
  ask('facility', {}),
  /** The result of the rule `calculate`. Numbers are rounded half up to `decimals`, 10 if absent. */
  ask('computed', {
    calculate: RuleText,
    result: z.enum(['number', 'text', 'boolean']),
    unit: text(30).optional(),
    decimals: count(MAX_DECIMALS).optional(),
  }),
  /** Text without an answer. */
  ask('note', { text: LongTexts }),
  /** `{seller}` in the text is replaced by the seller's name. A changed text needs a new `version`. */
  ask('consent', {
    text: LongTexts,
    version: z.number().int().min(1).max(1_000_000),
    purpose: z.enum(CONSENT_PURPOSES),
    channels: z.array(z.enum(CONSENT_CHANNELS)).max(CONSENT_CHANNELS.length),
  }),
])
export type Question = z.infer<typeof Question>
export type QuestionType = Question['type']
/** A question of one type: `QuestionOf<'single'>`. */
export type QuestionOf<Type extends QuestionType> = Extract<Question, { type: Type }>

const Section = z.strictObject({
  id: text(MAX_CODE),
  title: Titles,
  description: LongTexts.optional(),
  visibleIf: RuleText.optional(),
  questions: z.array(Question).max(MAX_QUESTIONS, `At most ${MAX_QUESTIONS} questions.`),
})
export type Section = z.infer<typeof Section>

/** A form or questionnaire. Each section of a form may be one of its steps. */
export const Definition = z
  .strictObject({
    /** Language tags, the default first. */
    languages: z.array(text(35)).min(1).max(MAX_LANGUAGES),
    /** What assessments choose from if obligations differ, such as Basic and Comprehensive. */
    editions: z
      .array(z.strictObject({ code: Code, title: Titles }))
      .max(MAX_EDITIONS, `At most ${MAX_EDITIONS} editions.`)
      .optional(),
    sections: z.array(Section).max(MAX_SECTIONS, `At most ${MAX_SECTIONS} sections.`),
  })
  .refine(
    ({ sections }) => sections.reduce((sum, { questions }) => sum + questions.length, 0) <= MAX_QUESTIONS,
    `At most ${MAX_QUESTIONS} questions.`,
  )
  .refine(
    (definition) => lengthOfRules(definition) <= MAX_RULES,
    `All rules together may have at most ${MAX_RULES} characters.`,
  )
export type Definition = z.infer<typeof Definition>

function lengthOfRules({ sections }: { sections: readonly Section[] }): number {
  const rules = sections.flatMap(({ visibleIf, questions }) => [
    visibleIf,
    ...questions.flatMap((question) => [
      question.visibleIf,
      question.requiredIf,
      question.check,
      question.type === 'computed' ? question.calculate : undefined,
    ]),
  ])
  return rules.reduce((sum, rule) => sum + (rule?.length ?? 0), 0)
}
