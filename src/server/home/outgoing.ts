import { sql, type RawBuilder } from 'kysely'
import {
  type OutgoingBegun,
  type OutgoingKind,
  OUTGOING_KINDS,
  type OutgoingWork,
  type outgoing,
} from '#contract/home/outgoing.ts'
import type { Received } from '#contract/endpoint.ts'
import { actAs, type AsOwner, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { noteEvent, refuseWhileImpersonating } from '#server/identity/index.ts'
import { isCopy } from '#server/installation/copy-state.ts'
import { nextBySchedule, systemScope } from '#server/queue/due-items.ts'

const NOT_SENT = 'Not sent: discarded after this installation was restored from a backup.'

/** From the backup, so that the original may have sent it since. */
const isOld = (alias: string): RawBuilder<boolean> =>
  sql`${sql.ref(`${alias}.created_at`)} <= (select restored_at from iam.installation)`
/** Emails that carry a lead to a destination. Each is as old as its delivery. */
const leadMails = sql`outbox_mails m join lead_deliveries d on d.customer_id = m.customer_id and d.mail_id = m.id
  and m.state = 'waiting'`
const isOfLead = sql<boolean>`exists (select from lead_deliveries x where x.customer_id = m.customer_id and x.mail_id = m.id)`
/** Deliveries that are in no email yet. */
const isWaiting = sql<boolean>`d.state in ('queued', 'sending') and d.mail_id is null`

/**
 * What waits in a restored copy, and its end, for platform staff.
 * @param onBegin called when what waits may leave.
 */
export function outgoingHandlers(asOwner: AsOwner, onBegin: () => void): Handlers<typeof outgoing> {
  return {
    async get({ db }) {
      // Usually there is nothing to count.
      return (await isCopy(db)) ? asOwner(readOutgoing) : { restoredAt: null, waiting: [] }
    },
    async begin({ actor, input }) {
      refuseWhileImpersonating(actor)
      const begun = await asOwner((db) => beginOutgoing(db, input, actor))
      if (begun === null) throw conflict('This is the real installation already. Nothing waits.')
      onBegin()
      return begun
    },
  }
}

/** @param db of the owner, who sees every customer. */
export async function readOutgoing(db: Database): Promise<OutgoingWork> {
  const installation = await sql<{
    restoredAt: string | null
  }>`select restored_at from iam.installation`.execute(db)
  const restoredAt = installation.rows[0]?.restoredAt ?? null
  if (restoredAt === null) return { restoredAt: null, waiting: [] }
  const { rows } = await sql<{
    kind: OutgoingKind
    due: number
    discardable: number
    oldestAt: string | null
    nextAt: string | null
  }>`
    select w.kind, count(*) filter (where w.at <= app_now())::int as due, count(*) filter (where w.is_discardable)::int as discardable,
      min(w.at) filter (where w.at <= app_now()) as oldest_at, min(w.at) filter (where w.at > app_now()) as next_at
    from (
      select case when m.is_reminder then 'reminders' else 'emails' end as kind, m.customer_id,
        m.next_attempt_at as at, ${isOld('m')} as is_discardable
      from outbox_mails m where m.state = 'waiting' and not ${isOfLead}
      union all
      select 'leads', m.customer_id, m.next_attempt_at, ${isOld('d')} from ${leadMails}
      union all
      select 'leads', d.customer_id, d.next_attempt_at, ${isOld('d')} from lead_deliveries d where ${isWaiting}
      union all
      select 'channels', s.customer_id, s.next_run_at, s.next_run_at <= app_now() from channel_states s
      join channels ch on ch.customer_id = s.customer_id and ch.id = s.channel_id
      where ch.destination <> 'pull' and s.next_run_at is not null
      union all
      select 'feeds', s.customer_id, s.next_run_at, s.next_run_at <= app_now() from feed_source_states s
      where s.next_run_at is not null
    ) w join customers c on c.id = w.customer_id and c.status = 'active' group by w.kind`.execute(db)
  const byKind = new Map(rows.map((row) => [row.kind, row]))
  return {
    restoredAt,
    waiting: OUTGOING_KINDS.map(({ value: kind }) => {
      const { due = 0, discardable = 0, oldestAt = null, nextAt = null } = byKind.get(kind) ?? {}
      return { kind, due, discardable, oldestAt, nextAt }
    }),
  }
}

/**
 * Declares a copy the real installation, in the owner's transaction.
 * @param actor who does it; null for an operator in a terminal.
 * @returns null if it is the real one already.
 */
export async function beginOutgoing(
  db: Database,
  { discards }: Received<typeof outgoing.begin>,
  actor: Member | null,
): Promise<OutgoingBegun | null> {
  const { rows } = await sql<{ platformId: string | null }>`
    select (select id::text from customers where is_platform) as platform_id from iam.installation
    where restored_at is not null for update`.execute(db)
  const [copy] = rows
  if (copy === undefined) return null
  await actAs(db, {
    ...systemScope('', 'outgoing.begin'),
    actorUserId: actor?.userId ?? null,
    actorName: actor?.fullName ?? null,
    origin: actor?.origin,
  })
  const discarded: OutgoingBegun['discarded'] = []
  for (const { value: kind } of OUTGOING_KINDS) {
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    if (discards.includes(kind)) discarded.push({ kind, count: await DISCARD[kind](db) })
  }
  await sql`update iam.installation set restored_at = null`.execute(db)
  const done = { discarded }
  // An installation that was never set up has no log.
  if (copy.platformId === null) return done
  await noteEvent(db, {
    customerId: copy.platformId,
    by: actor,
    endpoint: 'outgoing.begin',
    table: 'installation',
    rowId: '1',
    what: 'declared this restored copy the real installation',
    more: { discarded: Object.fromEntries(discarded.map(({ kind, count }) => [kind, count])) },
  })
  return done
}

/** How each kind is discarded. @returns how many. */
const DISCARD: Record<OutgoingKind, (db: Database) => Promise<number>> = {
  async leads(db) {
    // The order in which the mailer locks them. What one destination didn't get goes to no other.
    const mails = await sql<{ id: string }>`
      update outbox_mails k set state = 'kept', next_attempt_at = null, error = ${NOT_SENT}
      from ${leadMails} where ${isOld('d')} and k.customer_id = m.customer_id and k.id = m.id returning k.id`.execute(
      db,
    )
    await sql`update lead_deliveries set response = ${NOT_SENT}, next_destination_ids = '{}'
      where mail_id = any(${mails.rows.map(({ id }) => id)}::bigint[])`.execute(db)
    const { numAffectedRows = 0n } = await sql`
      update lead_deliveries d set state = case when d.state = 'sending' or d.doubts > 0 then 'in-doubt' else 'failed' end,
        response = ${NOT_SENT}, next_destination_ids = '{}', next_attempt_at = null, finished_at = app_now(), is_settled = false,
        lease = null, leased_until = null
      where ${isWaiting} and ${isOld('d')}`.execute(db)
    return mails.rows.length + Number(numAffectedRows)
  },
  emails: (db) => keepMails(db, sql`not m.is_reminder`),
  reminders: (db) => keepMails(db, sql`m.is_reminder`),
  channels: (db) =>
    skipRuns(db, {
      states: 'channel_states',
      of: 'channels',
      key: 'channel_id',
      only: sql`o.destination <> 'pull'`,
    }),
  feeds: (db) =>
    skipRuns(db, { states: 'feed_source_states', of: 'feed_sources', key: 'source_id', only: sql`true` }),
}

async function keepMails(db: Database, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update outbox_mails m set state = 'kept', next_attempt_at = null, error = ${NOT_SENT}
    where m.state = 'waiting' and ${isOld('m')} and ${which} and not ${isOfLead}`.execute(db)
  return Number(numAffectedRows)
}

/** Channels and sources that are late wait for their next scheduled time. */
async function skipRuns(
  db: Database,
  { states, of, key, only }: { states: string; of: string; key: string; only: RawBuilder<unknown> },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(states)} s set next_run_at = ${nextBySchedule('o')}, requested_by = null, failures = 0
    from ${sql.table(of)} o join customers c on c.id = o.customer_id
    where o.customer_id = s.customer_id and o.id = ${sql.ref(`s.${key}`)} and s.next_run_at <= app_now() and ${only}`.execute(
    db,
  )
  return Number(numAffectedRows)
}
