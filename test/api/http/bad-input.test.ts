import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { pathParameters, type Endpoint } from '#contract/endpoint.ts'
import { addressOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fieldsOf, flawOf } from '#test/harness/bad-responses.ts'
import { everyCase as everyCall } from '#test/cases/cases.ts'
import { placeOf, type Place } from '#test/factories/places.ts'
import { forkSession } from '#test/factories/identity/sessions.ts'
import { snapshot } from '#test/harness/snapshot.ts'

let forecourt: TestApp
let admin: Caller
let place: Place
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '1000000' })
  admin = await forecourt.as('super', 'Northgate Ford')
  const own = await placeOf(forecourt, 'Northgate Ford')
  const { token } = await forecourt.as('northgate.dealer')
  place = { ...own, token: () => Promise.resolve(token ?? '') }
})
afterAll(() => forecourt.close())

/** The bodies of uploads are no JSON, and raw ones may be anything: files.test.ts and feed-inbound.test.ts send those. */
const everyCase = everyCall.filter(({ endpoint }) => endpoint.kind !== 'upload' && endpoint.kind !== 'raw')
type Case = (typeof everyCase)[number]
type Answer = { status: number; text: string }
type Input = Record<string, unknown>

/** A value of every JSON type, and some that only look harmless. */
const oddValues = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  '',
  'text',
  '\u0000',
  [],
  ['x'],
  {},
  { a: 1 },
  [[]],
  'x'.repeat(5000),
]

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const asRecord = (value: unknown): Input => (isRecord(value) ? value : {})
/** The names of an endpoint's fields, as its own JSON schema gives them. */
function fieldNames({ input }: Endpoint): string[] {
  return Object.keys(asRecord(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties))
}
const inPath = ({ path }: Endpoint, field: string) => pathParameters(path).includes(field)
const hasBody = ({ method }: Endpoint) => method === 'POST'
/** A body that takes anything on purpose (the stored token in any shape, what a provider tells) has no wrong fields. */
const isOpen = ({ input }: Endpoint): boolean =>
  input.safeParse({ unknownField: 1 }).success ||
  (input instanceof z.ZodObject && input.def.catchall instanceof z.ZodUnknown)
const closed = everyCase.filter(({ endpoint }) => !isOpen(endpoint))

