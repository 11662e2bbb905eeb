import { compileFormula } from '#contract/expressions/evaluate.ts'
import { readFormula } from '#contract/expressions/read.ts'
import { type FeedRow, textOf, textsOf } from './source-row.ts'
import type { FeedSource } from './mapping.ts'
import { namedIn, type RuleColumn, ruleValues, ruleVariables } from './rule-columns.ts'
import { separatorPattern } from './read-texts.ts'

export type ReadTexts = (row: Pick<FeedRow, 'cells'>) => readonly string[]

/** Compiles a source into a reader. A rule with an error reads nothing; `mappingProblems` reports the error. */
export function compileSource(source: FeedSource, columns: readonly RuleColumn[]): ReadTexts {
  switch (source.kind) {
    case 'column': {
      const { column } = source
      return (row) => textsOf(row, column)
    }
    case 'firstOf': {
      const { columns: names } = source
      return (row) => {
        const found = names.find((name) => textOf(row, name) !== '')
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
