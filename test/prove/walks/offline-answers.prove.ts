import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { type Change, openQueue } from '#web/assessments/answering/answer-queue.ts'
import { AnswerSync, SendFailure, type SyncParts } from '#web/assessments/answering/answer-sync.ts'
import { toMutation, toResult } from '#web/assessments/answering/save-parts.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

/** Values that each of the two devices types. */
const VALUES = 3_000
const QUESTIONS = 12
/** Of the requests that reach the server, how many responses are lost, so that the same changes are sent again. */
const REPEATED = 0.3

let forecourt: TestApp
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** Numbers from 0 to 1 that are the same in every run. */
function dice(seed: number): () => number {
  let at = seed
  return () => {
    at = (at * 1_103_515_245 + 12_345) % 2_147_483_648
    return at / 2_147_483_648
  }
}

/** A value that is lost on purpose, to see that it is noticed: confirmed without being stored, or forgotten by the device. */
type Fault = 'confirmed' | 'forgotten'
/** The fault happens after this number of values. */
const FAULT_AFTER = 40

/** A device with its disk and a network that is often down and loses responses. */
function device(caller: Caller, name: string, targetId: string, { random, fault }: Circumstances) {
  /** Every value that reached the server. */
  const arrived = new Set<unknown>()
  const disk = new Map<string, Change>()
  const network = { isOn: true, repeated: REPEATED }
  /** The value that was lost on purpose. */
  const planted: unknown[] = []
  let ids = 0
  const parts: SyncParts = {
    store: {
      write: async (put, removed) => {
        for (const change of put) disk.set(change.id, change)
        for (const id of removed) disk.delete(id)
      },
    },
    async send(changes) {
      if (!network.isOn) throw new SendFailure('away', 'No connection.')
      const [first, ...others] = changes
      const isDue = fault === 'confirmed' && planted.length === 0 && arrived.size > FAULT_AFTER
      if (isDue && first !== undefined && !arrived.has(first.value)) {
        planted.push(first.value)
        arrived.add(first.value)
        const confirmed = { id: first.id, kind: 'accepted', rev: (first.base ?? 0) + 1 } as const
        return others.length === 0
          ? [confirmed]
          : [confirmed, ...(await parts.send(others, { keepalive: false }))]
      }
      const saved = await caller.call(assessmentAnswers.save, {
        targetId,
        mutations: changes.map(toMutation),
      })
      for (const { value } of changes) arrived.add(value)
      if (random() < network.repeated) throw new SendFailure('away', 'No response.')
      return saved.results.map(toResult)
    },
    now: () => 0,
    newId: () => `${name}-${String((ids += 1)).padStart(20, '0')}`,
    random,
    // The test flushes itself, so that it doesn't wait.
    after: () => () => undefined,
  }
  return { disk, network, parts, arrived, planted }
}

type Circumstances = { random: () => number; fault: Fault | null }

