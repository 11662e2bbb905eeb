import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { pathParameters, type Endpoint } from '#contract/endpoint.ts'
import { addressOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { largeBodies, oddBodies, oddIds, oddQueries, oddValues, wrongQueries } from './bad-values.ts'
import { everyCase as everyCall } from '#test/cases/cases.ts'
import { placeOf, type Place } from '#test/factories/places.ts'
import { forkSession } from '#test/factories/identity/sessions.ts'
import { fieldsOf, flawOf } from '#test/harness/bad-responses.ts'
import { snapshot } from '#test/harness/snapshot.ts'
import { drawFields, type Draw } from './draw.ts'

let forecourt: TestApp
let admin: Caller
let place: Place

/** The bodies of uploads are no JSON, and raw ones may be anything: files.test.ts and feed-inbound.test.ts send those. */
const everyCase = everyCall.filter(({ endpoint }) => endpoint.kind !== 'upload' && endpoint.kind !== 'raw')
type Case = (typeof everyCase)[number]
type Answer = { status: number; text: string }
type Input = Record<string, unknown>
type Trial = readonly [name: string, send: (caller: Caller) => Promise<Answer>, mustBe: number | null]

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const asRecord = (value: unknown): Input => (isRecord(value) ? value : {})
/** An endpoint's fields and their types, as its own JSON schema gives them. */
const fieldsIn = ({ input }: Endpoint): Input =>
  asRecord(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties)
const inPath = ({ path }: Endpoint, field: string) => pathParameters(path).includes(field)
const hasBody = ({ method }: Endpoint) => method === 'POST'
/** A body that takes anything on purpose (the stored token in any shape, what a provider tells) has no wrong fields. */
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
 * What was wrong with the answers, each by what was sent; and whether anything was written meanwhile. What is not refused
 * may have ended the session: then another one goes on.
 */
async function flaws(trials: readonly Trial[]): Promise<{ flaws: string[]; hasWritten: boolean }> {
  const before = await snapshot(forecourt.owner)
  const found: string[] = []
  let canWrite = false
  let caller = await forkSession(forecourt, admin)
  for (const [name, ask, mustBe] of trials) {
    const answer = await ask(caller)
    if (answer.status < 400) {
      canWrite = true
      caller = await forkSession(forecourt, admin)
    }
    const flaw = flawOf(answer)
    if (flaw !== null) found.push(`${name}: ${flaw}`)
    else if (mustBe !== null && answer.status !== mustBe)
      found.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
  }
  const after = await snapshot(forecourt.owner)
  return { flaws: found, hasWritten: !canWrite && JSON.stringify(before) !== JSON.stringify(after) }
}
const NO_FLAWS = { flaws: [], hasWritten: false }

/** Everything that can be wrong with what a caller sends, or as much of it as `draw` takes. */
export function describeBadInput(draw: Draw): void {
  beforeAll(async () => {
    forecourt = await testApp({ FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '1000000' })
    admin = await forecourt.as('super', 'Northgate Ford')
    const own = await placeOf(forecourt, 'Northgate Ford')
    const { token } = await forecourt.as('northgate.dealer')
    place = { ...own, token: () => Promise.resolve(token ?? '') }
  })
  afterAll(() => forecourt.close())
  describe('every field', () => {
    describeFields(draw)
  })
  describe('a body', () => {
    describeBodies(draw)
  })
  describe('an id', () => {
    describeIds(draw)
  })
  describe('a query', () => {
    describeQueries(draw)
  })
}

/** Values of a field that the contract says are wrong: the server must say the same. */
function wrongFor({ name, endpoint }: Case, field: string, { valid, draw }: { valid: Input; draw: Draw }) {
  const wrong = oddValues
    .map((value) => ({ ...valid, [field]: value }))
    .filter((sent) => !endpoint.input.safeParse(sent).success || sent[field] === '\u0000')
    // An address that is far too long leads nowhere.
    .filter((sent) => !inPath(endpoint, field) || JSON.stringify(sent[field]).length < 200)
  return draw(`${name} ${field}`, wrong, 3)
}

function describeFields(draw: Draw): void {
  test.for(
    everyCase.filter(({ endpoint }) => hasBody(endpoint) && Object.keys(fieldsIn(endpoint)).length > 0),
  )('of $name that is of a wrong type is refused on that field', async (one) => {
    const { endpoint, input, name } = one
    const valid = asRecord(await input(place))
    const trials = drawFields(draw, name, fieldsIn(endpoint)).flatMap((field) =>
      wrongFor(one, field, { valid, draw }).map((sent): Trial => {
        const ask = async (caller: Caller) => {
          const answer = await send(endpoint, sent, caller)
          const named = Object.keys(fieldsOf(answer.text))
          const isNamed = named.some((said) => said === field || said.startsWith(`${field}.`))
          return isNamed ? answer : { status: 599, text: `does not name the field: ${answer.text}` }
        }
        return [`${field} ${JSON.stringify(sent[field]).slice(0, 40)}`, ask, 400]
      }),
    )
    expect(trials.length).toBeGreaterThan(0)
    expect(await flaws(trials)).toEqual(NO_FLAWS)
  })

  test.for(closed)('that $name does not know is refused by its name', async ({ endpoint, input }) => {
    const valid = asRecord(await input(place))
    const answer = await send(endpoint, { ...valid, notKnownHere: 'x' }, admin)
    expect({ status: answer.status, fields: fieldsOf(answer.text) }).toEqual({
      status: 400,
      fields: { notKnownHere: 'This field is not known.' },
    })
  })

  test('is refused in words a person understands, ending with a full stop', async () => {
    const sentences = new Set<string>()
    for (const { name, endpoint, input } of closed) {
      const valid = asRecord(await input(place))
      for (const field of drawFields(draw, name, fieldsIn(endpoint))) {
        for (const value of draw(`${name} ${field}`, [null, 5, 'x'.repeat(5000), {}], 2)) {
          const sent = { ...valid, [field]: value }
          if (endpoint.input.safeParse(sent).success) continue
          const { text } = await send(endpoint, sent, admin)
          for (const sentence of Object.values(fieldsOf(text))) sentences.add(sentence)
        }
      }
    }
    const raw = [...sentences].filter(
      (sentence) => !/^[A-Z].*\.$/s.test(sentence) || /expected|Invalid input/.test(sentence),
    )
    expect(raw).toEqual([])
  })
}

function describeBodies(draw: Draw): void {
  const withBody = everyCase.filter(({ endpoint }) => hasBody(endpoint))
  const read = draw(
    'large bodies',
    withBody.map(({ name }) => name),
    6,
  )

  test.for(withBody)('of another shape does not harm $name', async (one) => {
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
  ])('of the type %s is refused as no JSON', async (type) => {
    const add = everyCase.filter(({ name }) => name === 'lots.add')
    const headers = { 'content-type': type }
    const answers = await Promise.all(
      add.map((one) => sendBody(one, 'name=x&code=y', { caller: admin, headers })),
    )
    expect(answers.map(({ status }) => status)).toEqual([415])
  })

  test('that is broken, of a stranger, is answered 401: who calls is asked before what they say', async () => {
    const guarded = everyCase.filter(({ endpoint }) => endpoint.allow !== 'anyone' && hasBody(endpoint))
    const answers = await Promise.all(
      guarded.map(({ endpoint: { method, path: url } }) =>
        forecourt.anonymous.send({ method, url, payload: '{"x' }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(guarded.map(() => 401))
  })

  test('that is broken, of someone without the right, is answered 403', async () => {
    const auditor = await forecourt.as('northgate.auditor')
    const answer = await auditor.send({ method: 'POST', url: '/api/customers/add-lot', payload: '{"x' })
    expect(answer.status).toBe(403)
  })
}

function describeIds(draw: Draw): void {
  test.for(everyCase.filter(({ endpoint }) => pathParameters(endpoint.path).length > 0))(
    'that is none does not harm $name',
    async ({ name, endpoint }) => {
      const refused: number[] = []
      const trials = draw(name, oddIds, 5).map((id): Trial => {
        const ask = async (caller: Caller) => {
          const answer = await send(endpoint, { id }, caller)
          refused.push(answer.status)
          return answer
        }
        return [JSON.stringify(id), ask, null]
      })
      expect(await flaws(trials)).toEqual(NO_FLAWS)
      expect(refused.filter((status) => status !== 400 && status !== 404)).toEqual([])
    },
  )

  test.for(['%', '%zz', '%c0%af', '%ff', '%E0%A4%A', 'a%2fb', '%2e%2e%2f', 'x'.repeat(3000), '%00'])(
    'in an address written as %s gives 400 or 404',
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
  const asked = ({ endpoint }: Case, queries: readonly string[], mustBe: number | null) =>
    queries.map((query): Trial => [
      query,
      () => admin.send({ method: 'GET', url: `${endpoint.path}?${query}` }),
      mustBe,
    ])

  test.for(lists)('that is wrong is refused by $name', async (one) => {
    expect(await flaws(asked(one, draw(one.name, wrongQueries, 6), 400))).toEqual(NO_FLAWS)
  })

  test.for(lists)('that is only odd does not harm $name', async (one) => {
    expect(await flaws(asked(one, draw(one.name, oddQueries, 5), null))).toEqual(NO_FLAWS)
  })

  test('with a field nobody knows is refused by every call that has no body', async () => {
    const calls = closed.filter(
      ({ endpoint }) => !hasBody(endpoint) && pathParameters(endpoint.path).length === 0,
    )
    const answers = await Promise.all(
      calls.map(({ endpoint }) => admin.send({ method: 'GET', url: `${endpoint.path}?q=1` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 400))
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
  ])('finds nothing at %s', async (url) => {
    const answer = await admin.send({ method: 'GET', url })
    expect({ status: answer.status, flaw: flawOf(answer) }).toEqual({ status: 404, flaw: null })
  })
}
