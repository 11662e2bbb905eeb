import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { EVERYONE } from '#contract/marketing/campaigns/audience.ts'
import {
  type Campaign,
  CAMPAIGN_UTM,
  campaignRecord,
  type campaigns,
  PACE_FIELDS,
} from '#contract/marketing/campaigns/campaigns.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { holdRecords } from '#server/database/hold-records.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, refused, stale } from '#server/http/failure.ts'
import { requirePermission } from '#server/http/require-permission.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { DnsResolver } from '#server/outside/dns-resolver.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { addShortUrl } from '../short-urls/short-url-table.ts'
import { campaignTable } from './campaign-table.ts'
import { checkCampaign, firstFailure } from './check-campaign.ts'
import { checkSender, readSender } from './check-sender.ts'
import { composeFor, type ComposeParts, readContent } from './compose-campaign.ts'
import { readFunnel } from './campaign-funnel.ts'
import { countAudience, readAudience } from './read-audience.ts'
import { countRecipients, takeBack } from './recipients.ts'

export type CampaignParts = ComposeParts &
  Readonly<{
    outbox: Pick<Outbox, 'isSending'>
    names: DnsResolver
    /** The sender of the installation's mail server; null without one. */
    installationSender: string | null
  }>

/** Campaigns of the caller's organizations. */
export const campaignHandlers = (jobs: StartJobs, parts: CampaignParts): Handlers<typeof campaigns> => ({
  ...campaignTable.handlers,
  ...campaignTable.removing(jobs),
  ...stepHandlers(parts),
  ...viewHandlers(parts),

  async add({ db, input }) {
    await requireReferences(db, input)
    return addCampaign(db, input)
  },

  async update(call) {
    const { db, input } = call
    const current = await campaignTable.read(db, input.id)
    const sent = campaignRecord.changes.parse(input)
    refuseChanged(current, sent)
    await requireReferences(db, { ...sent, lotId: sent.lotId ?? current.lotId })
    return campaignTable.handlers.update(call)
  },
})

/** What a campaign does next. */
const stepHandlers = (
  parts: CampaignParts,
): Pick<Handlers<typeof campaigns>, 'schedule' | 'pause' | 'resume' | 'stop'> => ({
  async schedule({ actor, input, inTenant, inTenantOnce }) {
    const before = await inTenant((db) => campaignTable.read(db, input.id))
    const domain = await checkSender(await inTenant((db) => readSender(db, before, parts)), parts.names)
    return inTenantOnce(async (db) => {
      const campaign = await lock(db, input)
      if (campaign.state !== 'draft') throw conflict(`This campaign is ${campaign.state} already.`)
      const content = await readContent(db, await parts.readSite(actor.customerId), campaign, parts)
      const failure = firstFailure([...(await checkCampaign(db, content, parts.outbox.isSending)), ...domain])
      if (failure !== null) throw conflict(failure)
      const shortUrlId = await makeShortUrl(db, campaign)
      await sql`update campaigns set state = 'scheduled', reason = null, short_url_id = ${shortUrlId}, scheduled_at = app_now(),
          scheduled_by = ${actor.fullName},
          starts_at = greatest(app_now(), (coalesce(send_on, '-infinity'::date) + send_at::time) at time zone ${campaign.lotZone})
        where id = ${campaign.id}`.execute(db)
      return campaignTable.read(db, campaign.id)
    })
  },

  async pause({ db, input }) {
    const campaign = await lock(db, input)
    if (campaign.state === 'scheduled') return move(db, campaign, 'draft')
    if (campaign.state !== 'sending') throw conflict("This campaign isn't sending.")
    await takeBack(db, campaign.id)
    return move(db, campaign, 'paused')
  },

  async resume({ db, input }) {
    const campaign = await lock(db, input)
    if (campaign.state !== 'paused') throw conflict("This campaign isn't paused.")
    return move(db, campaign, campaign.startedAt === null ? 'scheduled' : 'sending')
  },

  async stop({ db, input }) {
    const campaign = await lock(db, input)
    if (!['scheduled', 'sending', 'paused'].includes(campaign.state))
      throw conflict('This campaign is over, or a draft.')
    await takeBack(db, campaign.id)
    await sql`update campaign_recipients set state = 'left-out', reason = 'stopped'
      where campaign_id = ${campaign.id} and state = 'queued'`.execute(db)
    return move(db, campaign, 'stopped')
  },
})

/** What users see of a campaign. */
const viewHandlers = (
  parts: CampaignParts,
): Pick<
  Handlers<typeof campaigns>,
  'countAudience' | 'people' | 'preview' | 'checks' | 'recipientCounts' | 'funnel'
