import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { type Endpoint, listEndpoints } from '#contract/endpoint.ts'
import { files, MEDIA_CONTAINER } from '#contract/files/files.ts'
import { contract } from '#contract/index.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { reports } from '#contract/reports/reports.ts'
import { addressOf } from '#test/app.ts'
import { proven } from '#test/factories/marketing/visitor.ts'
import { multipart } from '#test/harness/multipart.ts'
import { largeBodies, oddBodies, oddIds, oddValues } from '#test/suites/bad-values.ts'
import { answersOf, hiddenOf, send } from '../buyers.ts'
import { sendFile } from '../load/sending.ts'
import { workbookWithStrings } from '../noisy-neighbor/many-strings.ts'
import type { Target } from './target.ts'

const HARBOR_HOST = 'harbor.localhost'
const STRINGS = 600_000
const EMAIL_BYTES = 30_000_000
const UPLOAD_BYTES = 8_000_000

/** One thing that the attacker does; it is done again until the afternoon is over. */
type Attack = (target: Target) => Promise<unknown>

const pick = <T>(from: readonly T[]): T | undefined => from[randomInt(from.length)]

/** What ends the attacker's own session, or makes their customer unusable for the rest of the afternoon. */
const ENDS_SESSION =
  /^(auth|sessions|secondFactor|impersonation|google|users|userTypes|organizations|customers)\./
const endpoints = listEndpoints(contract).filter(
  ({ name, endpoint }) => !ENDS_SESSION.test(name) && ['json', 'download', 'report'].includes(endpoint.kind),
)

const Properties = z.object({ properties: z.record(z.string(), z.unknown()).default({}) })
const fieldsOf = ({ input }: Endpoint): string[] =>
  Object.keys(Properties.parse(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })).properties)

/** A call of any endpoint, with odd values and with IDs of the other customer. */
const fuzz: Attack = async (target) => {
  const found = pick(endpoints)
  if (found === undefined) return
  const { name, endpoint } = found
  const ids = [...oddIds, ...target.foreignIds, ...target.foreignIds]
  const input = Object.fromEntries(
    fieldsOf(endpoint)
      .filter(() => randomInt(3) > 0)
      .map((field) => [
        field,
        /^id$|Id$|^ids$|^inventory$|^assessment$/.test(field) ? pick(ids) : pick(oddValues),
      ]),
  )
  const { url, body } = addressOf(endpoint, { ...input, id: pick(ids) })
  await target.call(name, url, {
    method: endpoint.method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Bodies that are broken or expensive to read. */
const badBodies: Attack = async (target) => {
  const [, body = ''] = pick([...oddBodies, ...largeBodies]) ?? []
  const found = pick(endpoints.filter(({ endpoint }) => endpoint.method === 'POST'))
  if (found === undefined) return
  await target.call(`${found.name} bad body`, found.endpoint.path.replaceAll(/\{\w+\}/g, '1'), {
    method: 'POST',
    body,
  })
}

const PACKED = gzipSync(Buffer.alloc(100_000_000))
/** A body that is small when it is sent and large when it is unpacked. */
const packedBody: Attack = (target) =>
  target.call('packed body', pricingRules.add.path, {
    method: 'POST',
    body: PACKED,
    headers: { 'content-encoding': 'gzip' },
  })

/** Guessed links of participants, from one network. */
const guess: Attack = (target) =>
  target.call('guess', participantArea.open.path, {
    method: 'POST',
    body: JSON.stringify({ token: randomBytes(32).toString('base64url') }),
    isSignedIn: false,
  })

let workbook: Buffer | undefined
const workbookBomb: Attack = async (target) => {
  workbook ??= workbookWithStrings(STRINGS)
  const { payload, headers } = multipart({}, [{ name: 'file', bytes: workbook }])
  await target.call('workbook', factorEditions.read.path, { method: 'POST', body: payload, headers })
  await wait(500)
}

const longReport: Attack = (target) =>
  target.call('report', reports.make.path.replace('{name}', 'user-access-review'), {
    method: 'POST',
    body: '{"format":"pdf"}',
  })

const EMAIL = Buffer.from(
  `,"Subject":"The red Escape","Headers":[],"Attachments":[],"TextBody":"${'Is it still there? '.repeat(Math.ceil(EMAIL_BYTES / 19))}"}`,
)
let emails = 0
const largeEmail: Attack = async (target) => {
  emails += 1
  const address = `noise${emails}@mail.example`
  const start = `{"MessageID":"noise ${emails}","From":"Noise <${address}>","FromFull":{"Email":"${address}","Name":"Noise"}`
  const body = Buffer.concat([Buffer.from(start), EMAIL])
  await target.call('email', target.mailPath, { method: 'POST', body, isSignedIn: false })
  await wait(500)
}

/** Spam whose sender's browser proves its work. */
const provenSpam: Attack = async (target) => {
  const opened = await send(target.place(), '/f/ask', { host: HARBOR_HOST })
  target.note('spam', opened)
  if (opened.status !== 200) return wait(100)
  const text = opened.text.replaceAll(/\s+/g, ' ')
  const hidden = await proven({ text, hidden: Object.fromEntries(hiddenOf(opened.text)) })
  const fields = [...Object.entries(hidden), ...answersOf('Spam')]
  const body = new URLSearchParams(fields).toString()
  // The same proof is sent twice.
  for (let again = 0; again < 2; again += 1)
    target.note('POST spam', await send(target.place(), '/f/ask', { host: HARBOR_HOST, body }))
  return undefined
}

/** Photos on a host that accepts connections and never answers. */
const hangingPhotos: Attack = async (target) => {
  const path = pick(target.photoPaths) ?? '/'
  target.note('photo', await send(target.place(), path, { host: HARBOR_HOST }))
}

let uploads = 0
/** Fills the disk of files, then makes some room again. */
const fillDisk: Attack = async (target) => {
  uploads += 1
  const name = `noise ${uploads}.bin`
  const { status } = await sendFile(target.session(), name, UPLOAD_BYTES).catch(() => ({ status: 0 }))
  target.note('upload', { status, text: '', retryAfter: status === 503 ? '1' : undefined })
  if (status === 507)
    await target.call('files.delete', files.delete.path, {
      method: 'POST',
      body: JSON.stringify({ container: MEDIA_CONTAINER, toDelete: [`noise ${randomInt(uploads) + 1}.bin`] }),
    })
  await wait(200)
}

/** What the attacker does, and how often at the same time. */
export const ATTACKS: readonly (readonly [attack: Attack, width: number])[] = [
  [fuzz, 4],
  [badBodies, 1],
  [packedBody, 1],
  [guess, 6],
  [workbookBomb, 1],
  [longReport, 1],
  [largeEmail, 2],
  [provenSpam, 2],
  [hangingPhotos, 6],
  [fillDisk, 1],
]
