import { type SectionCounts, countSections } from '#contract/assessments/targets/section-progress.ts'
import type { TargetRecord } from '#contract/assessments/targets/targets.ts'
import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Question } from '#contract/questions/definition.ts'
import type { AnswerProblem, Evaluation } from '#contract/questions/evaluate.ts'

/** How someone may answer a question now. `rows`: only these rows of its table. */
export type Openness = Readonly<{ isOpen: boolean; rows: readonly string[] | null }>

/** A question as the page lists it. */
export type ShownQuestion = Readonly<{
  question: Question
  /** "3.4"; '' for notes. */
  number: string
}>

export type ShownSection = SectionCounts &
  Readonly<{ title: Readonly<Record<string, string>>; flagged: number; items: readonly ShownQuestion[] }>

/**
 * Sections that are asked, with their questions numbered in the order of the questionnaire, and their progress. `inNeed`:
 * questions that are shown also if they aren't asked, because a person must decide about their answers.
 */
export function showSections(
  compiled: CompiledDefinition,
  evaluation: Evaluation,
  { flags, inNeed }: { flags: TargetRecord['flags']; inNeed: readonly string[] },
): ShownSection[] {
  const visible = new Set([...evaluation.visible, ...inNeed])
  const flagged = new Set(
    flags.filter(({ resolvedAt }) => resolvedAt === null).map((one) => one.questionCode),
  )
  const counts = new Map(countSections(compiled, evaluation).map((one) => [one.section, one]))
  return compiled.definition.sections.flatMap(({ id, title, questions }, at): ShownSection[] => {
    const count = counts.get(id)
    const shown = questions.filter(({ code }) => visible.has(code))
    if (count === undefined || shown.length === 0) return []
    let number = 0
    const numbered = shown.map((question): ShownQuestion => {
      if (question.type === 'note') return { question, number: '' }
      number += 1
      return { question, number: `${at + 1}.${number}` }
    })
    const open = shown.filter(({ code }) => flagged.has(code)).length
    return [{ ...count, title, flagged: open, items: numbered }]
  })
}

/** Whether a question can be changed: the server has the last word. */
export function opennessOf(
  record: Pick<TargetRecord, 'state' | 'open' | 'openRows'>,
  { code, type }: Question,
): Openness {
  if (type === 'computed' || type === 'note' || !isAnswerable(record.state))
    return { isOpen: false, rows: null }
  const rows = record.openRows.flatMap((one) => (one.questionCode === code ? [one.rowKey] : []))
  if (rows.length > 0) return { isOpen: true, rows }
  return { isOpen: record.open.includes(code), rows: null }
}

/** What must be corrected before the answers can be submitted, one entry for each question. */
export function openProblems({ problems }: Pick<Evaluation, 'problems'>): AnswerProblem[] {
  const seen = new Set<string>()
  return problems.filter(({ question }) => {
    if (seen.has(question)) return false
    seen.add(question)
    return true
  })
}

/** How a number differs from last year's: "55% lower"; null if it can't be compared. */
export function differenceFrom(before: unknown, now: unknown): string | null {
  if (typeof before !== 'string' || typeof now !== 'string') return null
  if (!isNumber(before) || !isNumber(now)) return null
  const [from, to] = [Number(before), Number(now)]
  if (from <= 0) return null
  const percent = Math.round(((to - from) / from) * 100)
  if (from === to) return 'the same'
  if (percent === 0) return to > from ? 'less than 1% higher' : 'less than 1% lower'
  return percent > 0 ? `${percent}% higher` : `${-percent}% lower`
}

const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)