/** Two devices type values into the same questions. @returns the values that are nowhere, and what happened to the others */
async function simulate(count: number, fault: Fault | null) {
  const title = { en: 'Question' }
  const { id: questionnaireId } = await place.addQuestionnaire({
    draft: {
      languages: ['en'],
      sections: [
        {
          id: 's',
          title,
          questions: Array.from({ length: QUESTIONS }, (_, at) => ({
            type: 'text' as const,
            code: `q${at}`,
            title,
          })),
        },
      ],
    },
    scoring: { questions: [], sections: [], bands: [], levels: [], unanswered: 'zero', hasTotal: true },
  })
  const { targetId } = await place.addAssessment({ questionnaireId })
  const random = dice(7)
  const staff = await forecourt.as('super', 'Northgate Ford')
  const people = [staff, await forecourt.as('northgate.admin', 'Northgate Ford')]
  const devices = people.map((caller, at) =>
    device(caller, `device${at}`, targetId, { random, fault: at === 0 ? fault : null }),
  )
  const open = async ({ parts, disk }: (typeof devices)[number]) => {
    const { answers } = await staff.call(assessmentTargets.get, { id: targetId })
    const revs = new Map(
      answers.map(({ questionCode, rowKey, rev }) => [`${questionCode}\u0000${rowKey}`, rev]),
    )
    return new AnswerSync(parts, openQueue([...disk.values()], revs))
  }
  const syncs = await Promise.all(devices.map(open))
  /** The last value of each person at each question: earlier ones may be replaced before they are sent. */
  const last = new Map<string, unknown>()
  /** Values whose person chose the other one. */
  const givenUp = new Set<unknown>()
  const resolveConflict = async (sync: AnswerSync, change: Change, kind: 'mine' | 'theirs') => {
    if (kind === 'theirs') givenUp.add(change.value)
    await sync.resolveConflict(change.id, { kind })
  }
  const conflictsOf = (sync: AnswerSync) =>
    sync.state().queue.changes.filter(({ state }) => state === 'conflict')
  for (let step = 0; step < count * 2; step += 1) {
    const at = step % 2
    const [one, sync] = [devices[at], syncs[at]]
    if (one === undefined || sync === undefined) throw new Error('There is no device.')
    // Both devices answer the same questions, so that they often change the same answer.
    const question = `q${Math.floor(random() * QUESTIONS)}`
    const value = `value ${step}`
    last.set(`${at} ${question}`, value)
    sync.type({ question, row: '' }, value)
    await sync.flush()
    if (random() < 0.04) one.network.isOn = !one.network.isOn
    for (const change of conflictsOf(sync)) {
      if (random() < 0.2) await resolveConflict(sync, change, random() < 0.5 ? 'mine' : 'theirs')
    }
    // The page is killed, and opened again from what the device kept.
    if (random() < 0.01) syncs[at] = await open(one)
  }
  if (fault === 'forgotten') await forget(devices[0], syncs[0], last)
  for (const [at, one] of devices.entries()) {
    if (fault === 'forgotten') syncs[at] = await open(one)
    Object.assign(one.network, { isOn: true, repeated: 0 })
    const sync = syncs[at]
    if (sync === undefined) throw new Error('There is no device.')
    for (let round = 0; round < 20; round += 1) {
      await sync.retry()
      for (const change of conflictsOf(sync)) await resolveConflict(sync, change, 'mine')
    }
    expect(one.disk.size).toBe(0)
  }
  const { values, isIntact } = await readLog(staff, targetId)
  expect(isIntact).toBe(true)
  const arrived = new Set(devices.flatMap((one) => [...one.arrived]))
  return {
    lost: [
      ...[...arrived].filter((value) => !values.has(value)),
      ...[...last.values()].filter(
        (value) => !arrived.has(value) && !values.has(value) && !givenUp.has(value),
      ),
    ],
    planted: devices.flatMap((one) => one.planted),
    arrived: arrived.size,
    conflicts: [...values.values()].filter((kind) => kind === 'refused').length,
  }
}

/** The first device is killed without a connection, and has forgotten what was typed last. */
async function forget(
  one: ReturnType<typeof device> | undefined,
  sync: AnswerSync | undefined,
  last: Map<string, unknown>,
): Promise<void> {
  if (one === undefined || sync === undefined) throw new Error('There is no device.')
  one.network.isOn = false
  const value = 'a value that is forgotten'
  sync.type({ question: 'q0', row: '' }, value)
  await sync.flush()
  last.set('0 q0', value)
  const kept = [...one.disk.values()].filter((change) => change.value === value)
  expect(kept).toHaveLength(1)
  for (const { id } of kept) one.disk.delete(id)
  one.planted.push(value)
}

test('two offline devices lose no value of thousands, with repeated sends, conflicts and killed pages', async () => {
  const { lost, arrived, conflicts } = await simulate(VALUES, null)
  expect(lost).toEqual([])
  expect(conflicts).toBeGreaterThan(VALUES / 100)
  console.log(`figure: values typed by two offline devices = ${VALUES * 2}`)
  console.log(`figure: values that arrived = ${arrived}, of them refused as conflicts ${conflicts}`)
})

test.for<Fault>(['confirmed', 'forgotten'])(
  'one value that is %s without being stored is noticed',
  async (fault) => {
    const { lost, planted } = await simulate(100, fault)
    expect(planted).toHaveLength(1)
    expect(lost).toEqual(planted)
  },
)

/** Every value in the answer log of a target, with the kind of its first entry. */
async function readLog(caller: Caller, targetId: string) {
  const values = new Map<unknown, string>()
  let before: number | undefined
  for (;;) {
    const { entries, isIntact } = await caller.call(assessmentAnswers.log, {
      targetId,
      ...(before !== undefined && { before }),
    })
    for (const { kind, value } of entries) if (kind !== 'state') values.set(value, kind)
    before = entries.at(-1)?.number
    if (before === undefined || before === 1) return { values, isIntact }
  }
}
