import { assessmentRecord } from '#contract/assessments/assessments/assessments.ts'
import { questionnaireRecord } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { Definition } from '#contract/questions/definition.ts'
import {
  addAssessment,
  addComment,
  addDelegation,
  addTargets,
  type Answerer,
  approveTarget,
  openAssessment,
  requestChanges,
  saveAnswers,
  startReview,
  submitTarget,
} from '#server/assessments/index.ts'
import { addPerson, makeInvitations } from '#server/participants/index.ts'
import { addQuestionnaire, publishQuestionnaire, readTemplates } from '#server/questionnaires/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Identity } from '#server/identity/index.ts'
import { addDemoActions } from './assessment-actions.ts'
import { answersOf, DEMO_SITES } from './assessment-answers.ts'
import { backdateAssessment, closeLastYear, setInvitations } from './backdate-assessments.ts'

const DAY_MS = 86_400_000

/** What a target of the demo data is like. */
type Plan = {
  /** The code of the facility. */
  code: string
  /** The sustainability manager, or a person without an account. */
  owner: 'manager' | { name: string; email: string }
  /** The share of the questions that are answered, from 0 to 1. */
  share: number
  state: 'answering' | 'submitted' | 'in_review' | 'changes_requested' | 'approved'
  /** Days from today. */
  due?: number
  /** Days since the last answer. */
  answered?: number
  invitation?: 'sent' | 'opened' | 'in_progress' | 'submitted' | 'bounced' | 'expired'
}

const person = (name: string) => ({ name, email: `${name.toLowerCase().replace(' ', '.')}@people.example` })

const SITE_CHECK: readonly Plan[] = [
  { code: 'AUB', owner: 'manager', share: 1, state: 'approved', answered: 16 },
  {
    code: 'FUL',
    owner: person('Hana Mori'),
    share: 1,
    state: 'in_review',
    answered: 9,
    invitation: 'submitted',
  },
  {
    code: 'AUB-S',
    owner: person('Derek Hill'),
    share: 1,
    state: 'changes_requested',
    answered: 12,
    invitation: 'in_progress',
  },
  {
    code: 'WSA',
    owner: person('Ana Souza'),
    share: 1,
    state: 'submitted',
    answered: 2,
    invitation: 'submitted',
  },
  {
    code: 'AUB-P',
    owner: person('Tom Becker'),
    share: 0.45,
    state: 'answering',
    answered: 3,
    invitation: 'in_progress',
  },
  { code: 'MAD', owner: 'manager', share: 0, state: 'answering' },
  { code: 'FUX', owner: person('Erin Walsh'), share: 0, state: 'answering', invitation: 'sent' },
  {
    code: 'FUL-W',
    owner: person('Kim Berglund'),
    share: 0.2,
    state: 'answering',
    due: -10,
    answered: 21,
    invitation: 'expired',
  },
]
const ENERGY: readonly Plan[] = [
  { code: 'AUB', owner: 'manager', share: 0.7, state: 'answering', answered: 1 },
  {
    code: 'FUL',
    owner: person('Hana Mori'),
    share: 1,
    state: 'submitted',
    answered: 4,
    invitation: 'submitted',
  },
  { code: 'WSA', owner: person('Ana Souza'), share: 0, state: 'answering', invitation: 'opened' },
]
const LAST_YEAR = ['AUB', 'FUL', 'WSA'].map((code): Plan => ({
  code,
  owner: 'manager',
  share: 1,
  state: 'approved',
  answered: 345,
}))

type User = { id: string; name: string }
type Setting = {
  customerId: string
  /** The organization that runs the assessments. */
  organizationId: string
  /** Answers. */
  manager: User
  /** Approves, and answers nothing. */
  reviewer: User
  act: (who: User, endpoint: string) => Promise<void>
  now: Date
}

/**
 * Adds two questionnaires and their assessments: last year's, which is closed, and two open ones with targets in every
 * state, people without an account, requested changes, a comment and a delegation.
 */
