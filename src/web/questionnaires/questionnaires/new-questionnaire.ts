import type { z } from 'zod'
import type { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'

const MAX_KEY = 60
/** The choice of no template. */
export const BLANK = 'blank'

/** The key proposed for a name: "Dealer site 2027" becomes `dealer-site-2027`. */
export function keyFor(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_KEY)
    .replaceAll(/^-|-$/g, '')
}

/** A questionnaire with one empty section. */
export function blankQuestionnaire(named: {
  name: string
  key: string
  organizationId?: string
}): z.input<typeof questionnaires.add.input> {
  return {
    ...named,
    draft: { languages: ['en'], sections: [{ id: 'section1', title: { en: 'Section 1' }, questions: [] }] },
  }
}
