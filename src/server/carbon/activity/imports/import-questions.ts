import type { ImportQuestion } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'

export type NewQuestion = Pick<ImportQuestion, 'id' | 'field' | 'text' | 'choices'> & {
  /** The answer that the file itself suggests; null: only the user knows. */
  proposal: string | null
  /** If it is asked for all lines at once. */
  lines?: number
  /** What this line is called in the ID of its own question, if its answer may be another one than that of the others. */
  each?: string
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
  function ask({ proposal, lines = 1, inputs = [], each, ...question }: NewQuestion): string | null {
    if (each !== undefined) {
      const choices = [...question.choices, EACH]
      const answer = ask({ ...question, choices, proposal, lines, inputs })
      return answer === EACH.value
        ? ask({ ...question, id: `${question.id}:${each}`, proposal, lines, inputs })
        : answer
    }
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
  }
  return {
    ask,
    list: () =>
      [...asked.values()]
        .map((one) =>
          one.lines > 1 ? one : { ...one, choices: one.choices.filter((choice) => choice !== EACH) },
        )
        .toSorted((one, other) => Number(one.answer !== null) - Number(other.answer !== null)),
  }
}

/** Only for several lines. */
const EACH = { value: 'each', label: 'Not the same for all: ask about each' }

/** A number for each input. */
const isEntered = (given: string | undefined, inputs: readonly string[]): boolean => {
  const parts = given?.split('/') ?? []
  return parts.length === inputs.length && parts.every((text) => /^\d{1,16}(\.\d{1,12})?$/.test(text))
}
