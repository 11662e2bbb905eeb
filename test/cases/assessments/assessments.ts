import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo, list } from '#test/cases/foreign.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

/** The factories add assessments that one organization runs and answers, which others don't see. */
const hidden = foreignTo(404)
type At = TestOrganization
const open = { input: async ({ addAssessment }: At) => ({ id: (await addAssessment()).id }), foreign: hidden }
const target = {
  input: async ({ addAssessment }: At) => ({ id: (await addAssessment()).targetId }),
  foreign: hidden,
}
const submitted = {
  input: async ({ submitAssessment }: At) => ({ id: (await submitAssessment()).targetId }),
  foreign: hidden,
}
const snapshot = async ({ snapshotOf, submitAssessment }: At) => ({
  id: await snapshotOf((await submitAssessment()).targetId),
})
/** A request that was decided already. */
const reopening = <More extends object>(more: More) => ({
  input: async ({ addTargetReopening }: At) => ({ id: await addTargetReopening(), ...more }),
  allowedStatus: 409,
  foreign: hidden,
})
const ofTarget = {
  input: async ({ addAssessment }: At) => ({ targetId: (await addAssessment()).targetId }),
  foreign: hidden,
}
const missingFile = { input: () => ({ id: '999999999' }), allowedStatus: 404, foreign: hidden }
const selected = async ({ addAssessment }: At) => ({ ids: [(await addAssessment()).targetId] })

const action = {
  input: async ({ addAction }: At) => ({ id: await addAction() }),
  foreign: hidden,
}

export const assessmentCases: Pick<
  Cases<typeof contract>,
  | 'assessments'
  | 'assessmentSetup'
  | 'assessmentTargets'
  | 'targetReopenings'
  | 'targetSnapshots'
  | 'assessmentVersions'
  | 'assessmentAnswers'
  | 'assessmentPresence'
  | 'assessmentResults'
  | 'assessmentActions'
