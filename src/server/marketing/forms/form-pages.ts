import type { Kysely } from 'kysely'
import type pg from 'pg'
import {
  answersOf,
  campaignOf,
  CAMPAIGN_PARAMETERS,
  FIELD_NAMES,
  lineOf,
} from '#contract/marketing/forms/form-body.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import {
  type AnswerProblem,
  evaluateAnswers,
  type EvaluateOptions,
  type Evaluation,
} from '#contract/questions/evaluate.ts'
import { writeFormEntries } from '#contract/questions/form-entries.ts'
import { readPrefill } from '#contract/questions/prefill.ts'
import { pickLanguage } from '#contract/questions/texts.ts'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { tooMany } from '#server/http/failure.ts'
import type { Outbox } from '#server/mail/index.ts'
import { countRequest } from '#server/identity/index.ts'
import { systemScope } from '#server/queue/due-items.ts'
import type { Secrets } from '#server/secrets.ts'
import { closedPage, formElement, formPage, type FormView, thankYouPage } from '#public/form-page.ts'
import { html, type Html } from '#public/html.ts'
import { messagePage } from '#public/layout.ts'
import type { SiteAnswer, SiteApp, SiteRequest } from '../site/site-app.ts'
import { readVehiclePage, type PictureAddress } from '../site/site-vehicles.ts'
import { sendAutomaticReply } from './auto-reply.ts'
import { isProven, writeChallenge } from './proof-of-work.ts'
import { type FormToken, newFormToken, readFormToken, writeFormToken } from './form-token.ts'
import {
  type PublicForm,
  readPublicForm,
  readReceiver,
  readVehicleForm,
  type Receiver,
} from './public-forms.ts'
import {
  type AskedVehicle,
  lockSubmission,
  saveSubmission,
  type StoredSubmission,
} from './save-submission.ts'
import { suspicionsOf } from './spam.ts'

/** Forms from one address in an hour, after which it has to wait. */
const MOST_AN_HOUR = 200
/** Where the vehicle of a thank-you page is; everything else is ignored. */
const BACK = /^\/v\/[a-z0-9-]{1,120}$/
const MAX_URL = 500

/** What the proof of work of a form needs. */
type ProofParts = { secrets: Secrets; proofWorkerOf: (site: Site) => string | null }

export type FormParts = ProofParts & {
  pool: pg.Pool
  iam: Kysely<DB>
  picturesOf: (site: Site) => PictureAddress
  putMail: Outbox['put']
}

/** A form without its proof of work; `sentKey`: that of its token. */
type UnprovenView = Omit<FormView, 'proof'> & { sentKey: string }

/** What a page needs to show a form. */
export type Opened = Readonly<{ form: PublicForm; receiver: Receiver; vehicle: AskedVehicle | null }>

/** The form's own page, what it sends, and the page after it. */
export function addFormPages(sites: SiteApp, parts: FormParts): void {
  sites.page('/f/:key', (request) => showForm(request, parts))
  sites.page('/f/:key', (request) => receiveForm(request, parts), 'POST')
  sites.page('/f/:key/thanks', (request) => thank(request, parts, { isFramed: false }))
  sites.page('/embed/:key', (request) => showFramed(request, parts))
  sites.page('/embed/:key/thanks', (request) => thank(request, parts, { isFramed: true }))
}

async function thank(
  { site, request }: SiteRequest,
  { pool }: FormParts,
  { isFramed }: { isFramed: boolean },
): Promise<SiteAnswer> {
  const form = await reading(pool, site, (db) => readPublicForm(db, site, { key: keyOf(request.params) }))
  if (form === null || (isFramed && form.embedOrigins.length === 0)) return noForm()
  const back = queryOf(request.url).get('back') ?? ''
  const { thankYouTitle: title, thankYouText: text } = form
  const page = thankYouPage({ title, text, back: BACK.test(back) ? back : null, isFramed })
  return isFramed ? framed(form, { page }) : { page }
}

