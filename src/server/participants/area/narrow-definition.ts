import type { Definition, Question } from '#contract/questions/definition.ts'
import { groupsOf } from '#contract/questions/one-of.ts'

/** The parts of a questionnaire that a delegate may see. Rows of a table that aren't theirs are left out of the answers. */
export type DelegatedParts = Readonly<{
  questions: ReadonlySet<string>
  /** How many rows of a table are theirs, if not the whole table. */
  rows: ReadonlyMap<string, number>
}>

/**
 * A definition with only these questions. Rules that name other questions are left out: the delegate doesn't have their
 * answers, and the server applies them on every save. Computed values that need other answers are left out too. Where one of
 * several questions is enough and only some of them are the delegate's, none of these has to be answered.
 */
export function narrowDefinition(definition: Definition, { questions, rows }: DelegatedParts): Definition {
  const others = new Set(
    definition.sections.flatMap((section) =>
      section.questions.filter(({ code }) => !questions.has(code)).flatMap(namesOf),
    ),
  )
  const isOwn = (rule: string | undefined): rule is string =>
    rule !== undefined && [...rule.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)].every(([name]) => !others.has(name))
  const whole = new Set(
    groupsOf(definition.sections)
      .filter(({ questions: all }) => all.every((code) => questions.has(code) && !rows.has(code)))
      .flatMap(({ questions: all }) => all),
  )
  const keep = (question: Question): Question[] => {
    if (!questions.has(question.code)) return []
    if (question.type === 'computed' && !isOwn(question.calculate)) return []
    const { visibleIf, requiredIf, oneOf, check, ...rest } = withoutLostMessage(question, whole)
    const rules = {
      ...(isOwn(visibleIf) && { visibleIf }),
      ...(isOwn(requiredIf) && { requiredIf }),
      ...(oneOf !== undefined && whole.has(question.code) && { oneOf }),
      ...(isOwn(check) && { check }),
    }
    const own = rows.get(question.code)
    if (rest.type !== 'table' || own === undefined) return [{ ...rest, ...rules }]
    const { minRows: _, ...table } = rest
    return [{ ...table, ...rules, maxRows: own }]
  }
  const sections = definition.sections.flatMap(({ visibleIf, ...section }) => {
    const kept = section.questions.flatMap(keep)
    if (kept.length === 0) return []
    return [{ ...section, questions: kept, ...(isOwn(visibleIf) && { visibleIf }) }]
  })
  return { ...definition, sections }
}

/** The message of a group is about all of its questions. */
function withoutLostMessage(question: Question, whole: ReadonlySet<string>): Question {
  const { messages, ...rest } = question
  if (question.oneOf === undefined || whole.has(question.code) || messages?.required === undefined)
    return question
  const { required: _, ...others } = messages
  return { ...rest, ...(others.check !== undefined && { messages: others }) }
}

/** The names by which rules refer to a question: its code, and the totals of its columns. */
function namesOf(question: Question): string[] {
  if (question.type !== 'table') return [question.code]
  const totals = question.columns.flatMap((column) =>
    column.type === 'number' && column.total !== undefined ? [column.total] : [],
  )
  return [question.code, ...totals]
}
