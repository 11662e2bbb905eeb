import { sql } from 'kysely'
import type pg from 'pg'
import { vehiclePath } from '#contract/marketing/site/vehicle-address.ts'
import { CAMPAIGN_UTM } from '#contract/marketing/campaigns/campaigns.ts'
import { type Database, inTenant } from '#server/database/tenant-transaction.ts'
import type { CountGuess } from '#server/identity/index.ts'
import { noteConsents, noteOnOpenLeads } from '#server/leads/index.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { html } from '#public/html.ts'
import { messagePage } from '#public/layout.ts'
import { readPublished } from '../site/site-vehicles.ts'
import { unnamedPath } from '../short-urls/find-short-url.ts'
import { withParameters } from '../site/pass-parameters.ts'
import type { SiteAnswer, SiteApp, SiteRequest } from '../site/site-app.ts'
import { classifyClick } from '../visits/classify-click.ts'

/** Links that are opened sooner after the email left are mostly opened by scanners. */
const EARLY_SECONDS = 120
/** A key in a link of an email. */
export const KEY = /^[0-9a-f]{32}$/
const MAX_CLICKS = 200

export type CampaignPageParts = Readonly<{ pool: pg.Pool; countGuess: CountGuess }>

type LinkOwner = {
  id: string
  campaignId: string
  organizationId: string
  personId: string | null
  name: string
  code: string
  shortKey: string | null
  pageSlug: string | null
  secondsSince: number | null
  clicksNow: number
  clicks: number
}

/** The answer to a key that isn't known. @throws Failure 429 for someone who tries keys */
export const unknownLink =
  (countGuess: CountGuess) =>
  ({ request }: SiteRequest): SiteAnswer => {
    const limit = countGuess(request.ip)
    if (limit !== null) throw limit
    return {
      page: messagePage({
        title: 'This link is unknown',
        text: 'Open it from the email once more, as a whole.',
      }),
      status: 404,
    }
  }

/** Keeps a page with a key out of caches, search engines and the addresses that other sites see. */
export const quiet = ({ reply }: SiteRequest): void =>
  void reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')

/** The links of campaign emails: `/c/{key}` leads on, `/u/{key}` unsubscribes. Both act only on what a person does. */
export function addCampaignPages(sites: SiteApp, { pool, countGuess }: CampaignPageParts): void {
  const within = <T>({ site }: SiteRequest, name: string, work: (db: Database) => Promise<T>): Promise<T> =>
    inTenant(pool, systemScope(site.customerId, name), work)
  const unknown = unknownLink(countGuess)

  const follow = async (visitor: SiteRequest): Promise<SiteAnswer> => {
    quiet(visitor)
    const { key = '', vehicleId = null } = visitor.params
    const path = await within(visitor, 'site.campaignClick', async (db) => {
      const found = await find(db, key)
      if (found === null) return null
      const vehicle = vehicleId === null ? null : await findVehicle(db, visitor.site.customerId, vehicleId)
      await noteClick(db, visitor, found, vehicle?.id ?? null)
      return targetOf(found, vehicle)
    })
    if (path === null) return unknown(visitor)
    await visitor.reply.redirect(path, 302)
    return { page: messagePage({ title: '', text: '' }) }
  }
  sites.page('/c/:key', follow)
  sites.page('/c/:key/:vehicleId', follow)

  sites.page('/u/:key', async (visitor) => {
    quiet(visitor)
    const key = visitor.params['key'] ?? ''
    const wishes = await within(visitor, 'site.unsubscribe', async (db) => {
      const found = await find(db, key)
      return found === null ? null : readWishes(db, found)
    })
    return wishes === null ? unknown(visitor) : { page: wishesPage(visitor, key, wishes) }
  })
  sites.page(
    '/u/:key',
    async (visitor) => {
      quiet(visitor)
      const key = visitor.params['key'] ?? ''
      const wants = wantedOf(visitor.request.body)
      const isDone = await within(visitor, 'site.unsubscribe', async (db) => {
        const found = await find(db, key)
        if (found === null) return false
        await saveWishes(db, found, wants)
        return true
      })
      return isDone ? { page: donePage(visitor, wants) } : unknown(visitor)
    },
    'POST',
  )
}