async function send(endpoint: Endpoint, input: unknown, caller: Caller = admin): Promise<Answer> {
  const { url, body } = addressOf(endpoint, input)
  const own = caller.token === null ? caller : await forkSession(forecourt, caller)
  const { status, text } = await own.send({
    method: endpoint.method,
    url,
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status, text }
}

async function sendBody(
  { endpoint }: Case,
  payload: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const own = await forkSession(forecourt, admin)
  const url = endpoint.path.replace(/\{\w+\}/g, '1')
  const { status, text } = await own.send({ method: endpoint.method, url, payload, headers })
  return { status, text }
}

/** What was wrong with the answers, each by what was sent; and whether anything was written meanwhile. */
async function flaws(
  trials: readonly (readonly [name: string, send: () => Promise<Answer>, mustBe: number | null])[],
): Promise<{ flaws: string[]; hasWritten: boolean }> {
  const before = await snapshot(forecourt.owner)
  const found: string[] = []
  let canWrite = false
  for (const [name, ask, mustBe] of trials) {
    const answer = await ask()
    canWrite ||= answer.status < 400
    const flaw = flawOf(answer)
    if (flaw !== null) found.push(`${name}: ${flaw}`)
    else if (mustBe !== null && answer.status !== mustBe)
      found.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
  }
  const after = await snapshot(forecourt.owner)
  return { flaws: found, hasWritten: !canWrite && JSON.stringify(before) !== JSON.stringify(after) }
}
const NO_FLAWS = { flaws: [], hasWritten: false }

describe('every field', () => {
  test.for(everyCase.filter(({ endpoint }) => hasBody(endpoint) && fieldNames(endpoint).length > 0))(
    'of $name that is of a wrong type is refused on that field',
    async ({ endpoint, input }) => {
      const valid = asRecord(await input(place))
      const trials = fieldNames(endpoint).flatMap((field) =>
        oddValues
          .map((value) => ({ ...valid, [field]: value }))
          // The contract says which values are wrong; the server must say the same.
          .filter((sent) => !endpoint.input.safeParse(sent).success || sent[field] === '\u0000')
          // An address that is far too long leads nowhere.
          .filter((sent) => !inPath(endpoint, field) || JSON.stringify(sent[field]).length < 200)
          .map((sent) => {
            const name = `${field} ${JSON.stringify(sent[field]).slice(0, 40)}`
            const ask = async () => {
              const answer = await send(endpoint, sent)
              const named = Object.keys(fieldsOf(answer.text))
              const isNamed = named.some((one) => one === field || one.startsWith(`${field}.`))
              return isNamed ? answer : { status: 599, text: `does not name the field: ${answer.text}` }
            }
            return [name, ask, 400] as const
          }),
      )
      expect(trials.length).toBeGreaterThan(0)
      expect(await flaws(trials)).toEqual(NO_FLAWS)
    },
  )

  test.for(closed)('that $name does not know is refused by its name', async ({ endpoint, input }) => {
    const valid = asRecord(await input(place))
    const answer = await send(endpoint, { ...valid, notKnownHere: 'x' })
    expect({ status: answer.status, fields: fieldsOf(answer.text) }).toEqual({
      status: 400,
      fields: { notKnownHere: 'This field is not known.' },
    })
  })

  test('is refused in words a person understands, ending with a full stop', async () => {
    const sentences = new Set<string>()
    for (const { endpoint, input } of closed) {
      const valid = asRecord(await input(place))
      for (const field of fieldNames(endpoint)) {
        for (const value of [null, 5, 'x'.repeat(5000), {}]) {
          const read = endpoint.input.safeParse({ ...valid, [field]: value })
          if (!read.success)
            Object.values(fieldsOf((await send(endpoint, { ...valid, [field]: value })).text)).forEach((s) =>
              sentences.add(s),
            )
        }
      }
    }
    const raw = [...sentences].filter(
      (sentence) => !/^[A-Z].*\.$/s.test(sentence) || /expected|Invalid input/.test(sentence),
    )
    expect(raw).toEqual([])
  })
})

describe('a body', () => {
  const bodies: (readonly [string, string, number | null])[] = [
    ['broken JSON', '{"name": ', 400],
    ['two values', '{} {}', 400],
    ['a trailing comma', '{"a":1,}', 400],
    ['a comment', '{/* x */}', 400],
    ['NaN', 'NaN', 400],
    ['__proto__', '{"__proto__":{"isSuper":true}}', 400],
    ['a nested __proto__', '{"name":{"__proto__":{"x":1}}}', 400],
    ['constructor.prototype', '{"constructor":{"prototype":{"isSuper":true}}}', 400],
    ['a list', '[]', null],
    ['a list of objects', '[{"name":"x"}]', null],
    ['a number', '5', null],
    ['text', '"text"', null],
    ['true', 'true', null],
    ['null', 'null', null],
    ['nothing', '', null],
    ['ten megabytes', `{"name":"${'x'.repeat(10_000_000)}"}`, 413],
    ['two megabytes of lists in lists', '['.repeat(1_000_000) + ']'.repeat(1_000_000), 413],
    ['half a megabyte of lists in lists', '['.repeat(250_000) + ']'.repeat(250_000), null],
    [
      'half a megabyte of lists in lists in a field',
      `{"name":${'['.repeat(250_000)}${']'.repeat(250_000)}}`,
      null,
    ],
    [
      'a hundred thousand unknown fields',
      `{${Array.from({ length: 50_000 }, (_, at) => `"f${at}":1`).join()}}`,
      null,
    ],
    ['the same field twice', '{"idleMs":0,"idleMs":"x"}', null],
    ['a lone surrogate', '{"name":"\\ud800","code":"S1"}', null],
  ]

  test.for(everyCase.filter(({ endpoint }) => hasBody(endpoint)))(
    'of another shape does not harm $name',
    async (one) => {
      const trials = bodies.map(([name, body, mustBe]) => [name, () => sendBody(one, body), mustBe] as const)
      expect(await flaws(trials)).toEqual(NO_FLAWS)
    },
  )

  test.for([
    'application/xml',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('of the type %s is refused as no JSON', async (type) => {
    const add = everyCase.filter(({ name }) => name === 'lots.add')
    const answers = await Promise.all(
      add.map((one) => sendBody(one, 'name=x&code=y', { 'content-type': type })),
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
})

describe('an id', () => {
  const ids = [
    '0',
    '-1',
    '1e3',
    '1.5',
    '999999999999999999',
    '999999999999999999999',
    '1;drop table lots',
    '%00',
    '\u0000',
    'null',
    "1'",
    '../1',
    ' 1',
    '１',
    'NaN',
    '',
  ]

  test.for(everyCase.filter(({ endpoint }) => pathParameters(endpoint.path).length > 0))(
    'that is none does not harm $name',
    async ({ endpoint }) => {
      const trials = ids.map((id) => [JSON.stringify(id), () => send(endpoint, { id }), null] as const)
      const refused: number[] = []
      for (const id of ids) refused.push((await send(endpoint, { id })).status)
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
})

describe('a query', () => {
  const wrong = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e9',
    'page=NaN',
    'page=',
    'page[]=1',
    'page=1&page=2',
    'pageSize=0',
    'pageSize=201',
    'pageSize=NaN',
    'pageSize=Infinity',
    'sort=password',
    'sort=name,;drop',
    'sort=--name',
    'sort=name&sort=code',
    'search=a&search=b',
    'search=%00',
    `search=${'x'.repeat(201)}`,
    '__proto__=1',
    '__proto__[x]=1',
    'constructor=1',
    'toString=1',
    'filter=1',
    'columns=x',
    'customerId=1',
  ]
  const harmless = [
    'search=%25',
    'search=_',
    'search=%5C',
    'search=%27',
    'search=%3B',
    'search=%27%3B--',
    'search=%ED%A0%80',
    'search=%F0%9F%9A%97',
    'search=%D9%85',
    'search=',
    'sort=',
    'sort=,',
    'sort=-name,name',
    `search=${'%25'.repeat(200)}`,
    'page=1000000',
    '',
    '&',
    '=',
    '&&page=1&',
  ]
  const lists = everyCase.filter(({ name }) => name.endsWith('.list'))
  const ask =
    ({ endpoint }: Case, query: string) =>
    () =>
      admin.send({ method: 'GET', url: `${endpoint.path}?${query}` })

  test.for(lists)('that is wrong is refused by $name', async (one) => {
    expect(await flaws(wrong.map((query) => [query, ask(one, query), 400] as const))).toEqual(NO_FLAWS)
  })

  test.for(lists)('that is only odd does not harm $name', async (one) => {
    expect(await flaws(harmless.map((query) => [query, ask(one, query), null] as const))).toEqual(NO_FLAWS)
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
])('there is nothing at %s', async (url) => {
  const answer = await admin.send({ method: 'GET', url })
  expect({ status: answer.status, flaw: flawOf(answer) }).toEqual({ status: 404, flaw: null })
})
