import type { Page } from 'playwright-core'
import type { StoredAnswer } from '#contract/assessments/targets/answer-schema.ts'
import {
  participantArea,
  type ParticipantQuestionnaire,
  type ParticipantTask,
} from '#contract/participants/area/participant-area.ts'
import type { Definition } from '#contract/questions/definition.ts'
import type { PageCase, PagePath } from '#e2e/harness/page-case.ts'
import { button, heading, see } from '#e2e/harness/steps.ts'

const AT = '2026-11-14T10:42:00.000Z'
const en = (text: string) => ({ en: text })
const choice = (value: string, text: string) => ({ value, title: en(text) })

const DEFINITION: Definition = {
  languages: ['en', 'es'],
  sections: [
    {
      id: 'site',
      title: en('Site'),
      questions: [{ type: 'text', code: 'contact', title: en('Who knows the site best?') }],
    },
    {
      id: 'energy',
      title: en('Energy and refrigerants'),
      description: en('From January to December.'),
      questions: [
        {
          type: 'multiple',
          code: 'refrigerants',
          title: en('Which refrigerants were refilled?'),
          choices: [choice('r1234yf', 'R-1234yf'), choice('r134a', 'R-134a'), choice('none', 'None')],
        },
        {
          type: 'number',
          code: 'refilled',
          title: en('How much R-134a was refilled?'),
          help: en('The sum of all service records, January to today.'),
          unit: 'lb',
          obligation: 'required',
        },
        {
          type: 'single',
          code: 'leaks',
          title: en('Were all leak checks done in time?'),
          obligation: 'required',
          choices: [choice('yes', 'Yes'), choice('no', 'No'), choice('none', 'We have no such system')],
        },
        {
          type: 'table',
          code: 'meters',
          title: en('List the meters of this site.'),
          obligation: 'ifApplicable',
          columns: [
            { type: 'text', code: 'meter', title: en('Meter') },
            { type: 'number', code: 'kwh', title: en('Used'), unit: 'kWh', total: 'total_kwh' },
          ],
        },
        {
          type: 'matrix',
          code: 'training',
          title: en('Who was trained this year?'),
          rows: [
            { code: 'service', title: en('Service technicians') },
            { code: 'parts', title: en('Parts counter') },
          ],
          choices: [choice('all', 'Everyone'), choice('some', 'Some'), choice('none', 'No one')],
        },
        { type: 'file', code: 'records', title: en('Upload the service records') },
      ],
    },
  ],
}

const answer = (questionCode: string, value: unknown, rowKey = ''): StoredAnswer => ({
  questionCode,
  rowKey,
  value,
  rev: 1,
  isSetAside: false,
  sourceTargetId: null,
  answeredBy: rowKey === '' ? 'Tom Becker' : 'Ana Souza',
  answeredAt: AT,
})

const TASK: ParticipantTask = {
  targetId: '1',
  assessmentName: 'Dealer site check 2026',
  targetName: 'Body and Paint',
  organizationName: 'Northgate Ford',
  periodStart: '2026-01-01',
  periodEnd: '2026-12-31',
  dueOn: '2026-11-30',
  isOverdue: false,
  state: 'changes_requested',
  role: 'owner',
  isDelegate: false,
  sender: 'Priya Raman',
  questions: 7,
  answered: 4,
  requestedChanges: 1,
  submittedAt: null,
  phase: 'open',
  opensOn: '2026-11-01',
}

