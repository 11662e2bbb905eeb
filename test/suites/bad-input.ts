import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { pathParameters, type Endpoint } from '#contract/endpoint.ts'
import { addressOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { largeBodies, oddBodies, oddIds, oddQueries, oddValues, wrongQueries } from './bad-values.ts'
import { everyCase as everyCall } from '#test/cases/cases.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { withParticipant } from '#test/factories/participants/add-participants.ts'
import { forkSession } from '#test/factories/identity/sessions.ts'
import { fieldsOf, flawOf } from '#test/harness/bad-responses.ts'
import { snapshot } from '#test/harness/snapshot.ts'
import { drawFields, type Draw } from './draw.ts'

let forecourt: TestApp
let admin: Caller
let participant: Caller
let place: TestOrganization

/** Uploads are not JSON, and raw bodies may be anything: files.test.ts and feed-inbound.test.ts cover those. */
const everyCase = everyCall.filter(({ endpoint }) => endpoint.kind !== 'upload' && endpoint.kind !== 'raw')
type Case = (typeof everyCase)[number]
type Answer = { status: number; text: string }
type Input = Record<string, unknown>
type Trial = readonly [name: string, send: (caller: Caller) => Promise<Answer>, mustBe: number | null]

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const asRecord = (value: unknown): Input => (isRecord(value) ? value : {})
/** An endpoint's fields and types, from its JSON schema. */
const fieldsIn = ({ input }: Endpoint): Input =>
  asRecord(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties)
const inPath = ({ path }: Endpoint, field: string) => pathParameters(path).includes(field)
const hasBody = ({ method }: Endpoint) => method === 'POST'
/** An endpoint that accepts any body by design (a stored token, a provider's events) has no invalid fields. */
const isOpen = ({ input }: Endpoint): boolean =>
  input.safeParse({ unknownField: 1 }).success ||
  (input instanceof z.ZodObject && input.def.catchall instanceof z.ZodUnknown)
const closed = everyCase.filter(({ endpoint }) => !isOpen(endpoint))

async function send(endpoint: Endpoint, input: unknown, caller: Caller): Promise<Answer> {
  const { url, body } = addressOf(endpoint, input)
  const { status, text } = await caller.send({
    method: endpoint.method,
    url,
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status, text }
}

async function sendBody(
  { endpoint }: Case,
  payload: string,
  { caller, headers = {} }: { caller: Caller; headers?: Record<string, string> },
): Promise<Answer> {
  const url = endpoint.path.replace(/\{\w+\}/g, '1')
  const { status, text } = await caller.send({ method: endpoint.method, url, payload, headers })
  return { status, text }
}

/**
 * The flaws in the responses, by what was sent, and whether anything was written. An accepted request may have ended the
 * session, so the next one gets a new session.
 */
async function flaws(trials: readonly Trial[]): Promise<{ flaws: string[]; hasWritten: boolean }> {
  await keepParticipant()
  const before = await snapshot(forecourt.owner)
  const found: string[] = []
  let canWrite = false
  let caller = await newSession()
  for (const [name, sendTrial, mustBe] of trials) {
    const answer = await sendTrial(caller)
    if (answer.status < 400) {
      canWrite = true
      // Signing out may have ended the participant's session too.
      await keepParticipant()
      caller = await newSession()
    }
    const flaw = flawOf(answer)
    if (flaw !== null) found.push(`${name}: ${flaw}`)
    else if (mustBe !== null && answer.status !== mustBe)
      found.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
  }
  const after = await snapshot(forecourt.owner)
  return { flaws: found, hasWritten: !canWrite && JSON.stringify(before) !== JSON.stringify(after) }
}
/** A new session of the administrator, and the participant's for the calls of participants. */
const newSession = async (): Promise<Caller> =>
  withParticipant(await forkSession(forecourt, admin), async () => participant)
/** A call before may have ended the participant's session. A new one must begin before rows are compared. */
async function keepParticipant(): Promise<void> {
  const { status } = await participant.send({ method: 'GET', url: '/api/participants/get-questionnaire/0' })
  if (status === 401) participant = await place.asParticipant()
}
const NO_FLAWS = { flaws: [], hasWritten: false }

/** Tests for all kinds of invalid input, or the sample that `draw` selects. */
export function describeBadInput(draw: Draw, isTried: (name: string) => boolean = () => true): void {
  beforeAll(async () => {
    forecourt = await testApp({ FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '1000000' })
    const own = await testOrganization(forecourt, 'Northgate Ford')
    participant = await own.asParticipant()
    admin = withParticipant(await forecourt.as('super', 'Northgate Ford'), async () => participant)
    const { token } = await forecourt.as('northgate.dealer')
    place = { ...own, token: () => Promise.resolve(token ?? '') }
  })
  afterAll(() => forecourt.close())
  describe('every field', () => {
    describeFields(draw, isTried)
  })
  describe('a body', () => {
    describeBodies(draw, isTried)
  })
  describe('an id', () => {
    describeIds(draw)
  })
  describe('a query', () => {
    describeQueries(draw)
  })
}

/** Values of a field that are invalid by the contract, so the server must reject them. */
function wrongFor({ name, endpoint }: Case, field: string, { valid, draw }: { valid: Input; draw: Draw }) {
  const wrong = oddValues
    .map((value) => ({ ...valid, [field]: value }))
    .filter((sent) => !endpoint.input.safeParse(sent).success || sent[field] === '\u0000')
    // A URL that is far too long has no route.
    .filter((sent) => !inPath(endpoint, field) || JSON.stringify(sent[field]).length < 200)
  return draw(`${name} ${field}`, wrong, 3)
}

function describeFields(draw: Draw, isTried: (name: string) => boolean): void {
  test.for(
    everyCase.filter(
      ({ name, endpoint }) =>
        hasBody(endpoint) && Object.keys(fieldsIn(endpoint)).length > 0 && isTried(name),
    ),
  )('of $name with a wrong type is rejected with that field, in a proper sentence', async (one) => {
    const { endpoint, input, name } = one
    const valid = asRecord(await input(place))
    const trials = drawFields(draw, name, fieldsIn(endpoint)).flatMap((field) =>
      wrongFor(one, field, { valid, draw }).map((sent): Trial => {
        const sendTrial = async (caller: Caller) => {
          const answer = await send(endpoint, sent, caller)
          const named = Object.entries(fieldsOf(answer.text))
          if (!named.some(([path]) => path === field || path.startsWith(`${field}.`))) {
            return { status: 599, text: `does not name the field: ${answer.text}` }
          }
          const raw = named.find(([, sentence]) => !isProper(sentence))
          return raw ? { status: 599, text: `is not a proper sentence: ${raw[1]}` } : answer
        }
        return [`${field} ${JSON.stringify(sent[field]).slice(0, 40)}`, sendTrial, 400]
      }),
    )
    expect(trials.length).toBeGreaterThan(0)
    expect(await flaws(trials)).toEqual(NO_FLAWS)
  })

  test.for(closed.filter(({ name }) => isTried(name)))(
    'that is unknown to $name is rejected by name',
    async ({ endpoint, input }) => {
      const valid = asRecord(await input(place))
      const answer = await send(endpoint, { ...valid, notKnownHere: 'x' }, admin)
      expect({ status: answer.status, fields: fieldsOf(answer.text) }).toEqual({
        status: 400,
        fields: { notKnownHere: 'This field is unknown.' },
      })
    },
  )
}

/** Whether a person can read it: one sentence or more, not the words of the validator. */
function isProper(sentence: string): boolean {
  return /^[A-Z].*(\.| is required)$/s.test(sentence) && !/\bexpected\b|Invalid input/.test(sentence)
}

function describeBodies(draw: Draw, isTried: (name: string) => boolean): void {
  const withBody = everyCase.filter(({ name, endpoint }) => hasBody(endpoint) && isTried(name))
  const read = draw(
    'large bodies',
    withBody.map(({ name }) => name),
    6,
  )

  test.for(withBody)('of another shape does not break $name', async (one) => {
    const bodies = [...draw(one.name, oddBodies, 4), ...(read.includes(one.name) ? largeBodies : [])]
    const trials = bodies.map(([name, body, mustBe]): Trial => [
      name,
      (caller) => sendBody(one, body, { caller }),
      mustBe,
    ])
    expect(await flaws(trials)).toEqual(NO_FLAWS)
  })

  test.for([
    'application/xml',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('of the type %s is rejected because it is not JSON', async (type) => {
    const add = everyCase.filter(({ name }) => name === 'lots.add')
    const headers = { 'content-type': type }
    const answers = await Promise.all(
      add.map((one) => sendBody(one, 'name=x&code=y', { caller: admin, headers })),
    )
    expect(answers.map(({ status }) => status)).toEqual([415])
  })

  test('that is invalid gets 401 from an anonymous caller, because authentication comes first', async () => {
    const guarded = everyCase.filter(({ endpoint }) => endpoint.allow !== 'anyone' && hasBody(endpoint))
    const answers = await Promise.all(
      guarded.map(({ endpoint: { method, path: url } }) =>
        forecourt.anonymous.send({ method, url, payload: '{"x' }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(guarded.map(() => 401))
  })

  test('that is invalid gets 403 from a user without permission', async () => {
    const auditor = await forecourt.as('northgate.auditor')
    const answer = await auditor.send({ method: 'POST', url: '/api/customers/add-lot', payload: '{"x' })
    expect(answer.status).toBe(403)
  })
}

function describeIds(draw: Draw): void {
  test.for(everyCase.filter(({ endpoint }) => pathParameters(endpoint.path).length > 0))(
    'that is invalid does not break $name',
    async ({ name, endpoint }) => {
      const refused: number[] = []
      const trials = draw(name, oddIds, 5).map((id): Trial => {
        const sendTrial = async (caller: Caller) => {
          const answer = await send(endpoint, { id }, caller)
          refused.push(answer.status)
          return answer
        }
        return [JSON.stringify(id), sendTrial, null]
      })
      expect(await flaws(trials)).toEqual(NO_FLAWS)
      expect(refused.filter((status) => status !== 400 && status !== 404)).toEqual([])
    },
  )

  test.for(['%', '%zz', '%c0%af', '%ff', '%E0%A4%A', 'a%2fb', '%2e%2e%2f', 'x'.repeat(3000), '%00'])(
    'in a URL as %s returns 400 or 404',
    async (id) => {
      const answer = await admin.send({ method: 'GET', url: `/api/organization/${id}` })
      expect({ flaw: flawOf(answer), isRefused: [400, 404].includes(answer.status) }).toEqual({
        flaw: null,
        isRefused: true,
      })
    },
  )
}

function describeQueries(draw: Draw): void {
  const lists = everyCase.filter(({ name }) => name.endsWith('.list'))
  const trialsOf = ({ endpoint }: Case, queries: readonly string[], mustBe: number | null) =>
    queries.map((query): Trial => [
      query,
      () => admin.send({ method: 'GET', url: `${endpoint.path}?${query}` }),
      mustBe,
    ])

  test.for(lists)('that is invalid is rejected by $name', async (one) => {
    expect(await flaws(trialsOf(one, draw(one.name, wrongQueries, 6), 400))).toEqual(NO_FLAWS)
  })

  test.for(lists)('that is merely unusual does not break $name', async (one) => {
    expect(await flaws(trialsOf(one, draw(one.name, oddQueries, 5), null))).toEqual(NO_FLAWS)
  })

  test('with an unknown field is rejected by every call without a body', async () => {
    await keepParticipant()
    const caller = await newSession()
    const calls = closed.filter(
      ({ endpoint }) => !hasBody(endpoint) && pathParameters(endpoint.path).length === 0,
    )
    const answers = await Promise.all(
      calls.map(({ endpoint }) => caller.send({ method: 'GET', url: `${endpoint.path}?q=1` })),
    )
    const wrong = calls.flatMap(({ name }, at) => {
      const status = answers[at]?.status
      return status === 400 ? [] : [`${name}: ${status}`]
    })
    expect(wrong).toEqual([])
  })

  test.for([
    '/api',
    '/api/',
    '/api/lots',
    '/api//customers/get-lots',
    '/api/customers/get-lots/',
    '/API/customers/get-lots',
    '/api/../etc/passwd',
    '/.env',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/api/__proto__',
  ])('returns 404 for %s', async (url) => {
    const answer = await admin.send({ method: 'GET', url })
    expect({ status: answer.status, flaw: flawOf(answer) }).toEqual({ status: 404, flaw: null })
  })
}
