import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { formTexts } from '#contract/marketing/forms/form-texts.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import { MAX_FORM_FILE_BYTES, MAX_FORM_FILES } from '#contract/marketing/forms/form-files.ts'
import { DatabaseAway } from '#server/database/database-watch.ts'
import { Failure, unavailable } from '#server/http/failure.ts'
import { discardRemainingBody } from '#server/http/kinds.ts'
import { addressKey } from '#server/identity/index.ts'
import { makeFairShare } from '#server/threads/fair-share.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { closedPage, formPage, thankYouPage } from '#public/form-page.ts'
import { messagePage } from '#public/layout.ts'
import { inSite } from '../site/in-site.ts'
import { noteSent, typedLines } from '../site/not-sent.ts'
import { isTemporary } from '../site/site-errors.ts'
import type { SiteAnswer, SiteApp, SiteRequest } from '../site/site-app.ts'
import { formFilePlace, type SentFile } from './form-files.ts'
import { countFile } from './form-limits.ts'
import { openedKey } from './form-readers.ts'
import type { FormParts } from './form-parts.ts'
import { firstView, type UnprovenView, withProof } from './form-view.ts'
import {
  languageLinks,
  nameOf,
  type Opened,
  openForm,
  openSentForm,
  sentLanguage,
  shownLanguage,
} from './open-form.ts'
import { type FormToken, newSentKey, readFormToken, sentKeyIn } from './form-token.ts'
import { type PublicForm, readPublicForm } from './public-forms.ts'
import { canWait, keepForLater } from './receive-later.ts'
import { discardFiles, fieldsOf, type FileBudget, readSentForm, type SentForm } from './read-sent-form.ts'
import { evaluateStep, receivePage } from './receive-form.ts'
import { isProven, isSpent, writeChallenge } from './proof-of-work.ts'
import { readTestMark } from './test-link.ts'

/** Forms of a customer that are stored at once. Others wait, and leave connections to other customers. */
const inPlace = makeFairShare({ placesEach: 4, mostWaiting: 200, full: unavailable })
/** Where the vehicle or promo page of a thank-you page is; everything else is ignored. */
const BACK = /^\/[vp]\/[a-z0-9-]{1,120}$/

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
  // For a page that is open for longer than its challenge, or whose form was sent before. Needs no database.
  sites.app.get<{ Querystring: { token?: string } }>('/site/challenge', async ({ query }, reply) => {
    const sentKey = sentKeyIn(query.token ?? '')
    if (sentKey === null) throw new Failure(400, 'A challenge is for the page of a form.')
    const challenge = await writeChallenge(parts.secrets, sentKey)
    return reply.type('application/json').header('cache-control', 'no-store').send(challenge)
  })
}

