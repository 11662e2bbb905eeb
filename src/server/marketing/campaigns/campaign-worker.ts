import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { Campaign, CampaignReason } from '#contract/marketing/campaigns/campaigns.ts'
import type { DB } from '#server/database/schema.ts'
import { type Database, inTenant } from '#server/database/tenant-transaction.ts'
import { isCopy } from '#server/installation/copy-state.ts'
import type { Outbox } from '#server/mail/index.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { claim, isHeld, type LeaseTable } from '#server/queue/lease.ts'
import { campaignTable } from './campaign-table.ts'
import { type CampaignContent, composeFor, type ComposeParts, readContent } from './compose-campaign.ts'
import { type AudienceMember, readAudience } from './read-audience.ts'
import { lastConsent, recipientsOf, takeBack } from './recipients.ts'

const CAMPAIGNS: LeaseTable = {
  table: 'campaign_states',
  keys: ['customer_id', 'campaign_id'],
  attempts: 'failures',
  seconds: 60,
  isSent: true,
  waitsInCopy: true,
}
/** Put into the outbox in one transaction. */
const MAX_BATCH = 50
/** While this number of emails of a campaign wait for the mail server, no more are added: what was withdrawn meanwhile isn't sent. */
const MOST_WAITING = 100
/** A campaign that should have begun longer ago asks first. */
const MISSED_MINUTES = 60
/** A new domain sends as many on its first day, and twice as many on each later one. */
const FIRST_DAY = 200
/** Seconds until a campaign looks again that has to wait for its last emails, or for the mail server. */
const LOOK_AGAIN = 30
/** Fewer don't say anything. */
const ENOUGH_SENT = 100
const MOST_BOUNCED = 0.05
const MOST_COMPLAINED = 0.003
const ENOUGH_COMPLAINTS = 2

type Lease = { customerId: string; id: string; lease: string }

export type CampaignWorkerParts = ComposeParts &
  Readonly<{
    pool: pg.Pool
    queue: Kysely<DB>
    put: Outbox['put']
    onError: (error: unknown) => void
  }>

/**
 * Sends campaigns: at their time, in their window and at their pace. Safe to call at any time and on several servers. A lease gives each
 * campaign to one server; each turn is one transaction, which moves recipients and puts their emails into the outbox, so that a kill
 * neither loses nor doubles one. The outbox sends each of them once.
 */
export function makeCampaignWorker(parts: CampaignWorkerParts) {
  const within = <T>(customerId: string, act: (db: Database) => Promise<T>): Promise<T> =>
    inTenant(parts.pool, systemScope(customerId, 'campaigns.send'), act)
  let isStopping = false
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    if (await isCopy(parts.queue)) return holdInCopy(parts.queue, within)
    for (let next = await claimNext(parts.queue); next !== null; next = await claimNext(parts.queue)) {
      const lease = next
      // oxlint-disable-next-line no-await-in-loop -- One campaign at a time.
      await takeTurn(lease).catch(async (error: unknown) => {
        parts.onError(error)
        await within(lease.customerId, (db) => endTurn(db, lease, LOOK_AGAIN * 2))
      })
      if (isStopping) return
    }
  }

  async function takeTurn(lease: Lease): Promise<void> {
    const site = await parts.readSite(lease.customerId)
    await within(lease.customerId, async (db) => {
      await sql`select from campaigns where id = ${lease.id} for update`.execute(db)
      const { rows } =
        await sql`select from campaign_states where ${isHeld(CAMPAIGNS, { key: [lease.customerId, lease.id], lease: lease.lease })} for update`.execute(
          db,
        )
      if (rows.length === 0) return
      const campaign = await campaignTable.read(db, lease.id)
      if (campaign.state === 'scheduled') await begin(db, campaign)
      const wait = campaign.state === 'sending' ? await sendSome(db, site, campaign) : null
      await endTurn(db, lease, wait)
    })
  }

  async function sendSome(
    db: Database,
    site: CampaignContent['site'],
    campaign: Campaign,
  ): Promise<number | null> {
    const reason = await readReasonToStop(db, campaign.id)
    if (reason !== null) return stopItself(db, campaign.id, reason)
    const pace = await readPace(db, campaign)
    if (pace.secondsToWindow > 0) {
      await deferToWindow(db, campaign.id, pace.secondsToWindow)
      return pace.secondsToWindow
    }
    if (pace.queued === 0) return pace.waiting === 0 ? finish(db, campaign.id) : LOOK_AGAIN
    if (pace.waiting >= MOST_WAITING) return LOOK_AGAIN
    if (pace.left === 0) return pace.secondsToMidnight
    const content = await readContent(db, site, campaign, parts)
    if (campaign.vehicleIds.length > 0 && content.vehicles.length === 0)
      return stopItself(db, campaign.id, 'vehicles')
    const batch = Math.max(1, Math.min(MAX_BATCH, Math.floor(campaign.perHour / 60), pace.left))
    await sendBatch(db, content, batch, parts.put)
    return Math.max(1, Math.round((batch * 3_600) / campaign.perHour))
  }

  return {
    async workDue(): Promise<void> {
      working ??= work().finally(() => {
        working = null
      })
      await working
    },
    /** Works in the background, and notes what fails. */
    look(): void {
      void this.workDue().catch(parts.onError)
    },
    /** Ends after the turn that runs now. */
    async stop(): Promise<void> {
      isStopping = true
      await working?.catch(() => {})
    },
  }
}

