import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { auth } from '#contract/identity/auth.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { readClaims } from '#web/session/token.ts'
import type { z } from 'zod'
import { median } from './load.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

const PEOPLE = 500
/** Each of them answers at a target of their own; this many targets are shared by the others. */
const TARGETS = 100
const ANSWERS = 3
const LIMIT_MS = 10_000

/**
 * 500 participants without an account save three answers at the same moment, over HTTP, five at each target, where saves run one
 * after the other. Compared with a limit, and with 500 reads of their work at the same moment.
 */
export async function measureAnswers({ address }: Product): Promise<Row> {
  const call = caller(address)
  const partial = await signIn(address, 'northgate.admin')
  const [organization] = await call(partial, organizations.change, {})
  const { accessToken: token } = await call(partial, auth.changeOrganization, {
    organizationId: organization?.id ?? '',
  })
  const targets = await setUp(call, token)
  const links: string[] = []
  for (let at = 0; at < PEOPLE; at += 200) {
    const people = Array.from({ length: Math.min(200, PEOPLE - at) }, (_, number) => ({
      targetId: targets[(at + number) % targets.length] ?? '',
      name: `Person ${at + number}`,
      email: `person.${at + number}@bench.example`,
      role: 'contributor' as const,
    }))
    const added = await call(token, assessmentParticipants.add, { people })
    for (const { id } of added) links.push((await call(token, assessmentParticipants.copyLink, { id })).url)
  }
  const sessions = await Promise.all(
    links.map((link) => call('', participantArea.open, { token: new URL(link).hash.slice(1) })),
  )
  const seen = new Map<string, number>()
  /** The place of each person among those of their target. */
  const places = sessions.map(({ targetId }) => {
    const place = seen.get(targetId) ?? 0
    seen.set(targetId, place + 1)
    return place
  })
  const save = (round: number) =>
    timeAll(sessions, ({ accessToken, targetId }, person) =>
      call(accessToken, participantArea.save, {
        targetId,
        mutations: Array.from({ length: ANSWERS }, (_, at) => ({
          mutationId: `bench-${round}-${person}-${at}-xxxxxxxxxx`,
          // Questions of their own, so that every value is accepted.
          questionCode: `q${(places[person] ?? 0) * ANSWERS + at}`,
          base: round,
          value: `${round}.${person}`,
        })),
      }),
    )
  const read = () => timeAll(sessions, ({ accessToken }) => call(accessToken, participantArea.work, {}))
  const pairs: { save: number; read: number; slowest: number }[] = []
  for (let round = 0; round < 3; round += 1) {
    const saved = await save(round)
    pairs.push({ save: saved.all, slowest: saved.slowest, read: (await read()).all })
  }
  const { answers } = await call(token, assessmentTargets.get, { id: targets[0] ?? '' })
  if (answers.length !== (PEOPLE / TARGETS) * ANSWERS)
    throw new Error(`${answers.length} answers were stored.`)
  const ms = median(pairs.map((one) => one.save))
  const reads = median(pairs.map((one) => one.read))
  return {
    what: `${PEOPLE} participants save ${ANSWERS} answers each at the same moment, at ${TARGETS} targets, over HTTP`,
    measured: `${ms.toFixed(0)} ms for all, the slowest ${median(pairs.map((one) => one.slowest)).toFixed(0)} ms`,
    comparison: `limit ${LIMIT_MS} ms; ${PEOPLE} reads of their work ${reads.toFixed(0)} ms`,
    ratio: `${(ms / LIMIT_MS).toFixed(2)}; of the reads ${(ms / reads).toFixed(1)}`,
  }
}

type Call = ReturnType<typeof caller>

/** An open assessment with 20 questions at 100 facilities. @returns the targets */
async function setUp(call: Call, token: string): Promise<string[]> {
  const { organizationId } = readClaims(token)
  const title = { en: 'Question' }
  const draft = await call(token, questionnaires.add, {
    name: 'Bench',
    key: 'bench',
    organizationId: null,
    draft: {
      languages: ['en'],
      sections: [
        {
          id: 's',
          title,
          questions: Array.from({ length: 20 }, (_, at) => ({
            type: 'number' as const,
            code: `q${at}`,
            title,
          })),
        },
      ],
    },
    scoring: { questions: [], sections: [], bands: [], levels: [], unanswered: 'zero', hasTotal: true },
  })
  await call(token, questionnaires.publish, { id: draft.id, version: draft.version })
  const places: string[] = []
  for (let at = 0; at < TARGETS; at += 1) {
    const added = await call(token, facilities.add, {
      organizationId,
      level: 'site',
      code: `BENCH${at}`,
      name: `Bench ${at}`,
      control: [
        { validFrom: '2020-01-01', ownership: '100', operationalControl: true, financialControl: true },
      ],
    })
    places.push(added.id)
  }
  const today = new Date().toISOString().slice(0, 10)
  const { id } = await call(token, assessments.add, {
    name: 'Bench',
    questionnaireId: draft.id,
    questionnaireNumber: 1,
    periodStart: today,
    periodEnd: today,
    opensOn: '2020-01-01',
    dueOn: today,
  })
  const { changed } = await call(token, assessmentTargets.add, {
    assessmentId: id,
    targets: places.map((facilityId) => ({ organizationId, facilityId })),
  })
  await call(token, assessments.open, { id, isIncomplete: true })
  return changed
}

function caller(address: string) {
  return async <I extends z.ZodType, O extends z.ZodType>(
    token: string,
    endpoint: Endpoint<I, O>,
    input: z.input<I>,
  ): Promise<z.output<O>> => {
    const isRead = endpoint.method === 'GET'
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      typeof input === 'object' && input !== null ? String(Reflect.get(input, name)) : '',
    )
    const response = await fetch(`${address}${path}`, {
      method: endpoint.method,
      headers: {
        'content-type': 'application/json',
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      ...(!isRead && { body: JSON.stringify(input) }),
    })
    const answer: unknown = await response.json()
    if (response.status !== 200 || typeof answer !== 'object' || answer === null || !('data' in answer))
      throw new Error(`${path} returned ${response.status}: ${JSON.stringify(answer).slice(0, 200)}`)
    return endpoint.output.parse(answer.data)
  }
}

/** How long all calls take together, and the slowest of them, in milliseconds. */
async function timeAll<T>(all: readonly T[], work: (one: T, at: number) => Promise<unknown>) {
  const begun = performance.now()
  const times = await Promise.all(
    all.map(async (one, at) => {
      await work(one, at)
      return performance.now() - begun
    }),
  )
  return { all: performance.now() - begun, slowest: Math.max(...times) }
}
