import type { Question, Section } from './definition.ts'

/** Questions of a section of which at least one must be answered. */
export type OneOfGroup = Readonly<{
  name: string
  section: string
  /** The codes of its questions, in order. */
  questions: readonly string[]
}>

type Grouped = Pick<Question, 'type' | 'isHidden' | 'oneOf'>

/** Whether a question can be one of those of which one must be answered: a person answers it, and may leave it empty. */
export function canBeOneOf({ type, isHidden }: Grouped): boolean {
  return isHidden !== true && type !== 'note' && type !== 'computed' && type !== 'consent'
}

/** The name of a question's group; null if it has none. */
export function groupNameOf(question: Grouped): string | null {
  const name = question.oneOf?.trim() ?? ''
  return name !== '' && canBeOneOf(question) ? name : null
}

/** The groups of these sections, in order. */
export function groupsOf(sections: readonly Pick<Section, 'id' | 'questions'>[]): OneOfGroup[] {
  return sections.flatMap(({ id, questions }) => {
    const groups = new Map<string, string[]>()
    for (const question of questions) {
      const name = groupNameOf(question)
      if (name === null) continue
      const former = groups.get(name)
      if (former === undefined) groups.set(name, [question.code])
      else former.push(question.code)
    }
    return [...groups].map(([name, codes]) => ({ name, section: id, questions: codes }))
  })
}

/** The other questions of a question's group, with itself, in order; itself alone if it has none. */
export function groupAround<T extends Question>(questions: readonly T[], question: T): T[] {
  const name = groupNameOf(question)
  return name === null ? [question] : questions.filter((one) => groupNameOf(one) === name)
}

/** Whether these are an email address and a phone number: there are sentences of their own for them. */
export const isEmailOrPhone = (asked: readonly Pick<Question, 'type'>[]): boolean =>
  asked.length === 2 && ['email', 'phone'].every((wanted) => asked.some(({ type }) => type === wanted))

/** Codes in order, with those of one group together: what belongs together is shown together. */
export function inGroups(
  codes: readonly string[],
  groups: readonly OneOfGroup[],
): Readonly<{ group: OneOfGroup | null; codes: readonly string[] }>[] {
  const groupOf = new Map(groups.flatMap((group) => group.questions.map((code) => [code, group] as const)))
  const runs: { group: OneOfGroup | null; codes: string[] }[] = []
  for (const code of codes) {
    const group = groupOf.get(code) ?? null
    const last = runs.at(-1)
    if (group !== null && last?.group === group) last.codes.push(code)
    else runs.push({ group, codes: [code] })
  }
  return runs
}

type About = Readonly<{ question: string; oneOf?: readonly string[] | undefined }>

/** The questions that a problem is about: one, or those of which one must be answered. */
export const questionsOfProblem = ({ question, oneOf }: About): readonly string[] => oneOf ?? [question]

/** The problems that show at a question: its own, and that of its group. */
export const problemsAt = <T extends About>(problems: readonly T[], code: string): T[] =>
  problems.filter((problem) => questionsOfProblem(problem).includes(code))

/** Problems of an answer that isn't there, not of one that is wrong. */
export const isMissing = ({ code }: Readonly<{ code: string }>): boolean =>
  code === 'required' || code === 'consentRequired' || code === 'oneRequired'
