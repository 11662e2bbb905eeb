import type { Page } from 'playwright-core'
import { type Form, type FormVersion, forms } from '#contract/marketing/forms/forms.ts'
import { type Submission, type SubmissionRecord, submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, drawer, field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const en = (words: string) => ({ en: words })

const DRAFT: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'drive',
      title: en('Your test drive'),
      questions: [
        { type: 'date', code: 'day', title: en('Which day suits you?'), obligation: 'required' },
        {
          type: 'single',
          code: 'time',
          title: en('What time of day?'),
          help: en('We confirm the exact time by phone or email.'),
          choices: [
            { value: 'morning', title: en('Morning') },
            { value: 'afternoon', title: en('Afternoon') },
            { value: 'evening', title: en('Evening') },
          ],
        },
        { type: 'boolean', code: 'has_trade', title: en('Do you have a trade-in?') },
        {
          type: 'number',
          code: 'mileage',
          title: en('Mileage of your vehicle'),
          unit: 'miles',
          visibleIf: 'has_trade == true',
        },
      ],
    },
    {
      id: 'you',
      title: en('How we reach you'),
      questions: [
        { type: 'text', code: 'name', title: en('Name'), obligation: 'required' },
        { type: 'email', code: 'email', title: en('Email'), obligation: 'required' },
        { type: 'phone', code: 'phone', title: en('Phone') },
        {
          type: 'consent',
          code: 'offers',
          title: en('Offers by email'),
          text: en('{seller} may send me offers by email. I can unsubscribe at any time.'),
          version: 2,
          purpose: 'marketing',
          channels: ['email'],
        },
        { type: 'text', code: 'ad', title: en('Advertisement'), isHidden: true, prefill: 'ad' },
      ],
    },
  ],
}

const FORM: Form = {
  id: '1',
  version: 4,
  updatedAt: '2026-11-20T17:00:00Z',
  updatedBy: 'Dana Whitfield',
  name: 'Book a test drive',
  key: 'test-drive',
  isOnVehiclePages: true,
  isInMenu: false,
  translations: {},
  embedOrigins: ['https://www.northgate.example'],
  requiresProof: false,
  lotId: null,
  draft: DRAFT,
  leadFields: { fullName: 'name', email: 'email', phone: 'phone' },
  thankYouTitle: 'Thank you',
  thankYouText: 'We will confirm your test drive within a business day.',
  replySubject: null,
  replyText: null,
  status: 'published',
  publishedNumber: 2,
  publishedAt: '2026-11-14T16:00:00Z',
  hasChanges: true,
  submissions: 38,
}
const [DRIVE] = DRAFT.sections
const FIRST: Definition = { ...DRAFT, sections: DRIVE === undefined ? [] : [DRIVE] }
const BROKEN: Form = {
  ...FORM,
  draft: {
    ...DRAFT,
    sections: DRAFT.sections.map((section) => ({
      ...section,
      questions: section.questions.map((question) =>
        question.code === 'mileage' ? { ...question, visibleIf: 'has_trad == true' } : question,
      ),
    })),
  },
}
const VERSIONS: FormVersion[] = [
  {
    number: 2,
    definition: DRAFT,
    publishedAt: '2026-11-14T16:00:00Z',
    publishedBy: 'Dana Whitfield',
    submissions: 21,
  },
  {
    number: 1,
    definition: FIRST,
    publishedAt: '2026-10-02T16:00:00Z',
    publishedBy: 'Luis Ortega',
    submissions: 17,
  },
]
const FORM_ROWS: Form[] = [
  FORM,
  { ...FORM, id: '2', name: 'Ask about a vehicle', key: 'ask', hasChanges: false, submissions: 204 },
  {
    ...FORM,
    id: '3',
    name: 'Value your trade-in',
    key: 'trade-in',
    status: 'draft',
    publishedNumber: null,
    publishedAt: null,
    isOnVehiclePages: false,
    submissions: 0,
  },
  {
    ...FORM,
    id: '4',
    name: 'Summer event',
    key: 'summer-event',
    status: 'closed',
    hasChanges: false,
    isOnVehiclePages: false,
    submissions: 18,
  },
]