async function find(db: Database, key: string): Promise<LinkOwner | null> {
  if (!KEY.test(key)) return null
  const { rows } = await sql<LinkOwner>`
    select r.id::text, r.campaign_id::text, r.organization_id::text, coalesce(p.merged_into_id, p.id)::text as person_id, c.name, c.code,
      s.key as short_key, g.slug as page_slug,
      extract(epoch from app_now() - coalesce(m.sent_at, r.mailed_at))::float8 as seconds_since,
      (select count(*)::int from campaign_clicks k where k.campaign_id = r.campaign_id and k.recipient_id = r.id
        and k.at > app_now() - interval '1 second') as clicks_now,
      (select count(*)::int from campaign_clicks k where k.campaign_id = r.campaign_id and k.recipient_id = r.id) as clicks
    from campaign_recipients r join campaigns c on c.customer_id = r.customer_id and c.id = r.campaign_id
    left join people p on p.customer_id = r.customer_id and p.id = r.person_id
    left join outbox_mails m on m.customer_id = r.customer_id and m.id = r.mail_id
    left join short_urls s on s.customer_id = c.customer_id and s.id = c.short_url_id
    left join promo_pages g on g.customer_id = c.customer_id and g.id = c.page_id
    where r.link_key = ${key}`.execute(db)
  return rows[0] ?? null
}

type Vehicle = { id: string; path: string }