/** The form alone, for other sites. Without one that may show it, there is no such page. */
async function showFramed(visitor: SiteRequest, parts: FormParts): Promise<SiteAnswer> {
  const { site, request } = visitor
  const query = queryOf(request.url)
  const opened = await reading(parts.pool, site, (db) =>
    open(db, site, parts, { key: keyOf(request.params), vehicleId: query.get('vehicle') }),
  )
  if (opened === null || opened.form.embedOrigins.length === 0) return noForm()
  if (opened.form.isClosed) return framed(opened.form, closed(opened, []))
  const view = firstView(opened, {
    query,
    secrets: parts.secrets,
    page: lineOf(query.get(FIELD_NAMES.page), MAX_URL) ?? '',
    referrer: undefined,
    isFramed: true,
  })
  const page = formPage(await withProof(view, visitor, parts), aboutVehicle(opened.vehicle))
  return framed(opened.form, { page })
}

/** The answer without the site's header and footer, for the sites that may show the form. */
function framed({ embedOrigins }: PublicForm, answer: SiteAnswer): SiteAnswer {
  return { ...answer, page: { ...answer.page, isFramed: true }, framedBy: embedOrigins }
}

/** Adds what the visitor's browser can solve; the key of the page's token is the key of the proof. */
async function withProof(
  view: UnprovenView,
  { site }: SiteRequest,
  { secrets, proofWorkerOf }: ProofParts,
): Promise<FormView> {
  const { sentKey, ...rest } = view
  return {
    ...rest,
    proof: { challenge: await writeChallenge(secrets, sentKey), worker: proofWorkerOf(site) },
  }
}

/** The form on the page of a vehicle and who receives it; null if there is none. */
export async function readVehicleOpened(
  db: Database,
  site: Site,
  { vehicle, lotId }: { vehicle: AskedVehicle; lotId: string },
): Promise<Opened | null> {
  const receiver = await readReceiver(db, site, { lotId })
  const form = receiver && (await readVehicleForm(db, site, receiver))
  return receiver === null || form === null ? null : { form, receiver, vehicle }
}

/** The form below a vehicle, ready to be filled in by this visitor. */
export async function vehicleForm(opened: Opened, visitor: SiteRequest, parts: ProofParts): Promise<Html> {
  const { origin, request } = visitor
  const page = pageUrl(origin, opened.vehicle?.path ?? '/')
  const view = firstView(opened, {
    query: queryOf(request.url),
    secrets: parts.secrets,
    page,
    referrer: request.headers.referer,
  })
  const form = formElement(await withProof(view, visitor, parts))
  return html`${view.steps.length === 1 && html`<h2>${opened.form.name}</h2>`} ${form}`
}

async function showForm(visitor: SiteRequest, parts: FormParts): Promise<SiteAnswer> {
  const { site, origin, request } = visitor
  const query = queryOf(request.url)
  const opened = await reading(parts.pool, site, (db) =>
    open(db, site, parts, { key: keyOf(request.params), vehicleId: query.get('vehicle') }),
  )
  if (opened === null) return noForm()
  if (opened.form.isClosed) return closed(opened, [])
  const path = `/f/${opened.form.key}`
  const view = firstView(opened, {
    query,
    secrets: parts.secrets,
    page: pageUrl(origin, path),
    referrer: request.headers.referer,
  })
  return { page: formPage(await withProof(view, visitor, parts), aboutVehicle(opened.vehicle)) }
}

async function receiveForm(visitor: SiteRequest, parts: FormParts): Promise<SiteAnswer> {
  const { site, request, reply } = visitor
  const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const { count, seconds } = await countRequest(
    parts.iam,
    'forms sent from an address',
    `${site.customerId} ${request.ip}`,
    3_600,
  )
  if (count > MOST_AN_HOUR) throw tooMany('Too many forms were sent from this network.', seconds)
  const result = await inTenant(parts.pool, systemScope(site.customerId, 'site.form'), (db) =>
    receive(db, visitor, parts, { body, count }),
  )
  if ('answer' in result) return result.answer
  const back = result.vehicle === null ? '' : `?back=${encodeURIComponent(result.vehicle.path)}`
  await reply.redirect(`${result.isFramed ? '/embed' : '/f'}/${result.key}/thanks${back}`, 303)
  return noForm()
}

