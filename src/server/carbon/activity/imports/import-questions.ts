import type { ImportQuestion } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'

type NewQuestion = Pick<ImportQuestion, 'id' | 'field' | 'text' | 'choices'> & {
  /** The answer that the file itself suggests; null: only the user knows. */
  proposal: string | null
  /** If it is asked for all lines at once. */
  lines?: number
  inputs?: ImportQuestion['inputs']
}

/** The questions about a file: each is asked once, and its answer is used for every line that it is about. */
export type Questions = {
  /** The answer that is used; null: the line waits for one. */
  ask: (asked: NewQuestion) => string | null
  list: () => ImportQuestion[]
}

export function makeQuestions(answers: ImportMapping['answers']): Questions {
  const asked = new Map<string, ImportQuestion>()
  return {
    ask({ proposal, lines = 1, inputs = [], ...question }) {
      const before = asked.get(question.id)
      if (before !== undefined) {
        asked.set(question.id, { ...before, lines: before.lines + lines })
        return before.answer
      }
      const given = answers[question.id]
      const isChoice =
        inputs.length > 0 ? isEntered(given, inputs) : question.choices.some(({ value }) => value === given)
      const answer = given !== undefined && isChoice ? given : proposal
      asked.set(question.id, { ...question, inputs, answer, isProposed: !isChoice, lines })
      return answer
    },
    list: () =>
      [...asked.values()].toSorted(
        (one, other) => Number(one.answer !== null) - Number(other.answer !== null),
      ),
  }
}

/** A number for each input. */
const isEntered = (given: string | undefined, inputs: readonly string[]): boolean => {
  const parts = given?.split('/') ?? []
  return parts.length === inputs.length && parts.every((text) => /^\d{1,16}(\.\d{1,12})?$/.test(text))
}
