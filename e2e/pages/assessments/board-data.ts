import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import type { PlaceChoice, QuestionnaireChoice } from '#contract/assessments/assessments/setup.ts'
import type { Target, TargetPerson } from '#contract/assessments/targets/targets.ts'
import type { Invitation } from '#contract/participants/invitations/participants.ts'

const CHANGED = {
  version: 1,
  updatedAt: '2026-11-17T15:00:00.000Z',
  updatedBy: 'Nadia Rahman',
} as const

export const OPEN: Assessment = {
  ...CHANGED,
  id: '1',
  name: 'Dealer site check 2026',
  questionnaireId: '1',
  questionnaireName: 'Dealer site check',
  questionnaireNumber: 3,
  edition: null,
  size: null,
  periodStart: '2026-01-01',
  periodEnd: '2026-12-31',
  opensOn: '2026-10-20',
  dueOn: '2026-11-30',
  review: 'one',
  recurrence: 'none',
  remindUntouchedDays: null,
  remindStartedDays: null,
  previousId: null,
  previousName: null,
  status: 'open',
  organizationId: '1',
  organizationName: 'Northgate Ford',
  openedAt: '2026-10-20T14:00:00.000Z',
  closedAt: null,
  targets: 6,
  notStarted: 1,
  inProgress: 2,
  submitted: 1,
  changesRequested: 1,
  approved: 1,
  overdue: 1,
  progress: 64,
  isOwn: true,
}
export const DRAFT: Assessment = {
  ...OPEN,
  id: '2',
  name: 'Dealer energy 2027',
  questionnaireId: '2',
  questionnaireName: 'Dealer energy',
  questionnaireNumber: 1,
  periodStart: '2026-07-01',
  periodEnd: '2027-06-30',
  opensOn: '2027-01-11',
  dueOn: '2027-02-28',
  review: 'two',
  status: 'draft',
  openedAt: null,
  targets: 6,
  notStarted: 6,
  inProgress: 0,
  submitted: 0,
  changesRequested: 0,
  approved: 0,
  overdue: 0,
  progress: null,
}
export const CLOSED: Assessment = {
  ...OPEN,
  id: '3',
  name: 'Dealer site check 2025',
  periodStart: '2025-01-01',
  periodEnd: '2025-12-31',
  opensOn: '2025-10-20',
  dueOn: '2025-11-30',
  status: 'closed',
  openedAt: '2025-10-20T14:00:00.000Z',
  closedAt: '2025-12-19T14:00:00.000Z',
  targets: 4,
  notStarted: 0,
  inProgress: 0,
  submitted: 0,
  changesRequested: 0,
  approved: 4,
  overdue: 0,
  progress: 100,
}

export const SECTIONS = [
  'Site',
  'People',
  'Energy',
  'Waste',
  'Paint',
  'Product',
  'Suppliers',
  'Sign-off',
].map((title) => ({ id: title.toLowerCase(), title }))