async function claimNext(queue: Kysely<DB>): Promise<Lease | null> {
  return claim<Lease>(
    queue,
    CAMPAIGNS,
    { where: sql`d.next_at <= app_clock_timestamp()`, orderBy: sql`d.next_at, d.customer_id, d.campaign_id` },
    { returning: sql`t.customer_id::text, t.campaign_id::text as id, t.lease` },
  )
}

/** @param wait seconds until the next turn; null: what the state of the campaign asks for */
async function endTurn(db: Database, { customerId, id, lease }: Lease, wait: number | null): Promise<void> {
  const next =
    wait === null
      ? sql`(select case c.state when 'scheduled' then c.starts_at when 'sending' then app_clock_timestamp() end from campaigns c where c.id = ${id})`
      : sql`app_clock_timestamp() + ${wait} * interval '1 second'`
  await sql`update campaign_states set next_at = ${next}, lease = null, leased_until = null, failures = 0
    where ${isHeld(CAMPAIGNS, { key: [customerId, id], lease })}`.execute(db)
}

/** A restored copy asks before it goes on: what it knows of sent emails is from the time of the backup. */
async function holdInCopy(
  queue: Kysely<DB>,
  within: <T>(customerId: string, work: (db: Database) => Promise<T>) => Promise<T>,
): Promise<void> {
  const { rows } = await sql<{ customerId: string; id: string }>`
    select customer_id::text, campaign_id::text as id from campaign_states where next_at is not null`.execute(
    queue,
  )
  for (const { customerId, id } of rows)
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await within(customerId, async (db) => {
      await sql`update outbox_mails m set state = 'failed', in_doubt = true, next_attempt_at = null,
          error = 'It was waiting when the backup was made, and may have been sent since.'
        from campaign_recipients r where r.campaign_id = ${id} and m.customer_id = r.customer_id and m.id = r.mail_id and m.state = 'waiting'`.execute(
        db,
      )
      await sql`update campaigns set state = 'paused', reason = 'restored' where id = ${id} and state in ('scheduled', 'sending')`.execute(
        db,
      )
    })
}

/** Begins a campaign and puts its next emails into the outbox, without waiting for its time: for demo data. */
export async function sendCampaignNow(
  db: Database,
  of: Readonly<{ site: CampaignContent['site']; campaign: Campaign; most: number }>,
  parts: Pick<CampaignWorkerParts, 'secrets' | 'base' | 'put'>,
): Promise<void> {
  await begin(db, of.campaign)
  await sendBatch(db, await readContent(db, of.site, of.campaign, parts), of.most, parts.put)
}

