import { contract } from '#contract/index.ts'
import { listEndpoints } from '#contract/endpoint.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { SAMPLE_ADF } from '#contract/leads/inbound/sample-adf.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { clock } from '#server/clock.ts'
import { addressOf, type Caller } from '#test/app.ts'
import { visitorOf } from '#test/factories/marketing/visitor.ts'
import { fresh } from '#test/factories/fresh.ts'
import { HOST, OFFICE, type World } from './world.ts'

/** What someone outside gets. */
export type Reading = Readonly<{ status: number; text: string }>
type Read = (world: World) => Promise<readonly Reading[]>
/** A place where someone outside reads or sends something: its routes or calls, and how it is read. */
export type Surface = Readonly<{ name: string; covers: readonly string[]; read: Read }>

/** Opens an address on a host. */
export const get = async (world: World, url: string, host = HOST): Promise<Reading> => {
  const { status, text, headers } = await world.forecourt.anonymous.send({
    method: 'GET',
    url,
    headers: { host },
  })
  const named = [headers['content-disposition'], headers['location']]
  return { status, text: `${text} ${JSON.stringify(named)}` }
}
const pages =
  (...urls: ((world: World) => string)[]): Read =>
  (world) =>
    Promise.all(urls.map((url) => get(world, url(world))))

/** A lead as providers send it, each time another one. */
export const freshAdf = (): string =>
  SAMPLE_ADF.replaceAll(/[\w.+-]+@[\w.-]+/g, `${fresh('buyer').replaceAll(' ', '')}@mail.example`)

/** Sends a body. */
export const post = async (world: World, url: string, payload: string, type: string): Promise<Reading> => {
  const { statusCode, body } = await world.forecourt.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': type },
  })
  return { status: statusCode, text: body }
}

/** A form is opened a while before, so that sending it is what is tried. */
async function sendForm(world: World): Promise<Reading[]> {
  const { send } = visitorOf(world.forecourt, HOST)
  const sent = await send(
    `/f/${world.form.key}`,
    { [FIELD_NAMES.token]: '' },
    { name: fresh('Visitor'), email: 'visitor@mail.example' },
    0,
  )
  return [{ status: sent.status, text: sent.text }]
}

/** The pages of the public site. */
export const SITE: readonly Surface[] = [
  {
    name: 'list of vehicles',
    covers: ['GET /', 'GET /vehicles'],
    read: pages(
      () => '/',
      () => '/vehicles',
      () => '/?make=Ford',
      () => '/?q=FORD',
      () => '/?sort=priceUp',
    ),
  },
  {
    name: 'vehicle page',
    covers: ['GET /v/:slug'],
    read: pages(
      ({ vehicle }) => vehicle.path,
      ({ vehicle }) => `/v/${vehicle.id}`,
      ({ similar }) => similar.path,
    ),
  },
  { name: 'site map', covers: ['GET /sitemap.xml'], read: pages(() => '/sitemap.xml') },
  { name: 'rules for robots', covers: ['GET /robots.txt'], read: pages(() => '/robots.txt') },
  {
    name: 'form',
    covers: ['GET /f/:key'],
    read: pages(
      ({ form }) => `/f/${form.key}`,
      ({ form, vehicle }) => `/f/${form.key}?vehicle=${vehicle.id}`,
    ),
  },
  { name: 'sending a form', covers: ['POST /f/:key'], read: sendForm },
  {
    name: 'thank-you page',
    covers: ['GET /f/:key/thanks', 'GET /embed/:key/thanks'],
    read: pages(
      ({ form }) => `/f/${form.key}/thanks`,
      ({ form }) => `/embed/${form.key}/thanks`,
    ),
  },
  {
    name: 'form on other sites',
    covers: ['GET /embed/:key'],
    read: pages(
      ({ form }) => `/embed/${form.key}`,
      ({ form, vehicle }) => `/embed/${form.key}?vehicle=${vehicle.id}`,
    ),
  },
  {
    name: 'promo page',
    covers: ['GET /p/:slug', 'GET /p/:slug/picture/:hash'],
    read: pages(
      ({ page }) => `/p/${page.slug}`,
      ({ page }) => page.picture,
    ),
  },
  {
    name: 'short URLs',
    covers: ['GET /s/:key', 'POST /s/seen'],
    read: pages(
      ({ shortKeys }) => `/s/${shortKeys.vehicle}`,
      ({ shortKeys }) => `/s/${shortKeys.form}?utm_source=print`,
    ),
  },
  {
    name: 'scripts and styles, the same for every site',
    covers: ['GET /embed.js', 'GET /site/:hash.css', 'GET /site/challenge'],
    read: pages(
      () => '/embed.js',
      () => '/site/challenge',
      () => '/site/0.css',
    ),
  },
]

