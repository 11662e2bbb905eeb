import { typedNumber } from '#contract/parsing/typed-number.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { type FeedRow, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { parseMoney } from '#web/customers/index.ts'

/** The values entered to fix a row; empty keeps the value from the file. */
export type FixValues = {
  vin: string
  stock: string
  year: string
  make: string
  model: string
  price: string
  lotId: string | null
}

export function startFixing({ vin, stock, lotId }: FeedRow): FixValues {
  return { vin: vin ?? '', stock: stock ?? '', year: '', make: '', model: '', price: '', lotId }
}

type FixedRow = { runId: string; id: string }

/** The API input, without empty fields. */
function toInput(values: FixValues, row: FixedRow, currency: string) {
  const { vin, stock, year, make, model, price, lotId } = values
  const entered = Object.fromEntries(
    Object.entries({ vin, stock, make, model }).filter(([, text]) => text.trim() !== ''),
  )
  return {
    ...row,
    ...(lotId !== null && { lotId }),
    values: {
      ...entered,
      ...(year.trim() !== '' && { year: typedNumber(year) }),
      ...(price.trim() !== '' && { priceCents: parseMoney(price, currency) }),
    },
  }
}

/** The API input, and a message for each invalid field. */
export function readFixing(values: FixValues, row: FixedRow, currency: string) {
  const input = toInput(values, row, currency)
  const { error } = feedRuns.fixRow.input.safeParse(input)
  return { input, wrong: error ? toFormErrors(fieldSentences(error)) : {} }
}

/** Maps error messages to form fields: `values.priceCents` is `price`. */
export function toFormErrors(sentences: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sentences).map(([path, sentence]) => [
      (path.split('.').at(-1) ?? path).replace(/Cents$/, ''),
      sentence,
    ]),
  )
}