> => ({
  async countAudience({ db, input: { lotId, audience } }) {
    const { organizationId } = await readLot(db, lotId)
    return countAudience(await readAudience(db, { organizationId, audience }))
  },

  async people({ db, input: { id, search = '' } }) {
    const campaign = await campaignTable.read(db, id)
    const words = search.trim().toLowerCase()
    const members = await readAudience(db, campaign)
    return members
      .flatMap(({ personId, name, email, reason }) =>
        reason === null && email !== null && `${name ?? ''} ${email}`.toLowerCase().includes(words)
          ? [{ id: personId, name, email }]
          : [],
      )
      .slice(0, MOST_PEOPLE)
  },

  async preview({ db, actor, input: { id, personId } }) {
    // It names them.
    if (personId !== null) requirePermission(actor, can(Func.leads, Opr.list))
    const campaign = await campaignTable.read(db, id)
    const content = await readContent(db, await parts.readSite(actor.customerId), campaign, parts)
    const [person] =
      personId === null
        ? []
        : await readAudience(db, {
            organizationId: campaign.organizationId,
            audience: campaign.audience,
            personIds: [personId],
          })
    const { subject, html, text } = composeFor(content, {
      firstName: person?.firstName ?? null,
      linkKey: null,
    })
    return {
      subject,
      html,
      text,
      without: [...content.without],
      facts: person === undefined ? [] : factsOf(person, await readConsent(db, person.personId)),
    }
  },

  async checks({ actor, input, inTenant }) {
    const site = await parts.readSite(actor.customerId)
    const { checks, sender } = await inTenant(async (db) => {
      const campaign = await campaignTable.read(db, input.id)
      const content = await readContent(db, site, campaign, parts)
      return {
        checks: await checkCampaign(db, content, parts.outbox.isSending),
        sender: await readSender(db, campaign, parts),
      }
    })
    return [...checks, ...(await checkSender(sender, parts.names))]
  },

  async recipientCounts({ db, input }) {
    return countRecipients(db, (await campaignTable.read(db, input.id)).id)
  },

  async funnel({ db, input }) {
    return readFunnel(db, await campaignTable.read(db, input.id))
  },
})

const MOST_PEOPLE = 20

type New = Received<typeof campaigns.add>

/** Adds a draft. Its code follows from its name. @throws Failure 409 with the fields that are wrong */
export async function addCampaign(db: Database, input: New): Promise<Campaign> {
  const code = await freeCode(db, input.name)
  const row = { ...input, audience: input.audience ?? EVERYONE, code }
  return campaignTable.add(db, row)
}

/** `November truck clearance` is november-truck-clearance, with a number if another campaign or short URL has it. */
async function freeCode(db: Database, name: string): Promise<string> {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 34)
    .replace(/-+$/, '')
  const base = plain.length < 2 ? 'campaign' : plain
  const { rows } = await sql<{ code: string }>`
    select code from campaigns where code = ${base} or code like ${`${base}-%`}
    union select key from short_urls where key = ${base} or key like ${`${base}-%`}`.execute(db)
  const taken = new Set(rows.map(({ code }) => code))
  if (!taken.has(base)) return base
  for (let number = 2; ; number += 1) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}

/** @throws Failure 404, or 409 with the current campaign if the version is outdated */
async function lock(db: Database, { id, version }: Received<typeof campaigns.pause>): Promise<Campaign> {
  await sql`select from campaigns where id = ${id} for update`.execute(db)
  const campaign = await campaignTable.read(db, id)
  if (version !== undefined && version !== campaign.version) throw stale('This campaign', campaign)
  return campaign
}

async function move(db: Database, { id }: Campaign, state: Campaign['state']): Promise<Campaign> {
  await sql`update campaigns set state = ${state}, reason = null,
      starts_at = case when ${state} = 'draft' then null when ${state} = 'scheduled' then app_now() else starts_at end,
      ended_at = case when ${state} = 'stopped' then app_now() end
    where id = ${id}`.execute(db)
  return campaignTable.read(db, id)
}

/** @throws Failure 409 for a field that can't be changed anymore */
function refuseChanged(current: Campaign, input: object): void {
  const { state } = current
  if (state === 'draft') return
  const now: Readonly<Record<string, unknown>> = { ...current }
  const changed = Object.entries(input).filter(
    ([name, value]) =>
      value !== undefined &&
      name !== 'id' &&
      name !== 'version' &&
      JSON.stringify(value) !== JSON.stringify(now[name] ?? null),
  )
  const paced: readonly string[] = PACE_FIELDS
  if (changed.every(([name]) => name === 'name')) return
  if (state === 'paused' && changed.every(([name]) => paced.includes(name))) return
  throw conflict(
    state === 'paused'
      ? 'While it is paused, only the pace, the days and the times can be changed.'
      : `This campaign is ${state}, so it can't be changed. ${state === 'scheduled' || state === 'sending' ? 'Pause it first.' : 'Add a new one.'}`,
  )
}

type References = Partial<
  Pick<New, 'lotId' | 'handlerId' | 'pageId' | 'vehicleIds' | 'audience' | 'windowFrom' | 'windowTo'>