/** The form, on its own page or alone for other sites. Without a site that may show it, there is no such page. */
async function showForm(
  visitor: SiteRequest,
  parts: FormParts,
  { isFramed }: Embedding,
): Promise<SiteAnswer> {
  const { site, origin, query } = visitor
  const key = keyOf(visitor)
  const vehicleId = query.get('vehicle')
  const opened = await parts.readers.opened(site, openedKey(key, vehicleId), async () => {
    const found = await inSite(parts.pool, site, 'site.form', (db) =>
      openForm(db, site, { key, vehicleId, pictureAddress: parts.picturesOf(site) }),
    )
    // What is sent from this page is received even if the database is away by then.
    if (found !== null) await parts.readers.forms(site, key, async () => found.form)
    return found
  })
  if (opened === null || !mayShow(opened.form, { isFramed })) return noForm(visitor, parts)
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

async function thank(visitor: SiteRequest, parts: FormParts, { isFramed }: Embedding): Promise<SiteAnswer> {
  const { query } = visitor
  const form = await readForm(visitor, parts)
  if (form === null || !mayShow(form, { isFramed })) return noForm(visitor, parts)
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

/** The published form of the address; while the database is away, as it was last. */
function readForm(visitor: SiteRequest, { pool, readers }: FormParts): Promise<PublicForm | null> {
  const { site } = visitor
  const key = keyOf(visitor)
  return readers.forms(site, key, () =>
    inSite(pool, site, 'site.form', (db) => readPublicForm(db, site, { key })),
  )
}

async function receiveForm(visitor: SiteRequest, parts: FormParts): Promise<SiteAnswer> {
  const { site, request, reply } = visitor
  const { watch } = parts.later
  if (request.isMultipart()) discardRemainingBody(request, reply)
  const sent = request.isMultipart()
    ? await readWithFiles(visitor, parts)
    : { body: fieldsOf(request), files: [], refused: [] }
  if (sent === null) return noForm(visitor, parts)
  await publish(parts, site, sent.files)
  const sentKey = newSentKey()
  const receiving = () =>
    inTenant(parts.pool, systemScope(site.customerId, 'site.form'), (db) =>
      receive(visitor, parts, { db, sent, sentKey }),
    )
  const result = await inPlace(site.customerId, () => watch.attempt(receiving)).catch(
    async (error: unknown) => {
      // What was given up may still be stored: the same page again is the same submission.
      if (isTemporary(error)) return 'later' as const
      await parts.storage.remove(placesOf(site, sent.files))
      throw error
    },
  )
  if (result === 'later') return receiveLater(visitor, parts, sent)
  if (result === null || 'closed' in result) await parts.storage.remove(placesOf(site, sent.files))
  if (result === null) return noForm(visitor, parts)
  const { opened, isFramed } = result
  const answer = (page: SiteAnswer) => (isFramed ? framed(opened.form, page) : page)
  if ('closed' in result) return answer(result.closed)
  if (result.next !== null) {
    const page = await pageOf(result.next.view, visitor, parts, opened)
    return answer({ ...page, status: result.next.status })
  }
  return thankFor(visitor, sent, {
    form: opened.form,
    isFramed,
    back: opened.vehicle?.path ?? promoPathOf(sent.body.get(FIELD_NAMES.page)),
  })
}

/** The path of the promo page that a form was on; null if it was on another page. */
const promoPathOf = (page: string | null): string | null =>
  /^https?:\/\/[^/]+(\/p\/[a-z0-9-]{1,60})(?:\?|$)/.exec(page ?? '')?.[1] ?? null

/** Not shown: the browser was sent on. */
const SENT: SiteAnswer = { page: messagePage({ title: '', text: '' }) }

/** Leads to the thank-you page. `back`: the path of the vehicle. */
async function thankFor(
  { reply }: SiteRequest,
  { body }: SentForm,
  { form, isFramed, back }: { form: PublicForm; isFramed: boolean; back: string | null },
): Promise<SiteAnswer> {
  const query = new URLSearchParams({
    ...(back !== null && { back }),
    ...(form.compiled.definition.languages.length > 1 && {
      lang: sentLanguage(form, body.get(FIELD_NAMES.language)),
    }),
  }).toString()
  const path = `${isFramed ? '/embed' : '/f'}/${form.key}/thanks`
  await reply.redirect(query === '' ? path : `${path}?${query}`, 303)
  return SENT
}

/**
 * Receives a form while the database is away: it is on disk when its sender is thanked, and stored once the database is back.
 * @throws Failure 503 if that can't be promised; the page says so, with what was typed
 */
async function receiveLater(visitor: SiteRequest, parts: FormParts, sent: SentForm): Promise<SiteAnswer> {
  const { site, request } = visitor
  const { body, files } = sent
  noteSent(request, { fields: body, hasFiles: files.length > 0 || sent.refused.length > 0 })
  try {
    const form = await readForm(visitor, parts)
    if (form === null) return noForm(visitor, parts)
    const token = readFormToken(parts.secrets, form, body.get(FIELD_NAMES.token) ?? '')
    // Without a page of ours, anyone could fill the disk.
    if (token === null || !canWait(form, sent, parts.later)) throw unavailable()
    const isFramed = body.get(FIELD_NAMES.frame) === '1' && mayShow(form, { isFramed: true })
    const mistakes = await findMistakes(visitor, parts, { sent, token })
    if (mistakes !== null) {
      // The page doesn't name them, so they are added again.
      await parts.storage.remove(placesOf(site, files))
      return isFramed ? framed(form, mistakes) : mistakes
    }
    if (sent.refused.some(({ code }) => code === 'fileFailed')) throw unavailable()
    await keepForLater(parts, { site, key: form.key, token, sent, senderAddress: request.ip })
    return await thankFor(visitor, sent, { form, isFramed, back: null })
  } catch (error) {
    await parts.storage.remove(placesOf(site, files)).catch(() => {})
    throw error
  }
}

/** The page with what is wrong with a form, if that can be said without the database; otherwise null. */
async function findMistakes(
  visitor: SiteRequest,
  parts: FormParts,
  { sent: { body, refused }, token }: { sent: SentForm; token: FormToken },
): Promise<SiteAnswer | null> {
  const key = openedKey(keyOf(visitor), body.get(FIELD_NAMES.vehicle))
  const opened = await parts.readers
    .opened(visitor.site, key, () => Promise.reject(new DatabaseAway()))
    .catch(() => null)
  if (opened === null || opened.form.number !== token.number) return null
  const { compiled } = opened.form
  // Former steps and files are in the database. A file of another type or size can be refused without them.
  const hasFiles = compiled.questions.some(({ question }) => question.type === 'file')
  const isRefused = refused.some(({ code }) => code !== 'fileFailed')
  if (compiled.definition.sections.length > 1) return null
  const { problems, view } = evaluateStep(opened, {
    body,
    stored: null,
    files: {},
    refused,
    token: body.get(FIELD_NAMES.token) ?? '',
    sentKey: token.sentKey,
    test: readTestMark(parts.secrets, opened.form, body.get(FIELD_NAMES.test), token.openedAt),
  })
  if (view.added.length > 0) return pageOf(view, visitor, parts, opened)
  if (problems.length === 0 || (hasFiles && !isRefused)) return null
  return { ...(await pageOf(view, visitor, parts, opened)), status: 422 }
}

/** Reads a form with files, if it may have some; null if there is no such form. */
async function readWithFiles(visitor: SiteRequest, parts: FormParts): Promise<SentForm | null> {
  const { storage, quota } = parts
  const { site, request } = visitor
  const { customerId } = site
  const form = await readForm(visitor, parts).catch((error: unknown) => {
    if (isTemporary(error)) return 'unknown' as const
    throw error
  })
  if (form === null) return null
  const isKnown = form !== 'unknown'
  const compiled = isKnown ? form.compiled : null
  const budgetOf = (fields: URLSearchParams) =>
    isKnown && !form.isClosed ? findBudget(visitor, parts, { form, fields }) : NO_FILES
  return readSentForm(request, { customerId, storage, quota, budgetOf, compiled })
}

const NO_FILES: Promise<FileBudget> = Promise.resolve({ hasRoom: false, count: async () => null })

/**
 * What limits the files of a form. Those that came with a proof of work have a budget of their own, so that strangers can't use
 * up that of buyers. While the database is away nothing can be counted, and only a form with a proof may have files.
 */
async function findBudget(
  { site, request }: SiteRequest,
  { secrets, pool, later }: FormParts,
  { form, fields }: { form: PublicForm; fields: URLSearchParams },
): Promise<FileBudget> {
  const token = readFormToken(secrets, form, fields.get(FIELD_NAMES.token) ?? '')
  const proof = fields.get(FIELD_NAMES.proof) ?? ''
  const isSolved = token !== null && (await isProven(secrets, token.sentKey, proof))
  const unlessAway = <T>(work: (db: Parameters<typeof openForm>[0]) => Promise<T>): Promise<T | 'away'> =>
    later.watch
      .attempt(() => inTenant(pool, systemScope(site.customerId, 'site.form'), work))
      .catch((error: unknown) => {
        if (isTemporary(error)) return 'away' as const
        throw error
      })
  const spent = isSolved ? await unlessAway((db) => isSpent(db, proof)) : false
  const of = { network: addressKey(request.ip), isProven: isSolved && spent === false }
  return {
    hasRoom: spent !== 'away' || later.inbox.hasRoom(site.customerId, MAX_WAITING_FILES),
    async count(bytes) {
      const wait = await unlessAway((db) => countFile(db, { ...of, bytes }))
      if (wait === 'away') return isSolved ? null : { code: 'fileFailed' }
      return wait === null ? null : { code: 'filesMany', fill: wait }
    },
  }
}

/** Bytes that the files of one form may have. */
const MAX_WAITING_FILES = MAX_FORM_FILES * MAX_FORM_FILE_BYTES

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

/** What became of a form: it is closed, or shows its next page; null there: it is finished. */
type Outcome = { opened: Opened; isFramed: boolean } & (
  | { closed: SiteAnswer }
  | { next: Awaited<ReturnType<typeof receivePage>> }
)

async function receive(
  visitor: SiteRequest,
  parts: FormParts,
  { db, sent, sentKey }: { db: Parameters<typeof openForm>[0]; sent: SentForm; sentKey: string },
): Promise<Outcome | null> {
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
  const next = await receivePage(db, parts, {
    ...sent,
    opened,
    token,
    newSentKey: sentKey,
    senderAddress: visitor.request.ip,
    waited: null,
  })
  return { opened, isFramed, next }
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

/** The page for an address without a form. @throws Failure 429 if many were tried from this network */
function noForm({ request }: SiteRequest, { countGuess }: FormParts): SiteAnswer {
  const limit = countGuess(request.ip)
  if (limit !== null) throw limit
  return {
    page: messagePage({
      title: 'Form not found',
      text: "This form doesn't exist. The link may be old or incomplete.",
    }),
    status: 404,
  }
}

function keyOf({ params: { key = '' } }: SiteRequest): string {
  return /^[a-z0-9-]{1,60}$/.test(key) ? key : ''
}
