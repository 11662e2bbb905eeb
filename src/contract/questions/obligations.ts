import { capitalize } from '#contract/capitalize.ts'
import type { Definition, Question } from './definition.ts'
import { textIn } from './texts.ts'
import type { Obligation, OrganizationSize } from './vocabulary.ts'

/** What the obligation of a question depends on. Null: not chosen. */
export type ObligationScope = Readonly<{ edition: string | null; size: OrganizationSize | null }>

/** An exception: the obligation in one edition, for organizations of some sizes, or both. */
export type ObligationRule = NonNullable<Question['obligations']>[number]

/** The first exception that applies; null if the usual obligation of the question counts. */
export function ruleFor(
  { obligations = [] }: Pick<Question, 'obligations'>,
  { edition, size }: ObligationScope,
): ObligationRule | null {
  return (
    obligations.find(
      (rule) =>
        (rule.edition === undefined || rule.edition === edition) &&
        (rule.sizes === undefined || (size !== null && rule.sizes.includes(size))),
    ) ?? null
  )
}

/** The definition with the obligations of one edition and size. Evaluation, progress and submission then follow them. */
export function withObligations(definition: Definition, scope: ObligationScope): Definition {
  if (!dependsOn(definition).any) return definition
  return {
    ...definition,
    sections: definition.sections.map((section) => ({
      ...section,
      questions: section.questions.map((question) => withObligation(question, scope)),
    })),
  }
}

function withObligation(question: Question, scope: ObligationScope): Question {
  const rule = ruleFor(question, scope)
  return rule === null ? question : { ...question, obligation: rule.obligation }
}

/** Whether obligations depend on the edition or the size, so that one has to be chosen. */
export function dependsOn({ sections }: Definition): { any: boolean; edition: boolean; size: boolean } {
  const rules = sections.flatMap(({ questions }) => questions.flatMap(({ obligations }) => obligations ?? []))
  return {
    any: rules.length > 0,
    edition: rules.some(({ edition }) => edition !== undefined),
    size: rules.some(({ sizes }) => sizes !== undefined),
  }
}

/** The obligation as a phrase: "required or “not applicable”". */
export const OBLIGATION_NAMES: Readonly<Record<Obligation, string>> = {
  required: 'required',
  ifApplicable: 'required if applicable',
  mayRefuse: 'required, may be declined with a reason',
  voluntary: 'voluntary',
}

/**
 * Why a question has the obligation that it has, as a sentence: "Required in the Comprehensive edition for medium and large
 * companies." Null if neither edition nor size decides.
 */
export function explainObligation(
  question: Pick<Question, 'obligations'>,
  scope: ObligationScope,
  { editions = [], languages }: Definition,
): string | null {
  const rule = ruleFor(question, scope)
  if (rule === null) return null
  const edition = editions.find(({ code }) => code === rule.edition)
  const name = OBLIGATION_NAMES[rule.obligation]
  const inEdition =
    rule.edition === undefined
      ? ''
      : ` in the ${textIn(edition?.title, languages[0] ?? 'en', languages) || rule.edition} edition`
  const sizes = rule.sizes ?? []
  const named = sizes.length < 2 ? sizes.join('') : `${sizes.slice(0, -1).join(', ')} and ${sizes.at(-1)}`
  const forSizes = sizes.length === 0 ? '' : ` for ${named} companies`
  return `${capitalize(name)}${inEdition}${forSizes}.`
}