const CALLS: readonly Surface[] = [
  {
    name: 'channel files',
    covers: ['publicFeeds.file'],
    read: (world) =>
      Promise.all(
        world.channels.flatMap(({ feedPath }) => [get(world, feedPath), get(world, feedPath, 'localhost')]),
      ),
  },
  {
    name: 'photos',
    covers: ['publicFeeds.picture'],
    read: (world) => Promise.all([get(world, world.photo), get(world, world.photo, 'localhost')]),
  },
  {
    name: 'branding',
    covers: ['auth.whiteLabel', 'whiteLabels.isServed'],
    read: async (world) => [
      await get(world, contract.auth.whiteLabel.path, OFFICE),
      await get(world, addressOf(contract.whiteLabels.isServed, { domain: OFFICE }).url, 'localhost'),
    ],
  },
  {
    name: 'inbound leads',
    covers: ['inboundLeads.adf', 'inboundLeads.mail'],
    read: async (world) => [
      await post(world, world.inbound.adfPath, freshAdf(), 'application/xml'),
      await post(
        world,
        world.inbound.mailPath,
        JSON.stringify({
          MessageID: fresh('m'),
          FromFull: { Email: 'a@mail.example', Name: 'A' },
          Subject: 'Hello',
          TextBody: 'Hello',
        }),
        'application/json',
      ),
    ],
  },
  {
    name: 'inbound feeds',
    covers: ['inboundFeeds.push', 'inboundFeeds.mail'],
    read: (world) =>
      Promise.all(
        world.feeds.map(({ kind, path }) =>
          kind === 'api'
            ? post(world, path, `Stock,Make\n${fresh('S')},Ford\n`, 'text/csv')
            : post(
                world,
                path,
                JSON.stringify({
                  MessageID: fresh('m'),
                  From: 'a@mail.example',
                  Attachments: [],
                  Headers: [],
                }),
                'application/json',
              ),
        ),
      ),
  },
  {
    name: 'invitation link',
    covers: ['participantArea.open'],
    read: async (world) => [
      await tryLink(world, world.invitation.token),
      await tryLink(world, world.delegate.token),
    ],
  },
]

/** Opens the link of an invitation. */
export async function tryLink({ forecourt }: World, token: string): Promise<Reading> {
  const { status, text } = await forecourt.anonymous.send({
    method: 'POST',
    url: participantArea.open.path,
    payload: { token },
  })
  return { status, text }
}

/** What a participant's calls are sent; those without an entry need only the target. */
const INPUTS: Partial<Record<string, (world: World, own: Own) => object>> = {
  work: () => ({}),
  setLanguage: () => ({ language: 'en' }),
  get: (_, { targetId }) => ({ id: targetId }),
  pdf: (_, { targetId }) => ({ id: targetId }),
  save: (_, { targetId }) => ({
    targetId,
    mutations: [
      { mutationId: crypto.randomUUID(), questionCode: 'refilled', rowKey: '', base: 0, value: false },
    ],
  }),
  reportPresence: (_, { targetId }) => ({ targetId, visitId: crypto.randomUUID(), questionCode: 'refilled' }),
  delegate: (_, { targetId }) => ({
    targetId,
    questionCode: 'refilled',
    name: 'B',
    email: 'b@people.example',
  }),
  takeBack: ({ delegate }, { targetId }) => ({ targetId, id: delegate.delegationId }),
  remind: ({ delegate }, { targetId }) => ({ targetId, id: delegate.delegationId }),
  ask: (_, { targetId }) => ({ targetId, questionCode: 'refilled', text: 'Which one?' }),
  useEvidence: (_, { targetId }) => ({ targetId, id: '1', questionCode: 'refilled' }),
  removeEvidence: (_, { targetId }) => ({ targetId, id: '1', questionCode: 'refilled' }),
  downloadEvidence: (_, { targetId }) => ({ targetId, id: '1' }),
  submit: (_, { targetId }) => ({ targetId }),
}
type Own = { targetId: string }
/** These end or change what the others need, so they are read last or not at all. */
const LAST = ['signOut', 'submit', 'addEvidence']

/** The calls of the participants' page, for an owner and for a colleague with one question. */
export const participantCalls = Object.entries(contract.participantArea).filter(
  ([name, { allow }]) => allow === 'participant' && !LAST.includes(name),
)

