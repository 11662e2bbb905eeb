import type { Page } from 'playwright-core'
import { assessmentActions } from '#contract/assessments/actions/actions.ts'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { targetReopenings } from '#contract/assessments/targets/target-reopenings.ts'
import { targetSnapshots } from '#contract/assessments/targets/target-snapshots.ts'
import { assessmentTargets, type TargetRecord } from '#contract/assessments/targets/targets.ts'
import { type AssessmentResults, assessmentResults } from '#contract/assessments/results/results.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { see } from '#e2e/harness/steps.ts'
import { OPEN, TARGETS } from './board-data.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const en = (words: string) => ({ en: words })
const answer = (questionCode: string, value: unknown, rowKey = '') => ({
  questionCode,
  rowKey,
  value,
  rev: 1,
  isSetAside: false,
  sourceTargetId: null,
  answeredBy: 'Tom Becker',
  answeredAt: '2026-11-16T15:00:00.000Z',
})
const [first] = TARGETS
if (first === undefined) throw new Error('The board has no targets.')

/** A target in the middle of its answers: a table, an offered answer, a comment and a delegation. */
const RECORD: TargetRecord = {
  ...first,
  id: '4',
  name: 'Body and paint shop',
  state: 'in_progress',
  score: null,
  ownerName: 'Tom Becker',
  assessment: OPEN,
  definition: {
    languages: ['en'],
    sections: [
      {
        id: 'energy',
        title: en('Energy and refrigerants'),
        questions: [
          {
            type: 'number',
            code: 'electricity',
            title: en('How much electricity did this site buy?'),
            help: en('The sum of all bills, January to December.'),
            unit: 'kWh',
            obligation: 'required',
          },
          {
            type: 'table',
            code: 'refills',
            title: en('List each refill.'),
            obligation: 'required',
            columns: [
              { type: 'date', code: 'date', title: en('Date') },
              { type: 'number', code: 'amount', title: en('Amount'), unit: 'lb', total: 'refilled_lb' },
            ],
          },
        ],
      },
      {
        id: 'waste',
        title: en('Waste and water'),
        questions: [{ type: 'longText', code: 'plan', title: en('How is waste oil collected?') }],
      },
    ],
  },
  answers: [answer('electricity', '90000'), answer('refills', { date: '2026-03-01', amount: '4.2' }, 'a')],
  evaluation: {
    visible: ['electricity', 'refills', 'plan'],
    required: ['electricity', 'refills'],
    setAside: [],
    computed: {},
    totals: { refilled_lb: '4.2' },
    problems: [],
  },
  open: ['electricity', 'refills', 'plan'],
  openRows: [],
  lockedRows: [],
  maySubmit: true,
  zone: 'America/Los_Angeles',
  facilities: [],
  scoring: { questions: [], sections: [], bands: [], levels: [], unanswered: 'zero', hasTotal: true },
  scores: null,
  comments: [
    {
      id: '1',
      questionCode: 'electricity',
      text: 'Is the charging hub included?',
      isInternal: false,
      writtenBy: 'Ana Souza',
      writtenAt: '2026-11-17T15:00:00.000Z',
      isMine: false,
    },
  ],
  flags: [],
  delegations: [
    {
      id: '1',
      assigneeId: '9',
      assigneeName: 'Ana Souza',
      sectionId: null,
      questionCode: 'refills',
      rowKey: 'a',
      delegatedBy: 'Tom Becker',
      delegatedAt: '2026-11-14T15:00:00.000Z',
      isAnswered: true,
    },
  ],
  evidence: [],
  reviews: [],
  offered: [
    {
      questionCode: 'electricity',
      kind: 'previous',
      targetId: '40',
      assessmentName: 'Dealer site check 2025',
      periodStart: '2025-01-01',
      periodEnd: '2025-12-31',
      value: '120000',
      answeredBy: 'Tom Becker',
      answeredAt: '2025-11-21T15:00:00.000Z',
    },
  ],
  approvalProblem: 'The answers are not submitted.',
  snapshotSha256: null,
}
const REVIEWED: TargetRecord = {
  ...RECORD,
  state: 'in_review',
  offered: [],
  open: [],
  approvalProblem: null,
  submittedAt: '2026-11-16T15:00:00.000Z',
  submittedBy: 'Tom Becker',
}
const RESULTS: AssessmentResults = {
  isScored: true,
  hasTotal: true,
  sections: [
    { id: 'site', title: 'Site' },
    { id: 'energy', title: 'Energy' },
  ],
  targets: TARGETS.slice(0, 3).map(({ id, name, organizationName, state }, at) => ({
    targetId: id,
    name,
    organizationName,
    state,
    isFinal: at < 2,
    total: at < 2 ? '81.4' : null,
    band: at < 2 ? 'Silver' : null,
    sections: at < 2 ? ['90.0', '72.8'] : [null, null],
    previousTotal: at === 0 ? '74.0' : null,
  })),
  final: 2,
  meanTotal: '81.4',
  sectionMeans: ['90.0', '72.8'],
  previous: {
    assessmentId: '3',
    name: 'Dealer site check 2025',
    isSameVersion: true,
    targets: 1,
    mean: '81.4',
    meanBefore: '74.0',
  },
  benchmark: null,
  sectionBenchmarks: [null, null],
  gaps: [
    {
      questionCode: 'policy',
      title: 'Is there an energy policy?',
      section: 'energy',
      targets: 2,
      of: 2,
      meanGain: '12.5',
      action: 'Write a policy and review it every year.',
      openActions: 1,
    },
  ],
}

