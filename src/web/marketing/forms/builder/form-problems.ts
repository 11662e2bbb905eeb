import { checkForm, formFaults } from '#contract/marketing/forms/check-form.ts'
import type { Form } from '#contract/marketing/forms/forms.ts'
import type { Problem } from '#web/questions/builder/use-builder.ts'

/** What a problem is about that the Settings tab corrects. */
export const CONTACT = 'Contact details'

/** Everything that keeps a form from being published, errors first, then warnings. */
export function findProblems({ draft, leadFields }: Pick<Form, 'draft' | 'leadFields'>): Problem[] {
  const faults = formFaults(draft)
  const isSound = faults.every(({ severity }) => severity === 'warning')
  const own = checkForm({ draft, leadFields: { ...leadFields } })
  const problems = faults.map(({ severity, message, section, question }): Problem => ({
    severity,
    message,
    section,
    question,
    about: null,
  }))
  const ofForm: Problem[] = []
  // The engine's message repeats the first of the faults.
  if (own['draft'] !== undefined && isSound) ofForm.push(problemOf(own['draft'], null))
  if (own['leadFields'] !== undefined) ofForm.push(problemOf(own['leadFields'], CONTACT))
  return [...problems, ...ofForm].toSorted((a, b) => rank(a) - rank(b))
}

const rank = ({ severity }: Problem): number => (severity === 'error' ? 0 : 1)

const problemOf = (message: string, about: string | null): Problem => ({
  severity: 'error',
  message,
  section: null,
  question: null,
  about,
})
