/** What the dates of a column say about the order of their day and month. */
export type DateOrder = {
  /** Proved by a day above 12; null: nothing proves it, or the dates contradict each other. */
  order: 'dmy' | 'mdy' | null
  /** The first date that would be another day in the other order; null: none. */
  ambiguous: string | null
  /** The date that proves the order. */
  proof: string | null
}

const FIGURES = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?!\d)/

/** "03/11/2025" is in March to some and in November to others. Dates with a day above 12, and "05/05/2025", are clear. */
export function dateOrderOf(texts: Iterable<string>): DateOrder {
  let ambiguous: string | null = null
  let dayFirst: string | null = null
  let monthFirst: string | null = null
  for (const text of texts) {
    const found = FIGURES.exec(text.trim())
    if (found === null) continue
    const [first, second] = [Number(found[1]), Number(found[2])]
    if (first > 12) dayFirst ??= text.trim()
    if (second > 12) monthFirst ??= text.trim()
    if (first <= 12 && second <= 12 && first !== second) ambiguous ??= text.trim()
  }
  const [isDayFirst, isMonthFirst] = [dayFirst !== null, monthFirst !== null]
  if (isDayFirst === isMonthFirst) return { order: null, ambiguous, proof: null }
  return { order: isDayFirst ? 'dmy' : 'mdy', ambiguous, proof: dayFirst ?? monthFirst }
}

/** Whether a text is a date that is read by its order: its day is not the same in both. */
export const needsDateOrder = (text: string): boolean => {
  const { order, ambiguous } = dateOrderOf([text])
  return order !== null || ambiguous !== null
}