const FROZEN = [
  {
    id: '2',
    kind: 'approved',
    sha256: '4be1f0d2a7c95e38b6d1402f9c7a85e3d20b16f4987ac5d3e1f06b2948d7ca51',
    size: 18_420,
    madeBy: 'Dana Whitfield',
    madeAt: '2026-11-17T16:20:00.000Z',
  },
  {
    id: '1',
    kind: 'submitted',
    sha256: '109993faee1179dc4510dcdd253d36af113e2e806ce20e79a99b30cd64564f0e',
    size: 18_355,
    madeBy: 'Tom Becker',
    madeAt: '2026-11-16T09:05:00.000Z',
  },
]

/** Approved by two people, of whom one asks to reopen it. */
const APPROVED: TargetRecord = {
  ...REVIEWED,
  state: 'approved',
  approvals: 2,
  approvedAt: '2026-11-17T16:20:00.000Z',
  reviewerName: 'Dana Whitfield',
  assessment: { ...REVIEWED.assessment, review: 'two' },
}
const REOPENING = {
  id: '1',
  targetId: APPROVED.id,
  reason: 'The electricity of the charging hub belongs to the tenant.',
  requestedBy: 'Priya Raman',
  requestedAt: '2026-11-18T10:00:00.000Z',
  decision: null,
  decisionReason: null,
  decidedBy: null,
  decidedAt: null,
  isMine: false,
  refusal: null,
}

const target = { endpoint: assessmentTargets.get, data: RECORD }
const reviewed = { endpoint: assessmentTargets.get, data: REVIEWED }
const assessment = { endpoint: assessments.get, data: OPEN }
const AT = '/assessments/1/targets/4'

/** The page of one target, and the tabs with its results. */
export const TARGET_PAGES = {
  '/assessments/$id/targets/$targetId': {
    person: ADMIN,
    views: {
      'assessment-target': {
        url: `${AT}?section=energy&question=electricity`,
        given: [target],
        whole: text('Use this answer'),
      },
      'assessment-review': {
        url: `${AT}?section=energy&question=electricity`,
        given: [reviewed],
        whole: text('Ask for a change'),
      },
      'assessment-confirm-reopening': {
        url: `${AT}?section=energy&question=electricity`,
        given: [
          { endpoint: assessmentTargets.get, data: APPROVED },
          { endpoint: targetReopenings.list, data: [REOPENING] },
        ],
        whole: text(/Priya Raman asks to reopen/),
      },
      'assessment-frozen-answers': {
        url: `${AT}?section=energy&question=electricity`,
        given: [reviewed, { endpoint: targetSnapshots.list, data: FROZEN }],
        whole: async (page) => {
          await page.getByRole('button', { name: 'More actions' }).click()
          await page.getByRole('menuitem', { name: 'Frozen answers' }).click()
          await page
            .getByRole('dialog')
            .getByRole('button', { name: /^Verify: Approved/ })
            .waitFor()
        },
      },
      'assessment-results': {
        url: '/assessments/1?tab=results',
        given: [assessment, { endpoint: assessmentResults.get, data: RESULTS }],
        whole: text('Is there an energy policy?'),
      },
      'assessment-actions': {
        url: '/assessments/1?tab=actions',
        given: [assessment, { endpoint: assessmentActions.list, data: rows(0, 0).data }],
        whole: text('No open actions'),
      },
    },
    loads: [
      {
        url: AT,
        endpoint: assessmentTargets.get,
        what: 'these answers',
        loading: 'Loading the answers',
      },
    ],
  },
} satisfies Partial<Record<PagePath, PageCase>>
