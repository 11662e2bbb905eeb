import { sql } from 'kysely'
import { formTexts } from '#contract/marketing/forms/form-texts.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import { evaluateAnswers, type EvaluateOptions, type Evaluation } from '#contract/questions/evaluate.ts'
import { acceptedLanguage, pickLanguage } from '#contract/questions/texts.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Secrets } from '#server/secrets.ts'
import { type PictureAddress, readVehiclePage } from '../site/site-vehicles.ts'
import { type FormToken, readFormToken } from './form-token.ts'
import {
  type PublicForm,
  readPublicForm,
  readReceiver,
  readVehicleForm,
  type Receiver,
} from './public-forms.ts'
import type { AskedVehicle } from './save-submission.ts'

/** What a page needs to show a form. */
export type Opened = Readonly<{ form: PublicForm; receiver: Receiver; vehicle: AskedVehicle | null }>

/** A vehicle of a page, by what the page sends. */
type FormRequest = { vehicleId: string | null; pictureAddress: PictureAddress; openedAt?: number | undefined }

/** The published form with whom it is for; null if it doesn't exist. A vehicle that isn't public is left out. */
export async function openForm(
  db: Database,
  site: Site,
  { key, ...asked }: FormRequest & { key: string },
): Promise<Opened | null> {
  const form = await readPublicForm(db, site, { key })
  return form && openRead(db, site, form, asked)
}

/**
 * The form in the version that its visitor saw, with the token of the page. Without a token of ours: the published version.
 * `checked`: a token that was checked before.
 */
export async function openSentForm(
  db: Database,
  site: Site,
  {
    key,
    token: text,
    checked,
    secrets,
    ...asked
  }: FormRequest & { key: string; token: string; checked?: FormToken; secrets: Secrets },
): Promise<{ opened: Opened; token: FormToken | null } | null> {
  const number = checked?.number ?? Number(/^\d{1,9}(?=\.)/.exec(text)?.[0] ?? Number.NaN)
  const seen = Number.isNaN(number) ? null : await readPublicForm(db, site, { key, number })
  const token = seen && (checked ?? readFormToken(secrets, seen, text))
  // A number without a valid signature could be that of any former version.
  const form = token === null ? await readPublicForm(db, site, { key }) : seen
  const opened = form && (await openRead(db, site, form, { ...asked, openedAt: token?.openedAt }))
  return opened && { opened, token }
}

async function openRead(
  db: Database,
  site: Site,
  form: PublicForm,
  { vehicleId, pictureAddress, openedAt }: FormRequest,
): Promise<Opened | null> {
  const id = /^[1-9]\d{0,17}$/.exec(vehicleId ?? '')?.[0]
  const found = id === undefined ? null : await readVehiclePage(db, { site, id, pictureAddress })
  const shown = found && (await askedOf(db, found, openedAt))
  const lotId = shown === null ? form.lotId : shown.lotId
  const receiver = await readReceiver(db, site, { lotId })
  if (receiver !== null) return { form, receiver, vehicle: shown && shown.vehicle }
  // Where every organization with a lot is archived, the form is closed, and says so with what was typed.
  const former = await readReceiver(db, site, { lotId, isArchived: true })
  return former && { form: { ...form, isClosed: true }, receiver: { ...former, phone: null }, vehicle: null }
}

/** The vehicle that a visitor asks about, and its lot; null if they didn't see it. */
async function askedOf(
  db: Database,
  { row, vehicle, isPublished, isGone }: NonNullable<Awaited<ReturnType<typeof readVehiclePage>>>,
  openedAt: number | undefined,
): Promise<{ vehicle: AskedVehicle; lotId: string | null } | null> {
  const asked = { vehicle: askedVehicle(vehicle), lotId: row.lotId }
  // A vehicle that was sold while the form was open is still what the visitor asks about.
  if (isPublished || isGone) return asked
  // So is one that was taken off the site since, such as one on hold, with the price that they saw.
  const seen = row.isLotPublic ? await readSeen(db, row.id, openedAt) : null
  return seen && { ...asked, vehicle: { ...asked.vehicle, ...seen } }
}

/** Prices of a page are recorded soon after it shows them. */
const RECORDED_WITHIN_MS = 60_000

/** What the site said about a vehicle at a time; null if it didn't show it. */
async function readSeen(
  db: Database,
  vehicleId: string,
  openedAt: number | undefined,
): Promise<{ priceCents: number } | null> {
  if (openedAt === undefined) return null
  const [at, soon] = [openedAt, openedAt + RECORDED_WITHIN_MS].map((ms) => new Date(ms).toISOString())
  const { rows } = await sql<{ priceCents: number }>`
    select price_cents::float8 as price_cents from advertised_prices
    where vehicle_id = ${vehicleId} and channel_id is null and from_at <= ${soon} and (until_at is null or until_at >= ${at})
    order by from_at desc limit 1`.execute(db)
  return rows[0] ?? null
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

/** Evaluates the answers to a form. Answers to questions that aren't asked are set aside. */
export function evaluateForm(
  opened: Opened,
  answers: Readonly<Record<string, unknown>>,
  language: string,
): Evaluation {
  return evaluateAnswers(opened.form.compiled, answers, evaluateOptions(opened, language))
}

export const evaluateOptions = (
  { receiver }: Pick<Opened, 'receiver'>,
  language: string,
): EvaluateOptions => ({
  language,
  now: clock.date(),
  zone: receiver.zone,
  seller: sellerOf(receiver),
  setAside: true,
})

export const sellerOf = ({ organizationName, country }: Receiver) => ({
  name: organizationName,
  ...(country !== undefined && { country }),
})

/** The sections that ask something now. */
export function stepsOf({ compiled }: PublicForm, evaluation: Evaluation): string[] {
  const ids = evaluation.sections.map(({ id }) => id)
  return ids.length > 0 ? ids : compiled.definition.sections.slice(0, 1).map(({ id }) => id)
}

const languagesOf = ({ compiled }: PublicForm): readonly string[] => compiled.definition.languages

/** The language of a form that a page was sent in. */
export const sentLanguage = (form: PublicForm, sent: string | null): string =>
  pickLanguage(languagesOf(form), sent ?? '')

/** What a form takes from a request. */
export type FormVisitor = Readonly<{
  query: URLSearchParams
  request: Readonly<{
    url: string
    headers: Readonly<{ referer?: string | undefined; 'accept-language'?: string | undefined }>
  }>
}>

/** The language to show a form in: that of its address (`?lang=es`), otherwise the one that the visitor's browser prefers. */
export function shownLanguage(form: PublicForm, { query, request }: FormVisitor): string {
  return acceptedLanguage(
    languagesOf(form),
    [query.get('lang'), request.headers['accept-language']].filter(Boolean).join(','),
  )
}

/** The addresses of a page in each language of its form. */
export function languageLinks(form: PublicForm, { query, request }: FormVisitor) {
  const [path = ''] = request.url.split('?')
  return languagesOf(form).map((language) => {
    const own = new URLSearchParams(query)
    own.set('lang', language)
    return { language, href: `${path}?${own.toString()}` }
  })
}

/** The name of a form as its visitor reads it. */
export const nameOf = (form: PublicForm, language: string): string => formTexts(form, language).name
