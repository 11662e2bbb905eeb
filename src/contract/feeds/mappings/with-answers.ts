import { type FeedAnswers, FeedQuestion, type FeedQuestionKind } from './feed-questions.ts'
import { type FeedMapping, FeedTarget, type FieldMapping } from './mapping.ts'
import { formsOf } from './with-date-forms.ts'

/** The keys under which answers about a file are kept. Words are compared without regard to case and blanks. */
export const statusKey = (word: string): string =>
  `status:${word.trim().toLowerCase().replaceAll(/\s+/g, ' ').slice(0, 200)}`
export const STATUS_COLUMN_KEY = 'statusColumn'
export const dateKey = (target: string, column: string): string => `date:${target}:${column}`
export const totalKey = (column: string): string => `total:${column}`
export const priceKey = (column: string): string => `price:${column}`

/** The kind of question that an answer was given to; null if its key isn't known. */
export function kindOfAnswer(key: string): FeedQuestionKind | null {
  const kind = key.split(':', 1)[0] ?? ''
  return FeedQuestion.shape.kind.safeParse(kind).data ?? null
}

/** The columns of a field as one text; a rule is its own text. */
export function columnsText({ source }: FieldMapping): string {
  switch (source.kind) {
    case 'column':
    case 'part':
      return source.column
    case 'firstOf':
    case 'allOf':
      return source.columns.join(', ').slice(0, 200)
    default:
      return 'rule' in source ? source.rule.slice(0, 200) : ''
  }
}

/** A mapping with what people answered about the file: what words mean, the order of dates, and which price its only one is. */
export function withAnswers(mapping: FeedMapping, answers: FeedAnswers): FeedMapping {
  const { status, msrp, ...others } = mapping.fields
  const fields: FeedMapping['fields'] = { ...others }
  for (const [name, field] of Object.entries(others)) {
    const target = FeedTarget.safeParse(name)
    if (!target.success || field === undefined || field.dates !== undefined) continue
    const order = answers[dateKey(name, columnsText(field))]
    if (order === 'us' || order === 'eu') fields[target.data] = { ...field, dates: formsOf(order) }
  }
  if (status !== undefined && answers[STATUS_COLUMN_KEY] !== 'ignore')
    fields.status = { ...status, map: [...(status.map ?? []), ...wordsIn(answers)] }
  if (msrp !== undefined) Object.assign(fields, pricesOf(msrp, mapping, answers))
  if (hasTotalPrices(mapping, answers)) {
    delete fields.price
    delete fields.feedPrice
  }
  return { ...mapping, fields }
}

/** Whether a person said that the prices of the file are those that buyers see, with price rules and fees. */
export const hasTotalPrices = ({ fields: { price } }: FeedMapping, answers: FeedAnswers): boolean =>
  price !== undefined && answers[totalKey(columnsText(price))] === 'total'

/** Words that mean no status are cleared. */
const wordsIn = (answers: FeedAnswers): { from: string; to: string }[] =>
  Object.entries(answers).flatMap(([key, to]) =>
    key.startsWith('status:') ? [{ from: key.slice('status:'.length), to: to === 'none' ? '' : to }] : [],
  )

function pricesOf(
  msrp: FieldMapping,
  { fields }: FeedMapping,
  answers: FeedAnswers,
): Pick<FeedMapping['fields'], 'msrp' | 'price' | 'feedPrice'> {
  const answer = fields.price === undefined ? answers[priceKey(columnsText(msrp))] : undefined
  if (answer !== 'price' && answer !== 'both') return { msrp }
  return { ...(answer === 'both' && { msrp }), price: msrp, feedPrice: msrp }
}
