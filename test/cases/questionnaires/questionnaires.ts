import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo, list } from '#test/cases/foreign.ts'
import { SITE_CHECK, SITE_SCORING } from '#test/factories/questionnaires/add-questionnaires.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

/** The factories add questionnaires of one organization, which others don't see. */
const hidden = foreignTo(404)
const published = async ({ addQuestionnaire }: TestOrganization) => ({ id: (await addQuestionnaire()).id })
const draft = async ({ draftQuestionnaire }: TestOrganization) => {
  const { id, version } = await draftQuestionnaire()
  return { id, version }
}

export const questionnaireCases: Pick<
  Cases<typeof contract>,
  'questionnaires' | 'questionnaireFiles' | 'questionBank'
> = {
  questionnaires: {
    list,
    get: { input: published, foreign: hidden },
    add: {
      input: ({ organizationId }) => ({
        name: fresh('Questionnaire'),
        key: fresh('questionnaire')
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '-'),
        organizationId,
        draft: SITE_CHECK,
      }),
      foreign: foreignTo(400),
    },
    templates: { input: () => ({}), foreign: 'takes no ids' },
    addFromTemplate: {
      input: ({ organizationId }) => {
        const name = fresh('Questionnaire')
        const key = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
        return { name, key, organizationId, template: 'dealer-energy' }
      },
      foreign: foreignTo(400),
    },
    update: {
      input: async (place) => ({ ...(await draft(place)), name: fresh('Questionnaire') }),
      foreign: hidden,
    },
    check: { input: () => ({ draft: SITE_CHECK, scoring: SITE_SCORING }), foreign: 'takes no ids' },
    tryOut: {
      input: () => ({
        draft: SITE_CHECK,
        scoring: SITE_SCORING,
        answers: { policy: 'reviewed' },
        language: 'en',
      }),
      foreign: 'takes no ids',
    },
    publish: { input: draft, foreign: hidden },
    openDraft: { input: published, foreign: hidden },
    discardDraft: {
      input: async ({ addQuestionnaire }) => {
        const { id, version } = await addQuestionnaire()
        return { id, version }
      },
      foreign: hidden,
    },
    retire: { input: published, foreign: hidden },
    restore: { input: published, foreign: hidden },
    duplicate: { input: published, foreign: hidden },
    versions: { input: published, foreign: hidden },
    version: { input: async (place) => ({ ...(await published(place)), number: 1 }), foreign: hidden },
    remove: { input: published, foreign: hidden },
  },
  questionBank: { find: { input: () => ({ search: 'policy' }), foreign: 'takes no ids' } },
  questionnaireFiles: {
    export: { input: published, foreign: hidden },
    pdf: { input: published, foreign: hidden },
    readTable: { input: () => ({}), foreign: 'takes no ids' },
    // The file sent by the permission tests isn't a questionnaire (questionnaire-files.test.ts sends some).
    read: { input: () => ({}), allowedStatus: 400, foreign: 'takes no ids' },
  },
}
