import type { Page } from 'playwright-core'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, field, see } from '#e2e/harness/steps.ts'
import * as data from './board-data.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())

const listOf = <Row>(results: readonly Row[]) => ({
  filteredRows: results.length,
  totalRows: results.length,
  results,
})
const given = {
  list: { endpoint: assessments.list, data: listOf([data.DRAFT, data.OPEN, data.CLOSED]) },
  open: { endpoint: assessments.get, data: data.OPEN },
  draft: { endpoint: assessments.get, data: data.DRAFT },
  targets: { endpoint: assessmentTargets.list, data: listOf(data.TARGETS) },
  sections: { endpoint: assessmentSetup.sections, data: data.SECTIONS },
  invitations: { endpoint: assessmentParticipants.list, data: data.INVITATIONS },
  questionnaires: { endpoint: assessmentSetup.questionnaires, data: data.QUESTIONNAIRES },
  places: { endpoint: assessmentSetup.places, data: data.PLACES },
  emails: { endpoint: assessmentSetup.emails, data: { users: 4, invitations: 2 } },
  check: { endpoint: assessments.check, data: data.UNANSWERABLE },
}
const board = [given.open, given.targets, given.sections, given.invitations]
const draft = [
  given.draft,
  given.targets,
  given.check,
  given.emails,
  given.questionnaires,
  given.places,
  given.list,
]

async function selectTarget(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select Fulton charging hub' }).check()
  await see(button(page, 'Change due date'))
}

async function openPeople(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit people of Auburn car wash' }).click()
  await see(page.getByRole('dialog').getByText('Invite someone without an account'))
}

/** The pages of assessments. */
export const ASSESSMENT_PAGES = {
  '/assessments': {
    person: ADMIN,
    views: {
      assessments: { url: '/assessments', given: [given.list], whole: text('Dealer site check 2026') },
    },
    loads: [
      {
        url: '/assessments',
        endpoint: assessments.list,
        what: 'the list of assessments',
        loading: 'Loading assessments',
        more: {
          empty: { answer: rows(0, 0), says: ['No assessments yet'] },
          'empty when filtered': {
            url: '/assessments?search=zebra',
            answer: rows(0, 4),
            says: ['No assessments match “zebra”', '4 assessments in total.', 'Clear search'],
          },
        },
      },
    ],
  },
  '/assessments/new': {
    person: ADMIN,
    views: {
      'assessment-new': {
        url: '/assessments/new',
        given: [given.questionnaires, given.list],
        whole: (page) => see(field(page, 'Name')),
      },
    },
    loads: [
      {
        url: '/assessments/new',
        endpoint: assessmentSetup.questionnaires,
        what: 'the questionnaires',
        loading: 'Loading the questionnaires',
        more: { empty: { answer: { status: 200, data: [] }, says: ['No published questionnaire'] } },
      },
    ],
  },
  '/assessments/$id': {
    person: ADMIN,
    views: {
      'assessment-board': { url: '/assessments/1', given: board, whole: text('Body and paint shop') },
      'assessment-board-selected': { url: '/assessments/1', given: board, whole: selectTarget },
      'assessment-people': {
        url: '/assessments/1?tab=people',
        given: [...board, given.check],
        whole: text('erin.walsh@people.example'),
      },
      'assessment-target-people': {
        url: '/assessments/1?tab=people',
        given: [
          ...board,
          given.check,
          { endpoint: assessmentSetup.users, data: [] },
          { endpoint: assessmentParticipants.known, data: [] },
        ],
        whole: openPeople,
      },
      'assessment-setup': {
        url: '/assessments/1?tab=setup',
        given: [...board, given.questionnaires, given.places, given.list],
        whole: text('Toyota showroom'),
      },
      'assessment-details': {
        url: '/assessments/2?step=details',
        given: draft,
        whole: (page) => see(field(page, 'Name')),
      },
      'assessment-targets': {
        url: '/assessments/2?step=targets',
        given: draft,
        whole: text('Toyota showroom'),
      },
      'assessment-assign': {
        url: '/assessments/2?step=people',
        given: draft,
        whole: text('No one can answer 1 of 6 targets.'),
      },
      'assessment-open': {
        url: '/assessments/2?step=open',
        given: draft,
        whole: (page) => see(button(page, 'Fix 1 target to open')),
      },
    },
    loads: [
      {
        url: '/assessments/1',
        endpoint: assessments.get,
        what: 'this assessment',
        loading: 'Loading the assessment',
      },
    ],
  },
} satisfies Partial<Record<PagePath, PageCase>>
