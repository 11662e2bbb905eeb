import type { ParticipantQuestionnaire } from '#contract/participants/area/participant-area.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'
import { textIn } from '#contract/questions/texts.ts'

/** A section with the questions to show. `number`: its place among the sections that are asked, from 1. */
export type ShownSection = Readonly<{
  id: string
  number: number
  title: string
  description: string
  codes: readonly string[]
  /** Of each question among all that are asked: "3.5". */
  numbers: ReadonlyMap<string, string>
}>

/**
 * The sections that are asked now; with `onlyMine` only those with questions that are the reader's own. `inNeed`: questions that
 * are shown also if they aren't asked, because a person must decide about their answers.
 */
export function sectionsToShow(
  { definition, mine }: Pick<ParticipantQuestionnaire, 'definition' | 'mine'>,
  evaluation: Pick<Evaluation, 'sections'>,
  { onlyMine, tag, inNeed = [] }: { onlyMine: boolean; tag: string; inNeed?: readonly string[] },
): readonly ShownSection[] {
  const own = new Set(mine)
  const { languages } = definition
  const shown = new Set([...evaluation.sections.flatMap(({ questions }) => questions), ...inNeed])
  const sections = definition.sections
    .map((section) => ({
      section,
      questions: section.questions.flatMap(({ code }) => (shown.has(code) ? [code] : [])),
    }))
    .filter(({ questions }) => questions.length > 0)
  const all = sections.map(({ section: { id, title, description }, questions }, at): ShownSection => ({
    id,
    number: at + 1,
    title: textIn(title, tag, languages),
    description: textIn(description, tag, languages),
    codes: onlyMine ? questions.filter((code) => own.has(code)) : questions,
    numbers: new Map(questions.map((code, place) => [code, `${at + 1}.${place + 1}`])),
  }))
  return all.filter(({ codes }) => codes.length > 0)
}