export async function addDemoAssessments(identity: Identity, db: Database, setting: Setting): Promise<void> {
  const { act, manager, now } = setting
  const year = now.getUTCFullYear()
  await act(manager, 'questionnaires.add')
  const energy = await addTemplate(db, 'dealer-energy')
  const site = await addTemplate(db, 'dealer-site')
  const world = { identity, db, setting, places: await readPlaces(db, setting.customerId) }
  const previousId = await addRound(world, energy, {
    name: `Dealer energy ${year - 1}`,
    year: year - 1,
    opens: -400,
    due: -340,
    plans: LAST_YEAR,
    previousId: null,
  })
  await closeLastYear(db, { ...setting, assessmentId: previousId })
  await addRound(world, energy, {
    name: `Dealer energy ${year}`,
    year,
    opens: -14,
    due: 26,
    plans: ENERGY,
    previousId,
  })
  const siteCheck = await addRound(world, site, {
    name: `Dealer site check ${year}`,
    year,
    opens: -35,
    due: 5,
    plans: SITE_CHECK,
    previousId: null,
  })
  await discuss(world, siteCheck)
  await act(manager, 'assessmentActions.add')
  await addDemoActions(db, {
    ownerId: manager.id,
    assessmentId: siteCheck,
    dayFrom: (days) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10),
  })
}

type DemoQuestionnaire = { id: string; definition: Definition }
type Site = { organizationId: string; facilityId: string }
type World = { identity: Identity; db: Database; setting: Setting; places: ReadonlyMap<string, Site> }
type Round = {
  name: string
  year: number
  /** Days from today. */
  opens: number
  due: number
  plans: readonly Plan[]
  previousId: string | null
}

async function addTemplate(db: Database, key: string): Promise<DemoQuestionnaire> {
  const template = readTemplates().find((one) => one.key === key)
  if (template === undefined) throw new Error(`There is no template ${key}.`)
  const { definition, scoring } = template.file
  const added = await addQuestionnaire(
    db,
    questionnaireRecord.create.parse({ name: template.name, key, draft: definition, scoring }),
  )
  await publishQuestionnaire(db, added)
  return { id: added.id, definition }
}

async function readPlaces(db: Database, customerId: string): Promise<Map<string, Site>> {
  const rows = await db
    .selectFrom('facilities')
    .select(['id', 'code', 'organizationId'])
    .where('customerId', '=', customerId)
    .execute()
  return new Map(rows.map(({ id, code, organizationId }) => [code, { organizationId, facilityId: id }]))
}

/** Adds an assessment with its targets, opens it, and answers what its plans say. @returns its ID */
async function addRound(world: World, asked: DemoQuestionnaire, round: Round): Promise<string> {
  const { identity, db, setting, places } = world
  const { act, manager, now } = setting
  const dayFrom = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  await act(manager, 'assessments.add')
  const { id } = await addAssessment(
    db,
    assessmentRecord.create.parse({
      name: round.name,
      questionnaireId: asked.id,
      questionnaireNumber: 1,
      periodStart: `${round.year}-01-01`,
      periodEnd: `${round.year}-12-31`,
      opensOn: dayFrom(round.opens),
      dueOn: dayFrom(round.due),
      previousId: round.previousId,
    }),
  )
  const targets: { plan: Plan; targetId: string; by: Answerer }[] = []
  for (const plan of round.plans) {
    const place = places.get(plan.code)
    if (place === undefined) throw new Error(`There is no facility ${plan.code}.`)
    targets.push({ plan, ...(await addTarget(world, id, { plan, place })) })
  }
  await act(manager, 'assessments.open')
  await openAssessment(db, id, [])
  // Uses the transaction that creates the demo data, because nothing is committed yet.
  const within = <T>(work: (inner: Database) => Promise<T>): Promise<T> => work(db)
  await makeInvitations({ ...identity, iam: db }).inviteWaiting(within, {
    assessmentId: id,
    byName: manager.name,
  })
  for (const { plan, targetId, by } of targets) {
    await answerTarget(world, asked, { plan, targetId, by, year: round.year })
  }
  await setInvitations(
    db,
    targets.map(({ plan, targetId }) => ({ targetId, state: plan.invitation ?? 'sent' })),
    now,
  )
  await backdateAssessment(db, {
    assessmentId: id,
    opened: dayFrom(round.opens),
    targets: targets.map(({ plan, targetId }) => ({
      targetId,
      at: new Date(now.getTime() - (plan.answered ?? 0) * DAY_MS).toISOString(),
      dueOn: plan.due === undefined ? null : dayFrom(plan.due),
    })),
  })
  return id
}

