import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { addressOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { everyCase } from '#test/cases/cases.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { anyFile, multipart } from '#test/harness/multipart.ts'
import { snapshot } from '#test/harness/snapshot.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
const logged: string[] = []
beforeAll(async () => {
  forecourt = await testApp({}, { logTo: { write: (line) => void logged.push(line) } })
  place = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('super', 'Northgate Ford')
})
afterAll(() => forecourt.close())

type Body = { payload: Buffer | string; headers: { 'content-type': string } }
const CUT = 'The upload is incomplete, or is not valid multipart/form-data. Send it again.'

/** Bodies that no browser sends, or that are truncated. */
function malformed(fields: object): [string, Body][] {
  const { payload, headers } = multipart({ ...fields }, [anyFile()])
  const boundary = headers['content-type'].split('boundary=')[1] ?? ''
  const cut = (mark: string, more = 0): Body => ({
    payload: payload.subarray(0, payload.lastIndexOf(mark) + more),
    headers,
  })
  return [
    ['no boundary', { payload: '--x', headers: { 'content-type': 'multipart/form-data' } }],
    [
      'a boundary of 300 characters',
      { payload: '--x', headers: { 'content-type': `multipart/form-data; boundary=${'x'.repeat(300)}` } },
    ],
    ['no last boundary', cut(`\r\n--${boundary}--`)],
    ['half of the last boundary', cut(`--${boundary}--`, 20)],
    ['an end within a file', cut('Hello.', 3)],
    ['an end within a header', cut('Content-Type', 5)],
    ['an end within the first part', { payload: payload.subarray(0, 60), headers }],
  ]
}

/**
 * All responses. Checks that nothing was stored or logged as a bug. With `isNoted`, a feed source may record the attempt.
 */
async function sendAll(
  url: string,
  fields: object,
  headers: Record<string, string>,
  { isNoted = false } = {},
) {
  const kept = async () => {
    const { rows } = await forecourt.owner.query('select (select count(*) from feed_runs) as runs')
    const rest = isNoted ? rows : await snapshot(forecourt.owner)
    return [rest, await readdir(forecourt.filesFolder, { recursive: true })]
  }
  const before = await kept()
  logged.length = 0
  const answers: Record<string, unknown> = {}
  for (const [name, body] of malformed(fields)) {
    const { statusCode, body: text } = await forecourt.app.inject({
      method: 'POST',
      url,
      payload: body.payload,
      headers: { ...headers, ...body.headers },
    })
    const answer: unknown = JSON.parse(text)
    answers[name] = [statusCode, answer]
  }
  expect(await kept()).toEqual(before)
  expect(logged).toEqual([])
  return answers
}

const REFUSAL = { status: false, data: null, message: CUT, fields: { files: CUT } }
const A_SENTENCE: unknown = expect.stringMatching(/^[A-Z].*\.$/s)
const every = (refusal: unknown) => Object.fromEntries(malformed({}).map(([name]) => [name, [400, refusal]]))

test.for(everyCase.filter(({ endpoint }) => endpoint.kind === 'upload'))(
  '$name rejects a malformed upload with 400 and stores nothing',
  async ({ endpoint, input }) => {
    const { url, body } = addressOf(endpoint, await input(place))
    const { token } = endpoint.allow === 'participant' ? await place.asParticipant() : admin
    const headers = { authorization: `Bearer ${token}` }
    const answers = await sendAll(url, typeof body === 'object' ? { ...body } : {}, headers)
    expect(answers).toEqual(
      every(expect.objectContaining({ status: false, data: null, message: A_SENTENCE })),
    )
    // Other bodies may be rejected earlier, because of their fields.
    expect(answers).toMatchObject({
      'no boundary': [400, REFUSAL],
      'an end within the first part': [400, REFUSAL],
    })
  },
)

test('a feed pushed as a malformed upload is rejected with 400, recorded by its source, and not stored', async () => {
  const source = { name: fresh('Sent feed'), kind: 'api', lotIds: [await place.addLot()] }
  const { id } = await admin.call(feedSources.add, feedSources.add.input.parse(source))
  const { path } = await admin.call(feedSources.renewToken, { id })
  expect(await sendAll(path, {}, {}, { isNoted: true })).toEqual(every(REFUSAL))
})
