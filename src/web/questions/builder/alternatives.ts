// Questions of which one must be answered, as the builder changes them.
import type { Definition, Question } from '#contract/questions/definition.ts'
import { canBeOneOf, groupAround, groupNameOf } from '#contract/questions/one-of.ts'
import { type Content, freeName, placeOf } from './content-changes.ts'

type Section = Definition['sections'][number]

/** The questions that can be answered instead of one, and those that are: others of its section. */
export function alternativesTo(
  { draft }: Content,
  question: Question,
): Readonly<{ possible: readonly Question[]; chosen: readonly Question[] }> {
  const section = draft.sections.find(({ questions }) => questions.some(({ code }) => code === question.code))
  const questions = section?.questions ?? []
  const isOther = ({ code }: Question) => code !== question.code
  return {
    possible: questions.filter((one) => isOther(one) && canBeOneOf(one)),
    chosen: groupAround(questions, question).filter(isOther),
  }
}

/**
 * Makes these the questions of which one must be answered, next to each other where `code` is. None of them is required itself
 * any more. Without others, the group is dissolved.
 */
export function withAlternatives(content: Content, code: string, others: readonly string[]): Content {
  const place = placeOf(content, code)
  if (place === null) return content
  const { section: index, question } = place
  const change = (section: Section): Section => {
    const names = new Set(section.questions.flatMap(({ oneOf }) => oneOf ?? []))
    const name = groupNameOf(question) ?? freeName(names, 'group')
    const wanted = new Set(others.length === 0 ? [] : [code, ...others])
    const changed = section.questions.map((one) => {
      if (wanted.has(one.code)) return intoGroup(one, name)
      return groupNameOf(one) === name ? withoutGroup(one) : one
    })
    const isMember = (one: Question) => wanted.has(one.code)
    const rest = changed.filter((one) => !isMember(one))
    const at = changed.slice(0, place.at).filter((one) => !isMember(one)).length
    return { ...section, questions: rest.toSpliced(at, 0, ...changed.filter(isMember)) }
  }
  const sections = content.draft.sections.map((section, at) => (at === index ? change(section) : section))
  return withoutLoneGroups({ ...content, draft: { ...content.draft, sections } })
}

/** Without groups of a single question: what was removed or moved away leaves none behind. */
export function withoutLoneGroups(content: Content): Content {
  const isLone = (question: Question, questions: readonly Question[]) =>
    question.oneOf !== undefined && groupAround(questions, question).length === 1
  const { sections } = content.draft
  if (!sections.some(({ questions }) => questions.some((one) => isLone(one, questions)))) return content
  return {
    ...content,
    draft: {
      ...content.draft,
      sections: sections.map((section) => ({
        ...section,
        questions: section.questions.map((one) => (isLone(one, section.questions) ? withoutGroup(one) : one)),
      })),
    },
  }
}

function intoGroup(question: Question, name: string): Question {
  const { obligation: _1, requiredIf: _2, obligations: _3, ...rest } = question
  return { ...rest, oneOf: name }
}

function withoutGroup(question: Question): Question {
  const { oneOf: _, ...rest } = question
  return rest
}

/** The question that has the message of the group: the first with one, otherwise the first. */
export function groupOwner({ draft }: Content, question: Question): Question {
  const section = draft.sections.find(({ questions }) => questions.some(({ code }) => code === question.code))
  const group = groupAround(section?.questions ?? [], question)
  return group.find(({ messages }) => messages?.required !== undefined) ?? group[0] ?? question
}