const SUBMISSION: Submission = {
  id: '1',
  formId: '1',
  formName: 'Book a test drive',
  formNumber: 2,
  organizationId: '1',
  lotId: '1',
  lotName: 'Northgate Ford',
  vehicleId: '1',
  vehicleTitle: '2021 Ford F-150 XLT, F1204',
  vehiclePriceCents: 4_587_300,
  currency: 'USD',
  state: 'received',
  suspicions: [],
  isTest: false,
  senderName: 'Maria Alvarez',
  senderEmail: 'maria.alvarez@mail.example',
  senderPhone: '+19165550142',
  comments: 'Is the tow package included?',
  sentAt: '2026-11-22T18:42:00Z',
  version: 1,
  updatedAt: '2026-11-22T18:42:00Z',
  updatedBy: null,
}
const SUBMISSION_ROWS: Submission[] = [
  SUBMISSION,
  {
    ...SUBMISSION,
    id: '2',
    senderName: 'Tom Becker',
    senderEmail: 'tom@mail.example',
    senderPhone: null,
    comments: null,
    state: 'unfinished',
    sentAt: '2026-11-22T15:03:00Z',
  },
  {
    ...SUBMISSION,
    id: '3',
    senderName: 'SEO Experts',
    senderEmail: 'rank@spam.example',
    vehicleTitle: null,
    vehicleId: null,
    comments: 'First place on every search engine',
    state: 'quarantined',
    suspicions: ['fast', 'links'],
    sentAt: '2026-11-21T04:10:00Z',
  },
]
const RECORD: SubmissionRecord = {
  ...SUBMISSION,
  definition: DRAFT,
  leadId: null,
  checkNote: null,
  leadDueAt: null,
  answers: {
    day: '2026-11-28',
    time: 'morning',
    has_trade: true,
    mileage: '48200',
    name: 'Maria Alvarez',
    email: 'maria.alvarez@mail.example',
    phone: '+19165550142',
    offers: { isGiven: true, version: 2 },
    ad: 'F-150',
  },
  computed: {},
  files: [],
  hasLostFiles: false,
  consents: [
    {
      question: 'offers',
      isGiven: true,
      version: 2,
      language: 'en',
      text: 'Northgate Ford may send me offers by email. I can unsubscribe at any time.',
      seller: 'Northgate Ford',
      purpose: 'marketing',
      channels: ['email'],
    },
  ],
  language: 'en',
  pageUrl: 'http://northgate.localhost/v/2021-ford-f-150-xlt-1',
  referrer: 'https://www.search.example/',
  campaign: { utm_source: 'newsletter', utm_campaign: 'november-trucks' },
}
const SPAM: SubmissionRecord = { ...RECORD, ...SUBMISSION_ROWS[2], answers: {}, consents: [] }

const given = {
  forms: { endpoint: forms.list, data: { filteredRows: 4, totalRows: 4, results: FORM_ROWS } },
  form: { endpoint: forms.get, data: FORM },
  broken: { endpoint: forms.get, data: BROKEN },
  versions: { endpoint: forms.versions, data: VERSIONS },
  submissions: {
    endpoint: submissions.list,
    data: { filteredRows: 3, totalRows: 3, results: SUBMISSION_ROWS },
  },
}

/** Opens the properties of a question. On a narrow screen they replace the outline. */
async function chooseTime(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^What time of day/ })
    .first()
    .click()
  await see(page.getByLabel('Choices', { exact: true }))
  // The list moves under the pointer when the question opens.
  await page.mouse.move(0, 0)
}

/** The pages of forms and submissions. */
export const MARKETING_PAGES = {
  '/dvp/forms': {
    person: ADMIN,
    views: {
      forms: { url: '/dvp/forms', given: [given.forms], whole: text('Summer event') },
      'form-new': { url: '/dvp/forms?drawer=new', whole: (page) => see(field(page, 'Name')) },
    },
    loads: [
      {
        url: '/dvp/forms',
        endpoint: forms.list,
        what: 'the list of forms',
        loading: 'Loading forms',
        more: {
          empty: { answer: rows(0, 0), says: ['No forms yet', 'New form'] },
          'empty when filtered': {
            url: '/dvp/forms?search=zebra',
            answer: rows(0, 4),
            says: ['No forms match “zebra”', '4 forms in total.', 'Clear search'],
          },
        },
      },
    ],
  },
  '/dvp/forms/$id': {
    person: ADMIN,
    views: {
      form: {
        url: '/dvp/forms/1',
        given: [given.form, given.versions],
        whole: (page) => see(button(page, 'Save draft'), page.getByText('Your test drive').first()),
      },
      'form-question': { url: '/dvp/forms/1', given: [given.form, given.versions], whole: chooseTime },
      'form-problem': {
        url: '/dvp/forms/1',
        given: [given.broken, given.versions],
        whole: (page) => see(button(page, 'Fix 1 problem to publish')),
      },
      'form-settings': {
        url: '/dvp/forms/1?tab=settings',
        given: [given.form, given.versions],
        whole: (page) => see(field(page, 'Name')),
      },
      'form-versions': {
        url: '/dvp/forms/1?tab=versions',
        given: [given.form, given.versions],
        whole: text('Published Nov 14, 2026'),
      },
    },
    loads: [{ url: '/dvp/forms/1', endpoint: forms.get, what: 'this form', loading: 'Loading the form' }],
  },
  '/dvp/submissions': {
    person: ADMIN,
    views: {
      submissions: { url: '/dvp/submissions', given: [given.submissions], whole: text('Tom Becker') },
      submission: {
        url: '/dvp/submissions?submission=1',
        given: [given.submissions, { endpoint: submissions.get, data: RECORD }],
        whole: (page) => see(drawer(page).getByText('november-trucks')),
      },
      'submission-quarantined': {
        url: '/dvp/submissions?submission=3',
        given: [given.submissions, { endpoint: submissions.get, data: SPAM }],
        whole: (page) => see(button(page, 'Not spam')),
      },
    },
    loads: [
      {
        url: '/dvp/submissions',
        endpoint: submissions.list,
        what: 'the list of submissions',
        loading: 'Loading submissions',
        more: {
          empty: { answer: rows(0, 0), says: ['No submissions yet', 'Go to DVP forms'] },
          'empty when filtered': {
            url: '/dvp/submissions?search=zebra',
            answer: rows(0, 4),
            says: ['No submissions match “zebra”', '4 submissions in total.', 'Clear search'],
          },
        },
      },
      {
        url: '/dvp/submissions?submission=1',
        endpoint: submissions.get,
        what: 'this submission',
        loading: 'Loading the submission',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