type Received = { answer: SiteAnswer } | { key: string; isFramed: boolean; vehicle: AskedVehicle | null }

async function receive(
  db: Database,
  visitor: SiteRequest,
  parts: FormParts,
  { body, count }: { body: URLSearchParams; count: number },
): Promise<Received> {
  const { site, request } = visitor
  const { secrets } = parts
  const key = keyOf(request.params)
  const current = await readPublicForm(db, site, { key })
  if (current === null) return { answer: noForm() }
  const token = readFormToken(secrets, current, body.get(FIELD_NAMES.token) ?? '')
  const opened = await open(db, site, parts, {
    key,
    number: token?.number ?? null,
    vehicleId: body.get(FIELD_NAMES.vehicle),
  })
  if (opened === null) return { answer: noForm() }
  const { form, receiver, vehicle } = opened
  const isFramed = body.get(FIELD_NAMES.frame) === '1' && form.embedOrigins.length > 0
  const answerWith = (answer: SiteAnswer) => ({ answer: isFramed ? framed(form, answer) : answer })
  if (form.isClosed) return answerWith(closed(opened, typedLines(body)))
  const page = token ?? newFormToken(form)
  const { sentKey } = page
  const stored = await lockSubmission(db, form, sentKey)
  const { evaluation, step, problems, view } = evaluateStep(opened, {
    body,
    stored,
    token: writeFormToken(secrets, form, page),
    sentKey,
  })
  if (problems.length > 0) {
    const again = await withProof(view, visitor, parts)
    return answerWith({ page: formPage(again, aboutVehicle(vehicle)), status: 422 })
  }
  const at = view.steps.indexOf(step)
  const isFinished = at === view.steps.length - 1
  const suspicions = suspicionsOf({
    body,
    answers: evaluation.answers,
    token,
    count,
    // A bot that skips the last step is judged by the step it sent.
    isProven: await isProven(secrets, sentKey, body.get(FIELD_NAMES.proof) ?? ''),
    requiresProof: form.requiresProof,
  })
  const saved = await saveSubmission(db, {
    form,
    receiver,
    vehicle,
    sentKey,
    stored,
    evaluation,
    isFinished,
    suspicions,
    sent: {
      language: view.context.language,
      pageUrl: lineOf(body.get(FIELD_NAMES.page), MAX_URL),
      referrer: lineOf(body.get(FIELD_NAMES.referrer), MAX_URL),
      campaign: campaignOf(body),
      senderAddress: request.ip,
      isTest: isTest(body, FIELD_NAMES.test),
    },
  })
  if (isFinished) {
    if (saved.leadId !== null) {
      const answered = { form, receiver, vehicle, answers: evaluation.answers, leadId: saved.leadId }
      await sendAutomaticReply(db, parts.putMail, answered)
    }
    return { key: form.key, isFramed, vehicle }
  }
  const next = view.steps[at + 1] ?? step
  const nextView = {
    ...view,
    step: next,
    context: {
      ...view.context,
      typed: new URLSearchParams(writeFormEntries(form.compiled, evaluation.answers, view.context.language)),
    },
    token: writeFormToken(secrets, form, { ...page, sentKey: saved.sentKey }),
    sentKey: saved.sentKey,
  }
  return answerWith({ page: formPage(await withProof(nextView, visitor, parts), aboutVehicle(vehicle)) })
}