>

/** @throws Failure 400 for a record that the caller can't reach */
async function requireReferences(db: Database, input: References): Promise<void> {
  const { lotId = '', handlerId = null, pageId = null, vehicleIds = [], audience } = input
  const lots = [...new Set([lotId, ...(audience?.lotIds ?? [])])]
  await holdRecords(db, 'lots', lots)
  await holdRecords(db, 'vehicles', vehicleIds)
  const { rows } = await sql<{
    lots: string[]
    organizations: number
    hasHandler: boolean
    hasPage: boolean
    lists: number
    vehicles: number
  }>`
    select array(select id::text from lots where id = any(${lots}::bigint[])) as lots,
      (select count(distinct organization_id)::int from lots where id = any(${lots}::bigint[])) as organizations,
      exists (select from email_handlers where id = ${handlerId}) as has_handler,
      exists (select from promo_pages where id = ${pageId}) as has_page,
      (select count(*)::int from imported_lists where id = any(${audience?.listIds ?? []}::bigint[])
        and organization_id = (select l.organization_id from lots l where l.id = ${lotId})) as lists,
      (select count(*)::int from vehicles where id = any(${[...vehicleIds]}::bigint[])) as vehicles`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) return
  const wrong = {
    ...(!found.lots.includes(lotId) && { lotId: 'Choose a lot that exists.' }),
    ...((found.lots.length < lots.length || found.organizations > 1) && {
      audience: 'Choose lots of the same organization: its buyers agreed to emails from it.',
    }),
    ...(found.lists < new Set(audience?.listIds).size && {
      audience: 'Choose lists of the same organization: its people agreed to emails from it.',
    }),
    ...(handlerId !== null && !found.hasHandler && { handlerId: 'Choose an email handler that exists.' }),
    ...(pageId !== null && !found.hasPage && { pageId: 'Choose a promo page that exists.' }),
    ...(found.vehicles < new Set(vehicleIds).size && { vehicleIds: 'Choose vehicles that exist.' }),
  }
  if (Object.keys(wrong).length > 0) throw refused('Some fields are invalid.', wrong)
}

async function readLot(db: Database, id: string): Promise<{ organizationId: string }> {
  const { rows } = await sql<{
    organizationId: string
  }>`select organization_id::text from lots where id = ${id}`.execute(db)
  const [lot] = rows
  if (lot === undefined) throw refused('Some fields are invalid.', { lotId: 'Choose a lot that exists.' })
  return lot
}

/** The short URL that the button opens, with the parameters of the campaign. It is made once. */
export async function makeShortUrl(db: Database, campaign: Campaign): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select s.id::text from campaigns c join short_urls s on s.customer_id = c.customer_id and s.id = c.short_url_id
    where c.id = ${campaign.id} and s.page_id = ${campaign.pageId}`.execute(db)
  if (rows[0] !== undefined) return rows[0].id
  const { rows: taken } = await sql`select from short_urls where key = ${campaign.code}`.execute(db)
  const { id } = await addShortUrl(db, {
    name: `Campaign: ${campaign.name}`.slice(0, 100),
    ...(taken.length === 0 && { key: campaign.code }),
    target: 'page',
    pageId: campaign.pageId,
    utmSource: CAMPAIGN_UTM.source,
    utmMedium: CAMPAIGN_UTM.medium,
    utmCampaign: campaign.code,
    tags: ['campaign'],
  })
  await sql`update short_urls set organization_id = ${campaign.organizationId} where id = ${id}`.execute(db)
  return id
}

/** The consent to offers by email that counts: of an imported list, its source and date. */
async function readConsent(db: Database, personId: string): Promise<string> {
  const { rows } = await sql<{ consent: string }>`
    select 'Agreed to marketing emails on ' || to_char(e.at, 'Mon FMDD, YYYY') || ': ' || e.text as consent
    from people p join consent_events e on e.customer_id = p.customer_id and e.person_id = p.id
    where (p.id = ${personId} or p.merged_into_id = ${personId}) and e.kind = 'given' and e.purpose = 'marketing' and e.channel = 'email'
    order by e.at desc, e.id desc limit 1`.execute(db)
  return rows[0]?.consent ?? 'Agreed to marketing emails'
}

function factsOf(
  { email, reason }: { email: string | null; reason: string | null },
  consent: string,
): string[] {
  if (reason !== null) return [`This person isn't mailed: ${REASONS[reason] ?? reason}.`]
  return [`Goes to ${email ?? ''}`, consent, "The address isn't suppressed"]
}

const REASONS: Readonly<Record<string, string>> = {
  email: 'there is no email address',
  placeholder: "the email address isn't a real one",
  suppressed: 'the address is suppressed',
  consent: 'there is no consent to marketing emails',
  declined: 'they declined marketing emails',
  revoked: 'they withdrew consent',
  duplicate: 'someone else has the same address',
}