/** Its time has come: everyone it is for has a row from now on. One that missed its time by an hour asks. */
async function begin(db: Database, campaign: Campaign): Promise<void> {
  const { rows } = await sql<{ isMissed: boolean }>`
    select starts_at < app_now() - ${MISSED_MINUTES} * interval '1 minute' as is_missed from campaigns where id = ${campaign.id}`.execute(
    db,
  )
  if (rows[0]?.isMissed) {
    await sql`update campaigns set state = 'paused', reason = 'missed' where id = ${campaign.id}`.execute(db)
    return
  }
  const members = (await readAudience(db, campaign)).filter(({ reason }) => reason === null)
  await sql`insert into campaign_recipients (campaign_id, organization_id, person_id, name, email)
    select ${campaign.id}, ${campaign.organizationId}, x.person_id, x.name, x.email
    from unnest(${members.map(({ personId }) => personId)}::bigint[], ${members.map(({ name }) => name)}::text[],
      ${members.map(({ email }) => email)}::text[]) x (person_id, name, email)
    order by x.person_id on conflict do nothing`.execute(db)
  await sql`update campaigns set state = 'sending', started_at = app_now() where id = ${campaign.id}`.execute(
    db,
  )
}

/** Emails that come back and complaints cost the reputation of the domain, of which everyone's answers to buyers depend. */
async function readReasonToStop(db: Database, id: string): Promise<CampaignReason | null> {
  const { rows } = await sql<{ sent: number; bounced: number; complained: number }>`
    select count(*) filter (where m.state = 'sent' or m.is_refused)::int as sent,
      count(*) filter (where m.outcome = 'bounced' or m.is_refused)::int as bounced,
      count(*) filter (where m.outcome = 'complained')::int as complained
    from ${recipientsOf(id)}`.execute(db)
  const { sent, bounced, complained } = rows[0] ?? { sent: 0, bounced: 0, complained: 0 }
  if (sent < ENOUGH_SENT) return null
  if (complained >= ENOUGH_COMPLAINTS && complained >= sent * MOST_COMPLAINED) return 'complaints'
  return bounced >= sent * MOST_BOUNCED ? 'bounces' : null
}

async function stopItself(db: Database, id: string, reason: CampaignReason): Promise<null> {
  await takeBack(db, id)
  await sql`update campaign_recipients set state = 'left-out', reason = 'stopped' where campaign_id = ${id} and state = 'queued'`.execute(
    db,
  )
  await sql`update campaigns set state = 'stopped', reason = ${reason}, ended_at = app_now() where id = ${id}`.execute(
    db,
  )
  return null
}

async function finish(db: Database, id: string): Promise<null> {
  await sql`update campaigns set state = 'finished', ended_at = app_now() where id = ${id}`.execute(db)
  return null
}

/** Emails that the mail server put off aren't tried again before the campaign may send. */
async function deferToWindow(db: Database, id: string, seconds: number): Promise<void> {
  await sql`update outbox_mails m set next_attempt_at = app_now() + ${seconds} * interval '1 second'
    from campaign_recipients r where r.campaign_id = ${id} and m.customer_id = r.customer_id and m.id = r.mail_id
      and m.state = 'waiting' and m.lease is null and m.attempts > 0
      and m.next_attempt_at < app_now() + ${seconds} * interval '1 second'`.execute(db)
}

type Pace = {
  /** Until its days and times allow to send; 0: now. */
  secondsToWindow: number
  secondsToMidnight: number
  queued: number
  /** In the outbox. */
  waiting: number
  /** How many may leave today. */
  left: number
}

async function readPace(db: Database, { id, lotZone, rampsUp }: Campaign): Promise<Pace> {
  const { rows } = await sql<Pace>`
    with t as (
      select c.*, app_now() at time zone ${lotZone} as now, (app_now() at time zone ${lotZone})::date as today,
        (c.started_at at time zone ${lotZone})::date as first_day from campaigns c where c.id = ${id}
    ), opens as (
      select min(greatest(d.day + t.window_from::time, t.now)) as at from t
      cross join lateral (select t.today + n as day from generate_series(0, 7) n) d
      where extract(isodow from d.day)::int = any(t.weekdays) and d.day + t.window_to::time > t.now
    )
    select ceil(extract(epoch from (opens.at at time zone ${lotZone}) - app_now()))::int as seconds_to_window,
      ceil(extract(epoch from ((t.today + 1)::timestamp at time zone ${lotZone}) - app_now()))::int as seconds_to_midnight,
      (select count(*)::int from campaign_recipients r where r.campaign_id = t.id and r.state = 'queued') as queued,
      (select count(*)::int from campaign_recipients r join outbox_mails m on m.customer_id = r.customer_id and m.id = r.mail_id
        where r.campaign_id = t.id and m.state = 'waiting') as waiting,
      case when ${rampsUp} then greatest(0, ${FIRST_DAY} * (2 ^ least(20, t.today - t.first_day))::int - (select count(*)::int
        from campaign_recipients r where r.campaign_id = t.id and (r.mailed_at at time zone ${lotZone})::date = t.today))
        else ${MAX_BATCH} end as left
    from t, opens`.execute(db)
  return rows[0] ?? { secondsToWindow: LOOK_AGAIN, secondsToMidnight: 0, queued: 0, waiting: 0, left: 0 }
}

