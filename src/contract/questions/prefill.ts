import type { Answer, Answers } from './answers.ts'
import type { CompiledDefinition } from './compile.ts'
import { evaluateAnswers, type EvaluateOptions } from './evaluate.ts'
import { inputName, readFormEntries } from './reading/form-entries.ts'

/**
 * The answers that the parameters of a URL give to the questions with that `prefill`, for the first display of a
 * form. Invalid values are left out. A repeated parameter counts once, except for a question with several choices.
 */
export function readPrefill(
  compiled: CompiledDefinition,
  parameters: Iterable<readonly [name: string, value: string]>,
  options: EvaluateOptions,
): Answers {
  const given = [...parameters]
  const entries = compiled.questions.flatMap(({ question }): [string, string][] => {
    const values = given.flatMap(([name, value]) => (name === question.prefill ? [value] : []))
    const used = question.type === 'multiple' ? values : values.slice(0, 1)
    return used.map((value) => [inputName(question.code), value])
  })
  const answers = readFormEntries(compiled, entries, options.language)
  const result = evaluateAnswers(compiled, answers, options)
  return Object.fromEntries<Answer>([...Object.entries(result.setAside), ...Object.entries(result.answers)])
}