const person = (id: string, name: string, more: Partial<TargetPerson> = {}): TargetPerson => ({
  id,
  role: 'owner',
  userId: id,
  participantId: null,
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@northgate.example`,
  isDelegate: false,
  ...more,
})
const reviewer = (id: string) => person(id, 'Miguel Santos', { role: 'reviewer' })

/** Answered of asked, by section. */
type Progress = readonly (readonly [answered: number, questions: number, flagged?: number])[]

function target(id: string, name: string, progress: Progress, more: Partial<Target>): Target {
  const sections = progress.map(([answered, questions, flagged = 0], at) => ({
    section: SECTIONS[at]?.id ?? '',
    questions,
    answered,
    required: Math.min(2, questions),
    requiredAnswered: Math.min(2, answered),
    flagged,
  }))
  const sum = (of: (section: (typeof sections)[number]) => number) =>
    sections.reduce((total, section) => total + of(section), 0)
  return {
    ...CHANGED,
    id,
    assessmentId: '1',
    organizationId: '1',
    organizationName: 'Northgate Ford',
    facilityId: id,
    name,
    state: 'not_started',
    isOverdue: false,
    dueOn: '2026-11-30',
    hasOwnDueDate: false,
    size: null,
    ownerName: null,
    people: [],
    sections,
    questions: sum(({ questions }) => questions),
    answered: sum(({ answered }) => answered),
    required: sum(({ required }) => required),
    requiredAnswered: sum(({ requiredAnswered }) => requiredAnswered),
    score: null,
    reviewerName: null,
    approvals: 0,
    answeredAt: null,
    answeredBy: null,
    submittedAt: null,
    submittedBy: null,
    approvedAt: null,
    remindedAt: null,
    ...more,
  }
}

const ALL: Progress = [
  [5, 5],
  [6, 6],
  [7, 7],
  [5, 5],
  [0, 0],
  [4, 4],
  [4, 4],
  [3, 3],
]
const NONE: Progress = ALL.map(([, questions]) => [0, questions] as const)

export const TARGETS: Target[] = [
  target('1', 'Northgate Ford showroom', ALL, {
    state: 'approved',
    ownerName: 'Luis Ortega',
    people: [person('1', 'Luis Ortega'), reviewer('11')],
    score: 81.4,
    reviewerName: 'Miguel Santos',
    approvals: 1,
    dueOn: '2026-11-12',
    hasOwnDueDate: true,
    size: null,
  }),
  target('2', 'Toyota showroom', ALL, {
    state: 'in_review',
    ownerName: 'Wei Zhang',
    people: [person('2', 'Wei Zhang'), reviewer('12')],
    score: 74,
    reviewerName: 'Miguel Santos',
    submittedBy: 'Wei Zhang',
    submittedAt: '2026-11-16T15:00:00.000Z',
  }),
  target(
    '3',
    'Pre-Owned lot',
    ALL.map(([answered, questions], at) =>
      at === 2 ? ([5, 7, 2] as const) : ([answered, questions] as const),
    ),
    {
      state: 'changes_requested',
      ownerName: 'Ana Souza',
      people: [person('3', 'Ana Souza'), reviewer('13')],
      score: 68,
      reviewerName: 'Miguel Santos',
    },
  ),
  target(
    '4',
    'Body and paint shop',
    [
      [5, 5],
      [6, 6],
      [3, 7],
      [2, 5],
      [1, 5],
      [0, 4],
      [0, 4],
      [0, 3],
    ],
    { state: 'in_progress', ownerName: 'Tom Becker', people: [person('4', 'Tom Becker')] },
  ),
  target('5', 'Fulton charging hub', NONE, {
    ownerName: 'Erin Walsh',
    people: [person('5', 'Erin Walsh', { userId: null, participantId: '5' })],
  }),
  target(
    '6',
    'Auburn car wash',
    [
      [5, 5],
      [2, 6],
      [0, 7],
      [0, 5],
      [0, 0],
      [0, 4],
      [0, 4],
      [0, 3],
    ],
    {
      state: 'in_progress',
      isOverdue: true,
      dueOn: '2026-11-10',
      hasOwnDueDate: true,
      ownerName: 'Kim Lindqvist',
      people: [person('6', 'Kim Lindqvist', { userId: null, participantId: '6' })],
      remindedAt: '2026-11-13T15:00:00.000Z',
    },
  ),
]

const invitation = (id: string, name: string, targetName: string, more: Partial<Invitation>): Invitation => ({
  id,
  targetId: id,
  targetName,
  organizationName: 'Northgate Ford',
  participantId: id,
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@people.example`,
  language: 'en',
  role: 'owner',
  isDelegate: false,
  state: 'sent',
  invitedBy: 'Nadia Rahman',
  expiresAt: '2026-12-30T23:59:59.000Z',
  sentAt: '2026-11-14T15:00:00.000Z',
  bouncedAt: null,
  openedAt: null,
  startedAt: null,
  submittedAt: null,
  revokedAt: null,
  mailState: 'sent',
  ...more,
})

export const INVITATIONS: Invitation[] = [
  invitation('5', 'Erin Walsh', 'Fulton charging hub', {}),
  invitation('6', 'Kim Lindqvist', 'Auburn car wash', {
    state: 'bounced',
    bouncedAt: '2026-11-14T15:02:00.000Z',
  }),
  invitation('7', 'Priya Raman', 'Auburn car wash', {
    role: 'contributor',
    state: 'expired',
    expiresAt: '2026-11-10T23:59:59.000Z',
  }),
]

export const QUESTIONNAIRES: QuestionnaireChoice[] = [
  {
    id: '1',
    name: 'Dealer site check',
    organizationName: null,
    versions: [
      { number: 3, questions: 34, editions: [], hasSizes: false, publishedAt: '2026-10-12T15:00:00.000Z' },
      { number: 2, questions: 33, editions: [], hasSizes: false, publishedAt: '2025-10-12T15:00:00.000Z' },
    ],
  },
  {
    id: '2',
    name: 'Dealer energy',
    organizationName: null,
    versions: [
      { number: 1, questions: 21, editions: [], hasSizes: false, publishedAt: '2026-10-12T15:00:00.000Z' },
    ],
  },
]

const place = (facilityId: string | null, name: string, more: Partial<PlaceChoice> = {}): PlaceChoice => ({
  organizationId: '1',
  organizationName: 'Northgate Ford',
  facilityId,
  name,
  level: facilityId === null ? null : 'site',
  type: facilityId === null ? null : 'showroom',
  city: facilityId === null ? null : 'Sacramento',
  isTarget: false,
  ...more,
})
export const PLACES: { places: PlaceChoice[]; total: number } = {
  places: [
    place(null, 'Northgate Ford'),
    place('1', 'Northgate Ford showroom', { isTarget: true }),
    place('4', 'Body and paint shop', { type: 'paint_shop', isTarget: true }),
    place('6', 'Auburn car wash', { type: 'car_wash', city: 'Auburn', isTarget: true }),
    place(null, 'Northgate Toyota', { organizationId: '2', organizationName: 'Northgate Toyota' }),
    place('8', 'Toyota showroom', {
      organizationId: '2',
      organizationName: 'Northgate Toyota',
      city: 'Roseville',
    }),
  ],
  total: 6,
}

export const UNANSWERABLE = [
  {
    targetId: '5',
    name: 'Fulton charging hub',
    organizationName: 'Northgate Ford',
    reason: 'It has no owner and no contributor.',
  },
]