/** Evaluates the sent step together with those before it. */
function evaluateStep(
  opened: Opened,
  {
    body,
    stored,
    token,
    sentKey,
  }: { body: URLSearchParams; stored: StoredSubmission | null; token: string; sentKey: string },
): { evaluation: Evaluation; step: string; problems: readonly AnswerProblem[]; view: UnprovenView } {
  const { compiled } = opened.form
  const { definition } = compiled
  const named = body.get(FIELD_NAMES.step) ?? ''
  const step = definition.sections.some(({ id }) => id === named) ? named : (definition.sections[0]?.id ?? '')
  const language = languageOf(opened.form, body.get(FIELD_NAMES.language))
  const former = stored?.answers ?? {}
  const sent = answersOf(body, compiled, { sections: new Set([step]), language })
  const own = definition.sections.find(({ id }) => id === step)?.questions.map(({ code }) => code) ?? []
  const kept = Object.fromEntries(Object.entries(former).filter(([code]) => !own.includes(code)))
  const evaluation = evaluate(opened, { ...kept, ...sent }, language)
  const steps = stepsOf(opened.form, evaluation)
  const upTo = definition.sections
    .slice(0, definition.sections.findIndex(({ id }) => id === step) + 1)
    .map(({ id }) => id)
  const problems = withoutConsequences(
    opened.form,
    evaluation.problems.filter(({ section }) => section === null || upTo.includes(section)),
  )
  // The sender skipped a step: show the first one that lacks something.
  const [first] = problems
  const shown = first?.section ?? step
  const view = viewOf(opened, {
    evaluation,
    steps,
    step: shown,
    language,
    token,
    sentKey,
    typed:
      shown === step ? body : new URLSearchParams(writeFormEntries(compiled, evaluation.answers, language)),
    problems: problems.filter(({ section }) => section === null || section === shown),
    hidden: hiddenOf(opened, {
      query: body,
      page: body.get(FIELD_NAMES.page),
      referrer: body.get(FIELD_NAMES.referrer),
      isFramed: body.get(FIELD_NAMES.frame) === '1' && opened.form.embedOrigins.length > 0,
    }),
  })
  return { evaluation, step: shown, problems, view }
}

/**
 * Without the questions that are required only because another answer is missing or wrong: "email or phone" with a mistyped
 * email address is one mistake. They are checked again once the others are right.
 */
function withoutConsequences({ compiled }: PublicForm, problems: readonly AnswerProblem[]): AnswerProblem[] {
  const others = problems.filter(
    ({ code, question }) =>
      code !== 'required' || compiled.byCode.get(question)?.question.requiredIf === undefined,
  )
  return others.length > 0 ? others : [...problems]
}

/** The first step of a form that no one has typed into. */
function firstView(
  opened: Opened,
  of: {
    query: URLSearchParams
    secrets: Secrets
    page: string
    referrer: string | undefined
    isFramed?: boolean
  },
): UnprovenView {
  const { form } = opened
  const language = languageOf(form, of.query.get('lang'))
  const prefilled = readPrefill(form.compiled, of.query, optionsOf(opened, language))
  const evaluation = evaluate(opened, prefilled, language)
  const steps = stepsOf(form, evaluation)
  const typed = new URLSearchParams(writeFormEntries(form.compiled, prefilled, language))
  const token = newFormToken(form)
  const { query, page, referrer = null, isFramed = false } = of
  return viewOf(opened, {
    evaluation,
    steps,
    step: steps[0] ?? '',
    language,
    token: writeFormToken(of.secrets, form, token),
    sentKey: token.sentKey,
    typed,
    problems: [],
    hidden: hiddenOf(opened, { query, page, referrer, isFramed }),
  })
}

function viewOf(
  { form, receiver }: Opened,
  of: {
    evaluation: Evaluation
    steps: readonly string[]
    step: string
    language: string
    token: string
    sentKey: string
    typed: URLSearchParams
    problems: readonly AnswerProblem[]
    hidden: Readonly<Record<string, string>>
  },
): UnprovenView {
  return {
    key: form.key,
    name: form.name,
    compiled: form.compiled,
    steps: of.steps,
    step: of.step,
    visible: of.evaluation.visible,
    token: of.token,
    sentKey: of.sentKey,
    hidden: { ...of.hidden, [FIELD_NAMES.language]: of.language },
    notice: of.hidden[FIELD_NAMES.test] === undefined ? null : TEST_NOTICE,
    context: {
      typed: of.typed,
      language: of.language,
      languages: form.compiled.definition.languages,
      required: new Set(of.evaluation.required),
      problems: of.problems,
      computed: of.evaluation.computed,
      seller: sellerOf(receiver),
    },
  }
}