/** Its path has the name of a vehicle that buyers can see, and of no other. */
async function findVehicle(db: Database, customerId: string, id: string): Promise<Vehicle | null> {
  if (!/^\d{1,18}$/.test(id)) return null
  const { rows } = await sql<Omit<Parameters<typeof vehiclePath>[0], 'id'> & { id: string }>`
    select id::text, year, make, model, trim from vehicles where id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) return null
  const isPublished = (await readPublished(db, customerId, [id])).length > 0
  return { id: found.id, path: isPublished ? vehiclePath(found) : unnamedPath(found.id) }
}

function targetOf({ code, shortKey, pageSlug }: LinkOwner, vehicle: Vehicle | null): string {
  const preset = { utm_source: CAMPAIGN_UTM.source, utm_medium: CAMPAIGN_UTM.medium, utm_campaign: code }
  const opened = new URLSearchParams()
  if (vehicle !== null) return withParameters(vehicle.path, { preset, opened })
  if (shortKey !== null) return `/s/${shortKey}`
  return withParameters(pageSlug === null ? '/' : `/p/${pageSlug}`, { preset, opened })
}

/** What opened the link: the answer to it is the same for everyone. */
async function noteClick(
  db: Database,
  { request }: SiteRequest,
  found: LinkOwner,
  vehicleId: string | null,
): Promise<void> {
  if (found.clicks >= MAX_CLICKS) return
  const { kind, evidence } = kindOf(request, found)
  await sql`insert into campaign_clicks (campaign_id, organization_id, recipient_id, vehicle_id, kind, evidence)
    values (${found.campaignId}, ${found.organizationId}, ${found.id}, ${vehicleId}, ${kind}, ${evidence})`.execute(
    db,
  )
}

function kindOf(
  request: SiteRequest['request'],
  { secondsSince, clicksNow }: LinkOwner,
): { kind: 'person' | 'suspect' | 'bot'; evidence: 'scanner' | 'program' | 'burst' | 'early' | null } {
  const kind = classifyClick(request, { toOwnPage: false })
  if (kind === 'bot') return { kind, evidence: 'program' }
  if (clicksNow > 0) return { kind: 'bot', evidence: 'burst' }
  const isEarly = secondsSince !== null && secondsSince < EARLY_SECONDS
  if (isEarly)
    return kind === 'person' ? { kind: 'suspect', evidence: 'early' } : { kind: 'bot', evidence: 'scanner' }
  return { kind, evidence: null }
}

/** Which emails someone wants. */
type Wishes = Readonly<{ marketing: boolean; inquiry: boolean }>

async function readWishes(db: Database, { personId }: LinkOwner): Promise<Wishes> {
  const { rows } = await sql<{ purpose: string; kind: string }>`
    select distinct on (e.purpose) e.purpose, e.kind from consent_events e
    where e.person_id in (select x.id from people x where x.id = ${personId} or x.merged_into_id = ${personId})
      and e.channel = 'email' and (e.purpose = 'marketing' or e.purpose = 'inquiry' and e.kind <> 'declined')
    order by e.purpose, e.at desc, e.id desc`.execute(db)
  const of = (purpose: string) => rows.find((row) => row.purpose === purpose)?.kind
  return { marketing: of('marketing') === 'given', inquiry: of('inquiry') !== 'revoked' }
}

/** One click, of the button or of the email program (RFC 8058), ends offers. The form of the page says each purpose. */
function wantedOf(body: unknown): Partial<Wishes> {
  if (!(body instanceof URLSearchParams) || body.get('form') !== 'wishes') return { marketing: false }
  return { marketing: body.get('marketing') === 'yes', inquiry: body.get('inquiry') === 'yes' }
}

const WHAT = { marketing: 'Offers and news by email', inquiry: 'Answers to inquiries by email' } as const

/** Only what changes is noted. */
async function saveWishes(db: Database, found: LinkOwner, wants: Partial<Wishes>): Promise<void> {
  const { personId, organizationId, campaignId, id, name } = found
  if (wants.marketing === false)
    await sql`update campaign_recipients set unsubscribed_at = coalesce(unsubscribed_at, app_now())
      where campaign_id = ${campaignId} and id = ${id}`.execute(db)
  if (personId === null) return
  const before = await readWishes(db, found)
  for (const purpose of ['marketing', 'inquiry'] as const) {
    const wanted = wants[purpose]
    // An unsubscribe counts even if there was no consent, so that the address stays out.
    if (wanted === undefined || (wanted === before[purpose] && wanted)) continue
    if (purpose === 'inquiry' && wanted === before.inquiry) continue
    const kind = wanted ? 'given' : 'revoked'
    const text = `${WHAT[purpose]}: ${wanted ? 'wanted' : 'not wanted'}. Said on the unsubscribe page of the campaign “${name}”.`
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await noteConsents(db, { personId, organizationId, leadId: null }, [
      { kind, purpose, channels: ['email'], text },
    ])
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await noteOnOpenLeads(
      db,
      { personId, organizationId },
      { kind: 'consent', data: { consent: kind, channels: ['email'], text } },
    )
  }
}

function wishesPage({ site }: SiteRequest, key: string, { marketing, inquiry }: Wishes) {
  const box = (name: keyof Wishes, isOn: boolean) =>
    html`<p>
      <label
        ><input type="checkbox" name="${name}" value="yes" ${isOn && html`checked`} /> ${WHAT[name]}</label
      >
    </p>`
  return messagePage({
    title: marketing ? 'Unsubscribe?' : 'You get no offers',
    text: marketing
      ? `${site.title} sends you offers and news by email. Nothing changes until you press the button.`
      : `${site.title} sends you no offers and news by email.`,
    link: null,
    more: html`${
        marketing &&
        html`<form method="post" action="/u/${key}">
          <p><button class="button" name="form" value="unsubscribe">Unsubscribe</button></p>
        </form>`
      }
      <form method="post" action="/u/${key}">
        <h2>What you get from ${site.title}</h2>
        ${box('marketing', marketing)} ${box('inquiry', inquiry)}
        <p><button class="button" name="form" value="wishes">Save</button></p>
      </form>`,
  })
}

function donePage({ site }: SiteRequest, wants: Partial<Wishes>) {
  const isOut = wants.marketing === false
  return messagePage({
    title: isOut ? 'You are unsubscribed' : 'Saved',
    text: isOut
      ? `${site.title} sends you no more offers and news by email. An email that is on its way may still arrive.`
      : `${site.title} keeps to what you chose.`,
  })
}
