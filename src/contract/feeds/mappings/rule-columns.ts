import type { Variables } from '#contract/expressions/variables.ts'
import { type FeedRow, textOf } from './source-row.ts'
import { readNumber } from './read-feed-number.ts'

/** Reserved words of the rule language. */
const RESERVED = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while today now date timestamp size daysAgo'.split(
    ' ',
  ),
)

/** A column and its name in rules: `Stock Type` is `stock_type`. */
export type RuleColumn = { column: string; name: string }

/** Unique rule names for the columns. */
export function ruleColumns(columns: readonly string[]): RuleColumn[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const words = column
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
    const plain = /^[a-z]/.test(words) && !RESERVED.has(words) ? words : `column_${words}`
    let name = plain
    for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`
    taken.add(name)
    taken.add(`${name}_number`)
    return { column, name }
  })
}

/** The rule variables for these columns: each as text, and as a number with the suffix `_number`. */
export function ruleVariables(columns: readonly RuleColumn[]): Variables {
  return Object.fromEntries(
    columns.flatMap(({ column, name }) => [
      [name, { title: column, kind: 'text' as const }],
      [`${name}_number`, { title: `${column} as a number`, kind: 'decimal' as const }],
    ]),
  )
}

/** The values of a row by rule name, for the columns a rule uses. Empty values are null. */
export function ruleValues(
  row: Pick<FeedRow, 'cells'>,
  columns: readonly RuleColumn[],
): Record<string, string | null> {
  const values: Record<string, string | null> = {}
  for (const { column, name } of columns) {
    const text = textOf(row, column)
    values[name] = text === '' ? null : text
    values[`${name}_number`] = readNumber(text)?.digits ?? null
  }
  return values
}

/** The columns that a rule might use, so that the others don't have to be read for each row. */
export function namedIn(rule: string, columns: readonly RuleColumn[]): RuleColumn[] {
  return columns.filter(({ name }) => rule.includes(name))
}