function hiddenOf(
  { vehicle }: Opened,
  of: { query: URLSearchParams; page: string | null; referrer: string | null; isFramed: boolean },
): Record<string, string> {
  const fields: readonly (readonly [string, string | null])[] = [
    [FIELD_NAMES.vehicle, vehicle?.id ?? null],
    [FIELD_NAMES.page, lineOf(of.page, MAX_URL)],
    [FIELD_NAMES.referrer, lineOf(of.referrer, MAX_URL)],
    [FIELD_NAMES.test, isTest(of.query, FIELD_NAMES.test) || isTest(of.query, 'test') ? '1' : null],
    [FIELD_NAMES.frame, of.isFramed ? '1' : null],
    ...Object.entries(campaignOf(of.query)),
  ]
  return Object.fromEntries(fields.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

function evaluate(
  { form, receiver }: Opened,
  answers: Readonly<Record<string, unknown>>,
  language: string,
): Evaluation {
  return evaluateAnswers(form.compiled, answers, optionsOf({ receiver }, language))
}

const optionsOf = ({ receiver }: Pick<Opened, 'receiver'>, language: string): EvaluateOptions => ({
  language,
  now: clock.date(),
  zone: receiver.zone,
  seller: sellerOf(receiver),
  setAside: true,
})

const sellerOf = ({ organizationName, country }: Receiver) => ({
  name: organizationName,
  ...(country !== undefined && { country }),
})

/** The sections that ask something now. */
function stepsOf({ compiled }: PublicForm, evaluation: Evaluation): string[] {
  const ids = evaluation.sections.map(({ id }) => id)
  return ids.length > 0 ? ids : compiled.definition.sections.slice(0, 1).map(({ id }) => id)
}

function languageOf({ compiled }: PublicForm, wanted: string | null): string {
  return pickLanguage(compiled.definition.languages, wanted ?? '')
}

/** The form with whom it is for; null if it doesn't exist. A vehicle that isn't public is left out. */
async function open(
  db: Database,
  site: Site,
  { picturesOf }: FormParts,
  of: { key: string; number?: FormToken['number'] | null; vehicleId: string | null },
): Promise<Opened | null> {
  const form = await readPublicForm(db, site, of)
  if (form === null) return null
  const id = /^[1-9]\d{0,17}$/.exec(of.vehicleId ?? '')?.[0]
  const found =
    id === undefined ? null : await readVehiclePage(db, { site, id, pictureAddress: picturesOf(site) })
  // A vehicle that was sold while the form was open is still what the visitor asks about.
  const isKnown = found !== null && (found.isPublished || found.isGone)
  const vehicle = isKnown ? askedVehicle(found.vehicle) : null
  const receiver = await readReceiver(db, site, { lotId: isKnown ? found.row.lotId : form.lotId })
  return receiver === null ? null : { form, receiver, vehicle }
}

/** The vehicle of a page as a submission keeps it. */
export function askedVehicle({
  listing,
  path,
}: {
  listing: { id: string; title: string; stock: string | null; price: { cents: number } | null }
  path: string
}): AskedVehicle {
  const { id, title, stock, price } = listing
  return {
    id,
    path,
    title: [title, stock].filter((part) => part !== null && part !== '').join(', '),
    priceCents: price?.cents ?? null,
  }
}

const TEST_NOTICE = "This is a test. What you send is marked as a test and isn't counted."
/** Whether a form was opened to try it: `?test=1`. */
const isTest = (fields: URLSearchParams, name: string): boolean => fields.get(name) === '1'

const aboutVehicle = (vehicle: AskedVehicle | null): Html | null =>
  vehicle && html`<p>About the <a href="${vehicle.path}">${vehicle.title}</a></p>`

function closed({ form, receiver }: Opened, typed: readonly string[]): SiteAnswer {
  return { page: closedPage({ name: form.name, phone: receiver.phone, typed }), status: 410 }
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

function reading<T>(pool: pg.Pool, site: Site, work: (db: Database) => Promise<T>): Promise<T> {
  return inTenant(pool, systemScope(site.customerId, 'site.form', true), work)
}

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '')
const pageUrl = (origin: string, path: string): string => `${origin}${path}`

function keyOf(params: unknown): string {
  const key = typeof params === 'object' && params !== null && 'key' in params ? params.key : ''
  return typeof key === 'string' && /^[a-z0-9-]{1,60}$/.test(key) ? key : ''
}
