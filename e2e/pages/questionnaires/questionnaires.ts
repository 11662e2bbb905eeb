import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { QuestionnaireFile } from '#contract/questionnaires/questionnaires/questionnaire-file.ts'
import {
  type Questionnaire,
  questionnaires,
  type QuestionnaireSummary,
  type QuestionnaireVersion,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const PAGE = '/configure-questionnaire'

const { definition, scoring } = QuestionnaireFile.parse(
  JSON.parse(readFileSync('data/questionnaires/dealer-site.json', 'utf8')),
)
const SPANISH = { section: 'El sitio', area: 'Superficie con calefacción o refrigeración' }
/** The site template with a few Spanish texts. */
const DRAFT: Questionnaire['draft'] = {
  languages: ['en', 'es'],
  sections: definition.sections.map((section, at) =>
    at === 0
      ? {
          ...section,
          title: { ...section.title, es: SPANISH.section },
          questions: section.questions.map((question) =>
            question.code === 'floor_area'
              ? { ...question, title: { ...question.title, es: SPANISH.area } }
              : question,
          ),
        }
      : section,
  ),
}

const SITE: Questionnaire = {
  id: '1',
  version: 7,
  updatedAt: '2026-11-20T17:00:00Z',
  updatedBy: 'Dana Whitfield',
  name: 'Dealer site check 2027',
  key: 'dealer-site-2027',
  organizationId: null,
  organizationName: null,
  draft: DRAFT,
  scoring,
  status: 'published',
  publishedNumber: 1,
  publishedAt: '2026-10-02T16:00:00Z',
  hasDraft: true,
  questionCount: 55,
  sectionCount: 7,
  errorCount: 0,
  languages: [
    { language: 'en', translated: 330, total: 330 },
    { language: 'es', translated: 2, total: 330 },
  ],
  assessmentCount: 2,
  mayEdit: true,
}
const BROKEN: Questionnaire = {
  ...SITE,
  draft: {
    ...DRAFT,
    sections: DRAFT.sections.map((section) => ({
      ...section,
      questions: section.questions.map((question) =>
        question.code === 'incident_details' ? { ...question, visibleIf: 'incident' } : question,
      ),
    })),
  },
  errorCount: 1,
}
const PUBLISHED: Questionnaire = { ...SITE, hasDraft: false, draft: definition }
const VERSION: QuestionnaireVersion = {
  number: 1,
  questionCount: 54,
  publishedAt: '2026-10-02T16:00:00Z',
  publishedBy: 'Luis Ortega',
  definition: {
    ...definition,
    sections: definition.sections.filter(({ id }) => id !== 'grounds'),
  },
  scoring,
}
const { draft: _draft, scoring: _scoring, ...SUMMARY } = SITE
const ROWS: QuestionnaireSummary[] = [
  SUMMARY,
  {
    ...SUMMARY,
    id: '2',
    name: 'Dealer energy',
    key: 'dealer-energy',
    hasDraft: false,
    questionCount: 26,
    sectionCount: 4,
    languages: [{ language: 'en', translated: 60, total: 60 }],
    assessmentCount: 0,
  },
  {
    ...SUMMARY,
    id: '3',
    name: 'Ford supplier survey',
    key: 'ford-suppliers',
    status: 'draft',
    publishedNumber: null,
    publishedAt: null,
    organizationId: '1',
    organizationName: 'Northgate Ford',
    questionCount: 12,
    sectionCount: 2,
    languages: [{ language: 'en', translated: 30, total: 30 }],
    assessmentCount: 0,
  },
  {
    ...SUMMARY,
    id: '4',
    name: 'Dealer site check 2025',
    key: 'dealer-site-2025',
    status: 'retired',
    hasDraft: false,
    languages: [{ language: 'en', translated: 300, total: 300 }],
    assessmentCount: 1,
  },
]

const given = {
  list: { endpoint: questionnaires.list, data: { filteredRows: 4, totalRows: 4, results: ROWS } },
  site: { endpoint: questionnaires.get, data: SITE },
  broken: { endpoint: questionnaires.get, data: BROKEN },
  published: { endpoint: questionnaires.get, data: PUBLISHED },
  version: { endpoint: questionnaires.version, data: VERSION },
  versions: {
    endpoint: questionnaires.versions,
    data: [{ number: 1, questionCount: 54, publishedAt: VERSION.publishedAt, publishedBy: 'Luis Ortega' }],
  },
}

/** Opens the properties of a question. On a narrow screen they replace the outline. */
async function chooseQuestion(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^What is on the site/ })
    .first()
    .click()
  await see(page.getByLabel('Choices', { exact: true }))
}