async function addTarget(
  { db, setting }: World,
  assessmentId: string,
  { plan, place }: { plan: Plan; place: Site },
): Promise<{ targetId: string; by: Answerer }> {
  const { manager, reviewer } = setting
  const { owner } = plan
  const isUser = typeof owner === 'string'
  const { changed } = await addTargets(db, {
    assessmentId,
    targets: [
      {
        ...place,
        people: [
          ...(isUser ? [{ role: 'owner' as const, userId: manager.id }] : []),
          { role: 'reviewer' as const, userId: reviewer.id },
        ],
      },
    ],
  })
  const targetId = changed[0] ?? ''
  if (isUser) {
    return { targetId, by: { userId: manager.id, participantId: null, name: manager.name, answersAll: true } }
  }
  const target = { id: targetId, organizationId: place.organizationId }
  const personId = await addPerson(db, target, { ...owner, language: 'en', role: 'owner', isDelegate: false })
  const { participantId } = await db
    .selectFrom('assessmentPeople')
    .select('participantId')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  return { targetId, by: { userId: null, participantId, name: owner.name, answersAll: false } }
}

type Answering = { plan: Plan; targetId: string; by: Answerer; year: number }

/** Answers the planned share of the questions, and brings the target to its state. */
async function answerTarget(
  { db, setting }: World,
  { definition }: DemoQuestionnaire,
  { plan, targetId, by, year }: Answering,
): Promise<void> {
  const site = DEMO_SITES.find(({ code }) => code === plan.code)
  if (site === undefined) throw new Error(`There are no answers of ${plan.code}.`)
  const all = answersOf(definition, site, year)
  const codes = [...new Set(all.map(({ questionCode }) => questionCode))]
  const answered = new Set(codes.slice(0, Math.ceil(codes.length * plan.share)))
  const answers = all.filter(({ questionCode }) => answered.has(questionCode))
  if (answers.length === 0) return
  const { results } = await saveAnswers(db, {
    targetId,
    by,
    mutations: answers.map((answer, at) => ({
      ...answer,
      base: 0,
      mutationId: `demo-${targetId}-${String(at).padStart(12, '0')}`,
    })),
  })
  const wrong = results.find(({ status }) => status !== 'accepted')
  if (wrong !== undefined) throw new Error(`A demo answer is wrong: ${JSON.stringify(wrong)}`)
  if (plan.state === 'answering') return
  await submitTarget(db, { targetId, by })
  if (plan.state === 'submitted') return
  const { reviewer, manager, act } = setting
  const reviewing = { userId: reviewer.id, participantId: null, name: reviewer.name, answersAll: true }
  await act(reviewer, 'assessmentTargets.approve')
  await startReview(db, { targetId, by: reviewing })
  if (plan.state === 'approved') await approveTarget(db, { targetId, by: reviewing, comment: null })
  if (plan.state === 'changes_requested') {
    await requestChanges(db, {
      targetId,
      by: reviewing,
      flags: [
        { questionCode: 'electricity', comment: 'The August bill is missing from this total.' },
        { questionCode: 'lot_lighting', comment: 'The photo shows the old lamps. Please check.' },
      ],
    })
  }
  await act(manager, 'assessmentAnswers.save')
}

/** A question about the body shop, and a section of its questions for a colleague of its owner. */
async function discuss({ identity, db, setting }: World, assessmentId: string): Promise<void> {
  const { manager } = setting
  const target = await db
    .selectFrom('assessmentTargets as t')
    .innerJoin('facilities as f', (join) =>
      join.onRef('f.customerId', '=', 't.customerId').onRef('f.id', '=', 't.facilityId'),
    )
    .select(['t.id', 't.organizationId'])
    .where('t.assessmentId', '=', assessmentId)
    .where('f.code', '=', 'AUB-P')
    .executeTakeFirstOrThrow()
  const by = { userId: manager.id, participantId: null, name: manager.name, answersAll: true }
  await addComment(db, {
    by,
    targetId: target.id,
    questionCode: 'incident_details',
    text: 'Please add the date of the incident.',
    isInternal: false,
  })
  const assigneeId = await addPerson(db, target, {
    ...person('Nora Kim'),
    language: 'en',
    role: 'contributor',
    isDelegate: true,
  })
  await addDelegation(db, { by, targetId: target.id, sectionId: 'compliance', assigneeId })
  const within = <T>(work: (inner: Database) => Promise<T>): Promise<T> => work(db)
  await makeInvitations({ ...identity, iam: db }).inviteWaiting(within, {
    assessmentId,
    byName: manager.name,
  })
}