const QUESTIONNAIRE: ParticipantQuestionnaire = {
  ...TASK,
  version: 1,
  definition: DEFINITION,
  answers: [
    answer('contact', 'Tom Becker'),
    answer('refrigerants', ['r1234yf', 'r134a']),
    answer('meters', { meter: 'Hall', kwh: '1200.5' }, 'row-1'),
    answer('meters', { meter: 'Paint booth', kwh: '640' }, 'row-2'),
    answer('leaks', 'none'),
  ],
  evaluation: { visible: [], required: [], setAside: [], computed: {}, totals: {}, problems: [] },
  open: ['refilled', 'meters', 'records', 'training'],
  mine: ['contact', 'refrigerants', 'refilled', 'leaks', 'meters', 'records'],
  comments: [
    {
      id: '1',
      questionCode: 'refilled',
      text: 'Does this include the mobile service van?',
      isInternal: false,
      writtenBy: 'Tom Becker',
      writtenAt: AT,
      isMine: true,
    },
  ],
  flags: [
    {
      id: '1',
      questionCode: 'records',
      comment: 'Please add the refill record of the second lift bay.',
      flaggedBy: 'Miguel Santos',
      flaggedAt: AT,
      resolvedAt: null,
    },
  ],
  openRows: [],
  delegations: [
    {
      id: '1',
      assigneeId: '2',
      assigneeName: 'Ana Souza',
      sectionId: null,
      questionCode: 'meters',
      rowKey: 'row-2',
      delegatedBy: 'Tom Becker',
      delegatedAt: AT,
      isAnswered: false,
    },
  ],
  evidence: [
    {
      id: '1',
      name: 'service-0304.pdf',
      type: 'application/pdf',
      size: 212_000,
      periodStart: null,
      periodEnd: null,
      validUntil: null,
      isExpired: false,
      pages: null,
      questionCodes: ['records'],
      isFromEarlier: false,
      addedBy: 'Tom Becker',
      isMine: true,
      addedAt: AT,
      version: 1,
    },
  ],
  offered: [
    {
      questionCode: 'refilled',
      kind: 'previous',
      targetId: '9',
      assessmentName: 'Dealer site check 2025',
      periodStart: '2025-01-01',
      periodEnd: '2025-12-31',
      value: '9.3',
      answeredBy: 'Tom Becker',
      answeredAt: '2025-11-21T10:00:00.000Z',
    },
  ],
  facilities: [],
  receipt: null,
}

const RECEIPT = {
  targetId: '1',
  number: '1099-93FA-EE11',
  assessmentName: TASK.assessmentName,
  targetName: TASK.targetName,
  submittedAt: AT,
  answered: 7,
  questions: 7,
  sha256: '109993faee1179dc4510dcdd253d36af113e2e806ce20e79a99b30cd64564f0e',
}

const WORK = {
  participantId: '1',
  name: 'Tom Becker',
  email: 'tom@people.example',
  language: 'en',
  tasks: [
    TASK,
    { ...TASK, targetId: '2', targetName: 'Northgate Ford', state: 'submitted', requestedChanges: 0 },
    { ...TASK, targetId: '3', state: 'not_started', isOverdue: true, answered: 0, requestedChanges: 0 },
  ],
}

const OPENED = {
  endpoint: participantArea.open,
  data: { accessToken: 'fcp_x', participantId: '1', targetId: '1' },
}
const given = (questionnaire: ParticipantQuestionnaire) => [
  OPENED,
  { endpoint: participantArea.work, data: WORK },
  { endpoint: participantArea.get, data: questionnaire },
  { endpoint: participantArea.reportPresence, data: [] },
]
/** Every view has a link of its own, because one in the same tab replaces the session. */
const linkOf = (name: string) => `/participants#${name.padEnd(43, 'x')}`

async function open(page: Page): Promise<void> {
  await button(page, 'Open my questions').click()
  await see(heading(page, 'Dealer site check 2026'), page.getByRole('region').first())
}

/** The page of people without an account. Its calls need a session in the tab, so their failures aren't in a table. */
export const PARTICIPANT_PAGES = {
  '/participants': {
    person: null,
    views: {
      questionnaire: { url: linkOf('changes'), given: given(QUESTIONNAIRE), whole: open },
      'questionnaire-submitted': {
        url: linkOf('submitted'),
        given: given({
          ...QUESTIONNAIRE,
          state: 'submitted',
          open: [],
          flags: [],
          requestedChanges: 0,
          receipt: RECEIPT,
        }),
        whole: async (page) => {
          await open(page)
          await see(page.getByText(RECEIPT.number))
        },
      },
      'questionnaire-delegating': {
        url: linkOf('delegating'),
        given: given({ ...QUESTIONNAIRE, state: 'in_progress', flags: [], requestedChanges: 0 }),
        whole: async (page) => {
          await open(page)
          await button(page, 'Delegate section').first().click()
          await see(page.getByRole('dialog').getByLabel('Email'))
        },
      },
      'questionnaires-of-participant': {
        url: linkOf('work'),
        given: given(QUESTIONNAIRE),
        whole: async (page) => {
          await open(page)
          await button(page, 'More').click()
          await page.getByRole('menuitem', { name: 'My questionnaires' }).click()
          await see(heading(page, 'My questionnaires'), page.getByText('Changes requested: 1'))
        },
      },
      invitation: { url: linkOf('invitation'), whole: (page) => see(button(page, 'Open my questions')) },
      'invitation-dead': {
        url: linkOf('dead'),
        whole: async (page) => {
          await button(page, 'Open my questions').click()
          await see(heading(page, "This link doesn't work"))
        },
      },
    },
    loads: [],
  },
} satisfies Partial<Record<PagePath, PageCase>>