async function openScore(page: Page): Promise<void> {
  await page.getByLabel('Find a question').fill('lot_lighting')
  await page
    .getByRole('button', { name: /^How is the lot lit/ })
    .first()
    .click()
  await page.getByText('Score', { exact: true }).click()
  await see(page.getByLabel('Weight'))
}

async function openBank(page: Page): Promise<void> {
  await button(page, 'Question bank').click()
  await field(page, 'Search questions').fill('floor area')
  await see(page.getByRole('button', { name: 'Add: Gross floor area of all buildings' }).first())
}

async function openPublish(page: Page): Promise<void> {
  await button(page, 'Publish version 2').click()
  await see(page.getByText('Changed since version 1'))
}

/** The pages of questionnaires. */
export const QUESTIONNAIRE_PAGES = {
  '/configure-questionnaire': {
    person: ADMIN,
    views: {
      questionnaires: { url: PAGE, given: [given.list], whole: text('Ford supplier survey') },
      'questionnaire-new': {
        url: `${PAGE}?drawer=new`,
        given: [given.list],
        whole: (page) => see(field(page, 'Name'), page.getByText('Scope 3 screening')),
      },
      'questionnaire-import': {
        url: `${PAGE}?drawer=import`,
        given: [given.list],
        whole: text('Drop a JSON or XLSX file here'),
      },
    },
    loads: [
      {
        url: PAGE,
        endpoint: questionnaires.list,
        what: 'the list of questionnaires',
        loading: 'Loading questionnaires',
        more: {
          empty: { answer: rows(0, 0), says: ['No questionnaires yet', 'New questionnaire'] },
          'empty when filtered': {
            url: `${PAGE}?search=zebra`,
            answer: rows(0, 4),
            says: ['No questionnaires match “zebra”', '4 questionnaires in total.', 'Clear search'],
          },
        },
      },
    ],
  },
  '/configure-questionnaire/$id': {
    person: ADMIN,
    views: {
      questionnaire: {
        url: `${PAGE}/1`,
        given: [given.site, given.version],
        whole: (page) => see(button(page, 'Publish version 2'), page.getByText('The site').first()),
      },
      'questionnaire-question': {
        url: `${PAGE}/1`,
        given: [given.site, given.version],
        whole: chooseQuestion,
      },
      'questionnaire-score': { url: `${PAGE}/1`, given: [given.site, given.version], whole: openScore },
      'questionnaire-problem': {
        url: `${PAGE}/1`,
        given: [given.broken, given.version],
        whole: (page) => see(button(page, 'Fix 1 problem to publish')),
      },
      'questionnaire-published': {
        url: `${PAGE}/1`,
        given: [given.published, given.version],
        whole: (page) => see(button(page, 'New draft')),
      },
      'questionnaire-publish': { url: `${PAGE}/1`, given: [given.site, given.version], whole: openPublish },
      'questionnaire-bank': { url: `${PAGE}/1`, given: [given.site, given.version], whole: openBank },
      'questionnaire-scoring': {
        url: `${PAGE}/1?tab=scoring`,
        given: [given.site, given.version],
        whole: text('Maturity levels'),
      },
      'questionnaire-translations': {
        url: `${PAGE}/1?tab=translations`,
        given: [given.site, given.version],
        whole: text(/missing in Spanish/),
      },
      'questionnaire-try': {
        url: `${PAGE}/1?tab=try`,
        given: [given.site, given.version],
        whole: text("Can't be submitted yet"),
      },
      'questionnaire-versions': {
        url: `${PAGE}/1?tab=versions`,
        given: [given.site, given.version, given.versions],
        whole: text('What changed'),
      },
      'questionnaire-settings': {
        url: `${PAGE}/1?tab=settings`,
        given: [given.site, given.version],
        whole: (page) => see(field(page, 'Key')),
      },
    },
    loads: [
      {
        url: `${PAGE}/1`,
        endpoint: questionnaires.get,
        what: 'this questionnaire',
        loading: 'Loading the questionnaire',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
