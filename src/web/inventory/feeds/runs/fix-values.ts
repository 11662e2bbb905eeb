import { fieldSentences } from '#contract/field-sentences.ts'
import { type FeedRow, feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { parseMoney } from '#web/customers/index.ts'

/** What a person types to mend a row; empty for "as the file says". */
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

/** As the contract takes it, without what nobody typed. */
function toInput(values: FixValues, row: { runId: string; id: string }) {
  const { vin, stock, year, make, model, price, lotId } = values
  const given = Object.fromEntries(
    Object.entries({ vin, stock, make, model }).filter(([, text]) => text.trim() !== ''),
  )
  return {
    ...row,
    ...(lotId !== null && { lotId }),
    values: {
      ...given,
      ...(year.trim() !== '' && { year: Number(year.trim()) }),
      ...(price.trim() !== '' && { priceCents: parseMoney(price) }),
    },
  }
}

/** The call, or a sentence for each field that is wrong: the contract's own. */
export function readFixing(values: FixValues, row: { runId: string; id: string }) {
  const input = toInput(values, row)
  const { error } = feedRuns.mend.input.safeParse(input)
  return { input, wrong: error ? placeSentences(fieldSentences(error)) : {} }
}

/** Sentences by the field of the form: `values.priceCents` is `price`. */
export function placeSentences(sentences: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sentences).map(([path, sentence]) => [
      (path.split('.').at(-1) ?? path).replace(/Cents$/, ''),
      sentence,
    ]),
  )
}
