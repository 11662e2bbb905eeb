import { compileFormula } from '#contract/expressions/evaluate.ts'
import { readFormula } from '#contract/expressions/read.ts'
import { type FeedRow, textOf, textsOf } from './source-row.ts'
import type { FeedSource } from './mapping.ts'
import { namedIn, type RuleColumn, ruleValues, ruleVariables } from './rule-columns.ts'
import { separatorPattern } from './read-texts.ts'

/** Whether a text is a value for its field. A column without one gives way to the next of `firstOf`. */
export type IsUsable = (text: string) => boolean

export type ReadTexts = (row: Pick<FeedRow, 'cells'>) => readonly string[]

/** Compiles a source into a reader. Of several columns, the first with a usable text is read, or else the first with any. A rule with an error reads nothing; `mappingProblems` reports the error. */
export function compileSource(
  source: FeedSource,
  columns: readonly RuleColumn[],
  isUsable: IsUsable,
): ReadTexts {
  switch (source.kind) {
    case 'column': {
      const { column } = source
      return (row) => textsOf(row, column)
    }
    case 'firstOf': {
      const { columns: names } = source
      return (row) => {
        const filled = names.filter((name) => textOf(row, name) !== '')
        const found = filled.find((name) => isUsable(textOf(row, name))) ?? filled[0]
        return found === undefined ? [] : textsOf(row, found)
      }
    }
    case 'allOf': {
      const { columns: names } = source
      return (row) => names.flatMap((name) => textsOf(row, name))
    }
    case 'part': {
      const { column, part } = source
      const between = separatorPattern(source.separators)
      return (row) => {
        const found = textOf(row, column).split(between)[part - 1]?.trim() ?? ''
        return found === '' ? [] : [found]
      }
    }
    case 'constant': {
      const constant = [source.value]
      return () => constant
    }
    default: {
      const read = readFormula(source.rule, ruleVariables(columns))
      if (!read.ok) return () => []
      const make = compileFormula(read.made)
      const named = namedIn(source.rule, columns)
      return (row) => {
        const made = make(ruleValues(row, named))
        return made === null || made === '' ? [] : [made]
      }
    }
  }
}