/** Sends a call with a participant's session. */
export async function callAs(world: World, session: Caller, name: string): Promise<Reading> {
  const found = participantCalls.find(([one]) => one === name)
  if (found === undefined) throw new Error(`There is no call ${name}.`)
  const [, endpoint] = found
  const { url, body } = addressOf(endpoint, INPUTS[name]?.(world, world.invitation) ?? {})
  const { status, text } = await session.send({
    method: endpoint.method,
    url,
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status, text }
}

const READS = ['work', 'get', 'reportPresence']

/** What people with an invitation read. */
export const PARTICIPANTS: readonly Surface[] = [
  {
    name: 'questionnaire of a participant',
    covers: ['participantArea.work', 'participantArea.get', 'participantArea.reportPresence'],
    read: (world) => Promise.all(READS.map((name) => callAs(world, world.invitation.session, name))),
  },
  {
    name: 'questionnaire of a delegate',
    covers: [],
    read: (world) => Promise.all(READS.map((name) => callAs(world, world.delegate.session, name))),
  },
  {
    name: 'answers as a PDF',
    covers: ['participantArea.pdf'],
    read: (world) =>
      Promise.all(
        [world.invitation.session, world.delegate.session].map((session) => callAs(world, session, 'pdf')),
      ),
  },
]

/** Every surface. */
export const SURFACES: readonly Surface[] = [...SITE, ...CALLS, ...PARTICIPANTS]

/** Calls of anyone and of participants that show nothing of a customer, with the reason. */
export const SHOW_NOTHING: Readonly<Record<string, string>> = {
  // Links of campaign emails lead to other surfaces.
  ...Object.fromEntries(
    ['GET /c/:key', 'GET /c/:key/:vehicleId', 'GET /u/:key', 'POST /u/:key'].map((route) => [
      route,
      'links in emails: campaigns.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['signIn', 'refreshToken', 'signOut', 'forgotPassword', 'checkReset', 'resetPassword'].map((name) => [
      `auth.${name}`,
      'identity: sign-in.test.ts, passwords.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['GET /o/:key', 'POST /o/:key'].map((route) => [
      route,
      'asks the reader of an email for consent: imported-lists.test.ts',
    ]),
  ),
  'google.begin': 'identity: google-sign-in.test.ts',
  'google.signIn': 'identity: google-sign-in.test.ts',
  'setUp.begin': 'only while there is no customer: set-up.test.ts',
  'mailEvents.take': 'takes events of a mail server, and shows nothing: mail-events.test.ts',
  'whiteLabels.picture': 'a logo, by the hash of its content: white-label.test.ts',
  'participantArea.submission': 'what the same participant submitted: frozen-answers.test.ts',
  'participantArea.verifySubmission': 'whether a hash is that of their submission: frozen-answers.test.ts',
  'health.live': 'of the installation',
  'health.ready': 'of the installation',
  'health.alive': 'of the installation',
  ...Object.fromEntries(
    ['signOut', 'setLanguage', 'save', 'delegate', 'takeBack', 'remind', 'ask', 'submit'].map((name) => [
      `participantArea.${name}`,
      'writes: each is tried by "ends every call of a participant"',
    ]),
  ),
  ...Object.fromEntries(
    ['addEvidence', 'useEvidence', 'removeEvidence', 'downloadEvidence'].map((name) => [
      `participantArea.${name}`,
      'files: each is tried by "ends every call of a participant"; participant-parts.test.ts',
    ]),
  ),
}

/** Everything that must be on one of the two lists. */
export const publicCalls = listEndpoints(contract)
  .filter(({ endpoint: { allow } }) => allow === 'anyone' || allow === 'participant')
  .map(({ name }) => name)

/** Reads every surface, one after the other. */
export async function readSurfaces(
  world: World,
  surfaces: readonly Surface[] = SURFACES,
): Promise<Map<string, readonly Reading[]>> {
  const read = new Map<string, readonly Reading[]>()
  for (const surface of surfaces) {
    // oxlint-disable-next-line no-await-in-loop -- Each moves the clock or counts requests.
    read.set(surface.name, await surface.read(world))
  }
  return read
}

/** The surfaces whose successful readings contain a word. */
export function showing(read: ReadonlyMap<string, readonly Reading[]>, word: string): string[] {
  return [...read].flatMap(([name, readings]) =>
    readings.some(({ text }) => text.toLowerCase().includes(word.toLowerCase())) ? [name] : [],
  )
}

/** The surfaces that answered at least one reading. */
export function open(read: ReadonlyMap<string, readonly Reading[]>): string[] {
  return [...read].flatMap(([name, readings]) => (readings.some(({ status }) => status < 400) ? [name] : []))
}

/** Lets what pages keep for some seconds become old. */
export const passTime = (): void => clock.advance(3_001)
