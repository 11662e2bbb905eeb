import type { Kysely } from 'kysely'
import type pg from 'pg'
import { CAMPAIGN_PARAMETERS, FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { formTexts } from '#contract/marketing/forms/form-texts.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import type { Quota } from '#server/files/index.ts'
import { tooMany } from '#server/http/failure.ts'
import { discardRemainingBody } from '#server/http/kinds.ts'
import type { Outbox } from '#server/mail/index.ts'
import { countRequest } from '#server/identity/index.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { closedPage, formPage, thankYouPage } from '#public/form-page.ts'
import { messagePage } from '#public/layout.ts'
import { inSite } from '../site/in-site.ts'
import type { SiteAnswer, SiteApp, SiteRequest } from '../site/site-app.ts'
import type { PictureAddress } from '../site/site-vehicles.ts'
import { formFilePlace, hasRoomForFiles, type SentFile } from './form-files.ts'
import { firstView, type ProofParts, type UnprovenView, withProof } from './form-view.ts'
import {
  languageLinks,
  nameOf,
  type Opened,
  openForm,
  openSentForm,
  sentLanguage,
  shownLanguage,
} from './open-form.ts'
import { type PublicForm, readPublicForm } from './public-forms.ts'
import { discardFiles, fieldsOf, readSentForm, type SentForm } from './read-sent-form.ts'
import { receivePage } from './receive-form.ts'

/** Forms from one address in an hour, after which it has to wait. */
const MOST_AN_HOUR = 200
/** Where the vehicle of a thank-you page is; everything else is ignored. */
const BACK = /^\/v\/[a-z0-9-]{1,120}$/

export type FormParts = ProofParts & {
  pool: pg.Pool
  iam: Kysely<DB>
  storage: FileStorage
  quota: Quota
  picturesOf: (site: Site) => PictureAddress
  putMail: Outbox['put']
}
/** `isFramed`: on the page of another site. */
type Embedding = { isFramed: boolean }

/** The form's own page, what it sends, and the page after it. */
export function addFormPages(sites: SiteApp, parts: FormParts): void {
  for (const [path, isFramed] of [
    ['/f/:key', false],
    ['/embed/:key', true],
  ] as const) {
    sites.page(path, (visitor) => showForm(visitor, parts, { isFramed }))
    sites.page(`${path}/thanks`, (visitor) => thank(visitor, parts, { isFramed }))
  }
  sites.page('/f/:key', (visitor) => receiveForm(visitor, parts), 'POST')
}

/** The form, on its own page or alone for other sites. Without a site that may show it, there is no such page. */
async function showForm(
  visitor: SiteRequest,
  parts: FormParts,
  { isFramed }: Embedding,
): Promise<SiteAnswer> {
  const { site, origin, query } = visitor
  const key = keyOf(visitor)
  const opened = await inSite(parts.pool, site, 'site.form', (db) =>
    openForm(db, site, { key, vehicleId: query.get('vehicle'), pictureAddress: parts.picturesOf(site) }),
  )
  if (opened === null || !mayShow(opened.form, { isFramed })) return noForm()
  const answer = (page: SiteAnswer) => (isFramed ? framed(opened.form, page) : page)
  if (opened.form.isClosed)
    return answer(closed(opened, { language: shownLanguage(opened.form, visitor), typed: [] }))
  const page = isFramed ? (query.get(FIELD_NAMES.page) ?? '') : `${origin}/f/${key}`
  const view = firstView(opened, visitor, { secrets: parts.secrets, page, isFramed })
  return answer(await pageOf(view, visitor, parts, opened))
}

/** The page of a form. Its languages are offered before anything was typed. */
async function pageOf(
  view: UnprovenView,
  visitor: SiteRequest,
  parts: FormParts,
  { form, vehicle }: Opened,
): Promise<SiteAnswer> {
  const languages = visitor.request.method === 'GET' ? languageLinks(form, visitor) : []
  return { page: formPage(await withProof(view, visitor, parts), { vehicle, languages }) }
}

async function thank(
  visitor: SiteRequest,
  { pool }: FormParts,
  { isFramed }: Embedding,
): Promise<SiteAnswer> {
  const { site, query } = visitor
  const form = await inSite(pool, site, 'site.form', (db) =>
    readPublicForm(db, site, { key: keyOf(visitor) }),
  )
  if (form === null || !mayShow(form, { isFramed })) return noForm()
  const back = query.get('back') ?? ''
  const wanted = shownLanguage(form, visitor)
  const { thankYou } = formTexts(form, wanted)
  const page = thankYouPage({
    title: thankYou.title,
    text: thankYou.text,
    language: thankYou.isTranslated ? wanted : sentLanguage(form, null),
    back: BACK.test(back) ? back : null,
    isFramed,
  })
  return isFramed ? framed(form, { page }) : { page }
}

async function receiveForm(visitor: SiteRequest, parts: FormParts): Promise<SiteAnswer> {
  const { site, request, reply } = visitor
  const { count, seconds } = await countRequest(
    parts.iam,
    'forms sent from an address',
    `${site.customerId} ${request.ip}`,
    3_600,
  )
  if (count > MOST_AN_HOUR) throw tooMany('Too many forms were sent from this network.', seconds)
  if (request.isMultipart()) discardRemainingBody(request, reply)
  const sent = request.isMultipart()
    ? await readWithFiles(visitor, parts)
    : { body: fieldsOf(request), files: [], refused: [] }
  if (sent === null) return noForm()
  await publish(parts, site, sent.files)
  const result = await inTenant(parts.pool, systemScope(site.customerId, 'site.form'), (db) =>
    receive(visitor, parts, { db, sent, count }),
  ).catch(async (error: unknown) => {
    await parts.storage.remove(placesOf(site, sent.files))
    throw error
  })
  if (result === null || 'closed' in result) await parts.storage.remove(placesOf(site, sent.files))
  if (result === null) return noForm()
  const { opened, isFramed } = result
  const answer = (page: SiteAnswer) => (isFramed ? framed(opened.form, page) : page)
  if ('closed' in result) return answer(result.closed)
  if (result.next !== null) {
    const page = await pageOf(result.next.view, visitor, parts, opened)
    return answer({ ...page, status: result.next.status })
  }
  const query = new URLSearchParams({
    ...(opened.vehicle !== null && { back: opened.vehicle.path }),
    ...(opened.form.compiled.definition.languages.length > 1 && {
      lang: sentLanguage(opened.form, sent.body.get(FIELD_NAMES.language)),
    }),
  }).toString()
  const path = `${isFramed ? '/embed' : '/f'}/${opened.form.key}/thanks`
  await reply.redirect(query === '' ? path : `${path}?${query}`, 303)
  return noForm()
}

/** Reads a form with files, if it may have some; null if there is no such form. */
async function readWithFiles(
  visitor: SiteRequest,
  { pool, storage, quota }: FormParts,
): Promise<SentForm | null> {
  const { site, request } = visitor
  const { customerId } = site
  const found = await inSite(pool, site, 'site.form', async (db) => {
    const form = await readPublicForm(db, site, { key: keyOf(visitor) })
    return form && { form, hasRoom: !form.isClosed && (await hasRoomForFiles(db, customerId)) }
  })
  if (found === null) return null
  const { hasRoom, form } = found
  return readSentForm(request, { customerId, storage, quota, hasRoom, compiled: form.compiled })
}

/** Makes the files readable before a row names them. All or none. */
async function publish(parts: FormParts, site: Site, files: readonly SentFile[]): Promise<void> {
  try {
    for (const { file } of files) await file.publish({ replaces: false })
  } catch (error) {
    await discardFiles(files)
    await parts.storage.remove(placesOf(site, files))
    throw error
  }
}

const placesOf = ({ customerId }: Site, files: readonly SentFile[]) =>
  files.map(({ storedAs }) => formFilePlace(customerId, storedAs))

async function receive(
  visitor: SiteRequest,
  parts: FormParts,
  { db, sent, count }: { db: Parameters<typeof openForm>[0]; sent: SentForm; count: number },
) {
  const { site } = visitor
  const { body } = sent
  const found = await openSentForm(db, site, {
    key: keyOf(visitor),
    token: body.get(FIELD_NAMES.token) ?? '',
    secrets: parts.secrets,
    vehicleId: body.get(FIELD_NAMES.vehicle),
    pictureAddress: parts.picturesOf(site),
  })
  if (found === null) return null
  const { opened, token } = found
  const { form } = opened
  const isFramed = body.get(FIELD_NAMES.frame) === '1' && mayShow(form, { isFramed: true })
  if (form.isClosed) {
    const language = sentLanguage(form, body.get(FIELD_NAMES.language))
    return { opened, isFramed, closed: closed(opened, { language, typed: typedLines(body) }) }
  }
  return { opened, isFramed, next: await receivePage(db, visitor, parts, { ...sent, opened, token, count }) }
}

const mayShow = ({ embedOrigins }: PublicForm, { isFramed }: Embedding): boolean =>
  !isFramed || embedOrigins.length > 0

/** The answer without the site's header and footer, for the sites that may show the form. */
function framed({ embedOrigins }: PublicForm, answer: SiteAnswer): SiteAnswer {
  return { ...answer, page: { ...answer.page, isFramed: true }, framedBy: embedOrigins }
}

function closed(
  { form, receiver }: Opened,
  { language, typed }: { language: string; typed: readonly string[] },
): SiteAnswer {
  const page = closedPage({ name: nameOf(form, language), language, phone: receiver.phone, typed })
  return { page, status: 410 }
}

const OWN_FIELDS: ReadonlySet<string> = new Set([...Object.values(FIELD_NAMES), ...CAMPAIGN_PARAMETERS])

/** What the visitor typed, for the page of a closed form. */
function typedLines(body: URLSearchParams): string[] {
  return [...body].flatMap(([name, value]) => (!OWN_FIELDS.has(name) && value.trim() !== '' ? [value] : []))
}

const noForm = (): SiteAnswer => ({
  page: messagePage({
    title: 'Form not found',
    text: "This form doesn't exist. The link may be old or incomplete.",
  }),
  status: 404,
})

function keyOf({ params: { key = '' } }: SiteRequest): string {
  return /^[a-z0-9-]{1,60}$/.test(key) ? key : ''
}
