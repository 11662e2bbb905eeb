import { type Questionnaire, questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { Definition } from '#contract/questions/definition.ts'
import type { Scoring } from '#contract/questions/scores/scoring.ts'
import { fresh } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'

export type AddedQuestionnaire = Pick<Questionnaire, 'id' | 'key' | 'name' | 'version'>

export type QuestionnaireFactories = {
  /** A draft for this organization only. */
  draftQuestionnaire: (more?: Partial<Questionnaire>) => Promise<AddedQuestionnaire>
  /** The same, published as version 1. */
  addQuestionnaire: (more?: Partial<Questionnaire>) => Promise<AddedQuestionnaire>
}

const en = (text: string) => ({ en: text })

/** Asks for a policy, scored, and the refrigerants that were refilled. */
export const SITE_CHECK: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'management',
      title: en('Management'),
      questions: [
        {
          type: 'single',
          code: 'policy',
          title: en('Is there an environmental policy?'),
          obligation: 'ifApplicable',
          choices: [
            { value: 'none', title: en('None') },
            { value: 'written', title: en('Written') },
            { value: 'reviewed', title: en('Reviewed every year') },
          ],
        },
      ],
    },
    {
      id: 'refrigerants',
      title: en('Refrigerants'),
      questions: [
        {
          type: 'boolean',
          code: 'refilled',
          title: en('Was any refrigerant refilled?'),
          obligation: 'required',
        },
        {
          type: 'table',
          code: 'refills',
          title: en('List each refill.'),
          obligation: 'required',
          visibleIf: 'refilled',
          columns: [
            { type: 'date', code: 'date', title: en('Date'), isRequired: true },
            {
              type: 'number',
              code: 'amount',
              title: en('Amount'),
              unit: 'lb',
              min: '0',
              total: 'refilled_lb',
            },
          ],
        },
      ],
    },
  ],
}

/** Up to 4 points for the policy, in two bands. */
export const SITE_SCORING: Scoring = {
  questions: [
    {
      kind: 'choices',
      question: 'policy',
      weight: '1',
      points: [
        { value: 'written', points: '2' },
        { value: 'reviewed', points: '4' },
      ],
    },
  ],
  sections: [],
  bands: [
    { from: '0', title: en('Start') },
    { from: '50', title: en('Silver') },
  ],
  levels: [],
  unanswered: 'zero',
  hasTotal: true,
}

export function questionnaireFactories({ staff, organizationId }: Place): QuestionnaireFactories {
  const draftQuestionnaire = (more: Partial<Questionnaire> = {}) => {
    const name = fresh('Questionnaire')
    return staff.call(questionnaires.add, {
      name,
      key: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      organizationId,
      draft: SITE_CHECK,
      scoring: SITE_SCORING,
      ...more,
    })
  }
  return {
    draftQuestionnaire,
    async addQuestionnaire(more) {
      const { id, version } = await draftQuestionnaire(more)
      return staff.call(questionnaires.publish, { id, version })
    },
  }
}
