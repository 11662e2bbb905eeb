import type { QuestionChoice } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'

/** The titles of choices, one per line. */
export const linesOf = (choices: readonly QuestionChoice[], language: string): string =>
  choices.map(({ title, value }) => textIn(title, language, []) || value).join('\n')

/**
 * Reads choices from lines, for example from a pasted column. A choice keeps its value, which rules and submissions use, when
 * its line moves, or when only its title changes.
 */
export function readChoices(
  text: string,
  before: readonly QuestionChoice[],
  language: string,
): QuestionChoice[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const titleOf = (choice: QuestionChoice) => textIn(choice.title, language, []) || choice.value
  const free = new Set(before)
  const kept = lines.map((line) => {
    const same = [...free].find((choice) => titleOf(choice) === line)
    if (same !== undefined) free.delete(same)
    return same
  })
  const values = new Set(before.map(({ value }) => value.toLowerCase()))
  return lines.map((line, at) => {
    const same = kept[at]
    if (same !== undefined) return same
    const former = lines.length === before.length ? before[at] : undefined
    if (former !== undefined && free.delete(former)) {
      return { ...former, title: { ...former.title, [language]: line } }
    }
    const value = newValue(line, values)
    values.add(value)
    return { value, title: { [language]: line } }
  })
}

/** A value made of a title that no other choice has, in letters, digits and _. */
function newValue(line: string, taken: ReadonlySet<string>): string {
  const stem =
    line
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_|_$/g, '')
      .slice(0, 50) || 'choice'
  // "other" is the value of an answer that isn't in the list.
  if (!taken.has(stem) && stem !== 'other') return stem
  let number = 2
  while (taken.has(`${stem}_${number}`)) number += 1
  return `${stem}_${number}`
}
