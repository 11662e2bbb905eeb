import { checkForm, formFaults } from '#contract/marketing/forms/check-form.ts'
import type { Content } from './form-builder.ts'

/** What must or should be corrected, and where. */
export type Problem = Readonly<{
  severity: 'error' | 'warning'
  message: string
  /** The step and the question; null if it isn't about one. */
  section: string | null
  question: string | null
  /** `contact`: which question is the email address and so on. */
  part: 'questions' | 'contact'
}>

/** Everything that keeps a form from being published, errors first, then warnings. */
export function findProblems({ draft, leadFields }: Content): Problem[] {
  const faults = formFaults(draft)
  const isSound = faults.every(({ severity }) => severity === 'warning')
  const own = checkForm({ draft, leadFields: { ...leadFields } })
  const problems = faults.map(({ severity, message, section, question }): Problem => ({
    severity,
    message,
    section,
    question,
    part: 'questions',
  }))
  const ofForm: Problem[] = []
  // The engine's message repeats the first of the faults.
  if (own['draft'] !== undefined && isSound) ofForm.push(problemOf(own['draft'], 'questions'))
  if (own['leadFields'] !== undefined) ofForm.push(problemOf(own['leadFields'], 'contact'))
  return [...problems, ...ofForm].toSorted((a, b) => rank(a) - rank(b))
}

const rank = ({ severity }: Problem): number => (severity === 'error' ? 0 : 1)

const problemOf = (message: string, part: Problem['part']): Problem => ({
  severity: 'error',
  message,
  section: null,
  question: null,
  part,
})