> = {
  assessments: {
    list,
    get: open,
    add: {
      input: async ({ addQuestionnaire }) => ({
        name: fresh('Assessment'),
        questionnaireId: (await addQuestionnaire()).id,
        questionnaireNumber: 1,
        periodStart: '2026-01-01',
        periodEnd: '2026-12-31',
        opensOn: '2026-11-01',
        dueOn: '2026-11-30',
      }),
      foreign: foreignTo(400),
    },
    update: {
      input: async ({ addAssessment }) => ({ id: (await addAssessment()).id, name: fresh('Assessment') }),
      foreign: hidden,
    },
    check: open,
    open: {
      input: async ({ draftAssessment }) => ({ id: (await draftAssessment()).id, isIncomplete: true }),
      foreign: hidden,
    },
    close: open,
    reopen: { ...open, allowedStatus: 409 },
    duplicate: {
      input: async ({ addAssessment }) => ({ id: (await addAssessment()).id, name: fresh('Assessment') }),
      foreign: hidden,
    },
    remove: open,
  },
  assessmentSetup: {
    questionnaires: { input: () => ({}), foreign: 'takes no ids' },
    places: open,
    users: { input: ({ organizationId }) => ({ organization: organizationId }), foreign: hidden },
    addPerson: {
      input: async (place) => ({
        ...(await selected(place)),
        userId: await place.createUser(),
        role: 'reviewer',
      }),
      foreign: hidden,
    },
    sections: open,
    emails: open,
  },
  targetReopenings: {
    list: {
      input: async ({ addAssessment }) => ({ targetId: (await addAssessment()).targetId }),
      foreign: hidden,
    },
    // One user does all the steps, so there is nothing to confirm. target-reopenings.test.ts has two.
    request: {
      input: async ({ submitAssessment }) => ({
        targetId: (await submitAssessment()).targetId,
        reason: 'A record is missing.',
      }),
      allowedStatus: 409,
      foreign: hidden,
    },
    confirm: reopening({ reason: 'Agreed' }),
    decline: reopening({ reason: 'Next year' }),
    withdraw: reopening({}),
  },
  targetSnapshots: {
    list: {
      input: async ({ addAssessment }) => ({ targetId: (await addAssessment()).targetId }),
      foreign: hidden,
    },
    download: { input: snapshot, foreign: hidden },
    verify: { input: snapshot, foreign: hidden },
  },
  assessmentTargets: {
    list: {
      ...list,
      input: async ({ addAssessment }) => ({
        assessment: (await addAssessment()).id,
        search: 'a',
        sort: 'dueOn',
        page: 1,
      }),
      foreign: hidden,
    },
    get: target,
    add: {
      input: async ({ draftAssessment, addFacility, organizationId }) => ({
        assessmentId: (await draftAssessment()).id,
        targets: [{ organizationId, facilityId: await addFacility() }],
      }),
      foreign: hidden,
    },
    remove: { input: selected, foreign: hidden },
    setPeople: {
      input: async ({ addAssessment, createUser }) => ({
        id: (await addAssessment()).targetId,
        people: [{ role: 'owner', userId: await createUser() }],
      }),
      foreign: hidden,
    },
    reassign: {
      input: async (place) => ({ ...(await selected(place)), userId: await place.createUser() }),
      foreign: hidden,
    },
    changeDueDate: {
      input: async (place) => ({ ...(await selected(place)), dueOn: '2026-12-15' }),
      foreign: hidden,
    },
    changeSize: { input: async (place) => ({ ...(await selected(place)), size: 'small' }), foreign: hidden },
    // There is no one to email: test/api/assessments/assessments.test.ts sends reminders.
    remind: { input: selected, allowedStatus: 409, foreign: hidden },
    submit: { ...target, allowedStatus: 409 },
    startReview: submitted,
    requestChanges: {
      input: async ({ submitAssessment }) => ({
        id: (await submitAssessment()).targetId,
        flags: [{ questionCode: 'policy', comment: 'Please add the date.' }],
      }),
      foreign: hidden,
    },
    // Without a review there is nothing to approve; assessments.test.ts approves with one.
    approve: {
      input: async ({ submitAssessment }) => ({ id: (await submitAssessment({ review: 'none' })).targetId }),
      allowedStatus: 409,
      foreign: hidden,
    },
    reopen: {
      input: async ({ submitAssessment }) => ({
        id: (await submitAssessment()).targetId,
        reason: 'A record is missing.',
      }),
      foreign: hidden,
    },
  },
  // There is one version: test/api/assessments/version-change.test.ts moves to another.
  assessmentVersions: {
    plan: {
      input: async ({ addAssessment }) => ({ id: (await addAssessment()).id, number: 1 }),
      foreign: hidden,
    },
    change: {
      input: async ({ addAssessment }) => ({ id: (await addAssessment()).id, number: 1 }),
      allowedStatus: 409,
      foreign: hidden,
    },
  },
  assessmentAnswers: {
    save: {
      input: async ({ addAssessment }) => ({
        targetId: (await addAssessment()).targetId,
        mutations: [change('policy', 'written')],
      }),
      foreign: hidden,
    },
    log: ofTarget,
    comment: {
      input: async ({ addAssessment }) => ({
        targetId: (await addAssessment()).targetId,
        text: 'Check the meter.',
      }),
      foreign: hidden,
    },
    removeComment: {
      input: async ({ addAssessmentComment }) => ({ id: await addAssessmentComment() }),
      // A comment belongs to its author; assessments.test.ts deletes one.
      allowedStatus: 403,
      foreign: hidden,
    },
    delegate: {
      input: async ({ addAssessment, createUser }) => ({
        targetId: (await addAssessment()).targetId,
        userId: await createUser(),
        questionCode: 'policy',
      }),
      foreign: hidden,
    },
    takeBack: { input: async ({ addDelegation }) => ({ id: await addDelegation() }), foreign: hidden },
    people: ofTarget,
    evidence: ofTarget,
    addEvidence: ofTarget,
    updateEvidence: {
      input: async ({ addAssessment }) => ({ id: '999999999', targetId: (await addAssessment()).targetId }),
      allowedStatus: 404,
      foreign: hidden,
    },
    downloadEvidence: missingFile,
    removeEvidence: missingFile,
  },
  assessmentPresence: {
    report: {
      input: async ({ addAssessment }) => ({
        targetId: (await addAssessment()).targetId,
        visitId: crypto.randomUUID(),
        questionCode: 'policy',
      }),
      foreign: hidden,
    },
    list: open,
  },
  assessmentResults: {
    get: open,
    gap: {
      input: async ({ submitAssessment }: At) => ({ id: (await submitAssessment()).id, question: 'policy' }),
      foreign: hidden,
    },
  },
  assessmentActions: {
    list: { ...list, input: () => ({ search: 'a', sort: '-title', page: 1, pageSize: 20 }) },
    get: action,
    add: {
      input: async ({ addAssessment }: At) => ({
        targetId: (await addAssessment()).targetId,
        title: fresh('Action'),
      }),
      foreign: hidden,
    },
    update: {
      input: async ({ addAction }: At) => ({ id: await addAction(), status: 'done' as const }),
      foreign: hidden,
    },
    remove: action,
  },
}