/** `isTwice`: the same person is another recipient, who was mailed or comes first. */
type Queued = {
  id: string
  personId: string | null
  isMerged: boolean
  isTwice: boolean
  email: string
  linkKey: string
}

/** Puts the emails of the next recipients into the outbox. Who may not be mailed anymore is left out, with the reason. */
async function sendBatch(
  db: Database,
  content: CampaignContent,
  batch: number,
  put: Outbox['put'],
): Promise<void> {
  const { campaign, site } = content
  const { rows } = await sql<Queued>`
    select r.id::text, coalesce(p.merged_into_id, p.id)::text as person_id, coalesce(p.merged_into_id is not null, false) as is_merged,
      exists (select from people w join campaign_recipients o on o.customer_id = w.customer_id and o.person_id = w.id
        where w.customer_id = p.customer_id and (w.id = coalesce(p.merged_into_id, p.id) or w.merged_into_id = coalesce(p.merged_into_id, p.id))
          and o.campaign_id = r.campaign_id and o.id <> r.id and (o.state = 'mailed' or o.state = 'queued' and o.id < r.id)) as is_twice,
      r.email, r.link_key
    from campaign_recipients r left join people p on p.customer_id = r.customer_id and p.id = r.person_id
    where r.campaign_id = ${campaign.id} and r.state = 'queued' order by r.id limit ${batch} for update of r`.execute(
    db,
  )
  const members = await readAudience(db, {
    organizationId: campaign.organizationId,
    audience: campaign.audience,
    personIds: rows.flatMap(({ personId }) => personId ?? []),
  })
  const byPerson = new Map(members.map((member) => [member.personId, member]))
  const shown = content.vehicles.map(({ listing }) => ({
    id: listing.id,
    title: listing.title,
    cents: listing.price?.cents ?? 0,
  }))
  for (const { id, personId, linkKey, ...row } of rows) {
    const member = byPerson.get(personId ?? '')
    // Someone who was merged into another person is followed to them, with their address.
    const email = row.isMerged ? (member?.email ?? row.email) : row.email
    const reason = row.isTwice ? 'duplicate' : reasonNow(member, email)
    if (member === undefined || reason !== null) {
      // oxlint-disable-next-line no-await-in-loop -- One connection.
      await sql`update campaign_recipients set state = 'left-out', reason = ${reason}
        where campaign_id = ${campaign.id} and id = ${id}`.execute(db)
      continue
    }
    const { subject, html, text, unsubscribe } = composeFor(content, { firstName: member.firstName, linkKey })
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    const mailId = await put(db, {
      customerId: site.customerId,
      organizationId: campaign.organizationId,
      userId: null,
      toName: member.name ?? email,
      toEmail: email,
      subject,
      text,
      html,
      hasSecret: false,
      messageKey: randomUUID(),
      isOnce: true,
      isAboutBuyer: true,
      unsubscribeUrl: unsubscribe,
      ...(campaign.handlerId !== null && { chosenHandlerId: campaign.handlerId }),
    })
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await sql`update campaign_recipients r set state = 'mailed', email = ${email}, mail_id = ${mailId}, mailed_at = app_now(), vehicles = ${JSON.stringify(shown)},
        (consent_text, consent_at) = ${lastConsent('text, at')}
      where r.campaign_id = ${campaign.id} and r.id = ${id}`.execute(db)
  }
}

/** Why someone isn't mailed when their turn comes; null if they are. Duplicates were left out before. */
function reasonNow(member: AudienceMember | undefined, email: string): string | null {
  if (member === undefined) return 'gone'
  if (member.email?.toLowerCase() !== email.toLowerCase()) return 'email'
  return member.reason === 'duplicate' ? null : member.reason
}
