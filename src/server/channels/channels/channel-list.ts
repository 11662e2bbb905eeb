import { sql } from 'kysely'
import { CHANNEL_LIST } from '#contract/channels/channels/channel-list.ts'
import type { Channel, ChannelRow } from '#contract/channels/channels/channels.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, type PageOf, readPage } from '#server/lists/read-list.ts'
import type { Secrets } from '#server/secrets.ts'
import { fileKey, serverOf } from './channel-row.ts'
import { publicOrigin } from '../listings/listings.ts'

const column = (name: string) => ({ value: sql.ref(`h.${name}`) })

/** Channels with their next and last run; the vehicles are those of the last one that is over. A file for a download link is made available, not sent. */
const CHANNELS = sql`(select ch.*, s.next_run_at, s.host_key, s.host_key_of,
    case when r.state = 'sent' and ch.destination = 'pull' then 'available' else r.state end as last_state, coalesce(r.ended_at, r.started_at) as last_at, o.listed, o.excluded,
    case when r.state = 'running' then least(s.changed_at, r.changed_at) else s.changed_at end as waits_since,
    (select ceil(extract(epoch from max(d.ended_at - d.changed_at)))::int from channel_runs d
      where d.customer_id = ch.customer_id and d.channel_id = ch.id and d.state = 'sent') as slowest_seconds
  from channels ch left join channel_states s on s.customer_id = ch.customer_id and s.channel_id = ch.id
  left join lateral (select * from channel_runs l where l.customer_id = ch.customer_id and l.channel_id = ch.id
    order by l.id desc limit 1) r on true
  left join lateral (select l.listed, l.excluded from channel_runs l where l.customer_id = ch.customer_id and l.channel_id = ch.id
    and l.state <> 'running' order by l.id desc limit 1) o on true) h`

/** The customer's channels; not restricted by organization. */
export const channelSource: ListSource<keyof typeof CHANNEL_LIST.fields> = {
  list: CHANNEL_LIST,
  from: CHANNELS,
  within: (actor) => sql`h.customer_id = ${actor.customerId}`,
  id: sql`h.id`,
  title: sql`h.name`,
  fields: {
    name: { ...column('name'), order: sql`h.name_key`, isNeverNull: true },
    kind: column('kind'),
    destination: column('destination'),
    isActive: column('is_active'),
    lastState: column('last_state'),
    listed: column('listed'),
    excluded: column('excluded'),
    nextRunAt: column('next_run_at'),
    slowestSeconds: column('slowest_seconds'),
    waitsSince: column('waits_since'),
    updatedAt: { ...column('updated_at'), isNeverNull: true },
    updatedBy: column('updated_by'),
  },
  search: (text) => contains([sql.ref('h.name'), sql.ref('h.host')], text),
}

type Row = Omit<Channel, 'feedPath' | 'feedOrigin'> & {
  customerId: string
  addressNumber: number
  hostKeyOf: string | null
}

async function readRows(db: Database, ids: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select h.customer_id, h.id, h.name, h.kind, h.format, h.destination, h.host, h.is_active, h.every_hours, h.daily_at,
      h.last_state, h.last_at, h.listed, h.excluded, h.next_run_at, h.waits_since, h.slowest_seconds, h.version, h.updated_at, h.updated_by, h.rule,
      h.page_template, h.columns, h.price_meaning, h.price_note, h.port, h.remote_path, h.user_name, h.secret_sealed is not null as has_secret, h.host_key,
      h.host_key_of, h.address_number
    from ${CHANNELS} where ${isOneOf(channelSource, ids)}`.execute(db)
  return rows
}

/** One page of the customer's channels. */
export async function listChannels(
  db: Database,
  actor: Member,
  input: PageOf<keyof typeof CHANNEL_LIST.fields>,
): Promise<{ filteredRows: number; totalRows: number; results: ChannelRow[] }> {
  const { ids, ...counts } = await readPage(db, actor, channelSource, input)
  return { ...counts, results: inOrder(ids, await readRows(db, ids)) }
}

/** Required to see the download link, because anyone with the link can see the inventory. */
const CHANGES = can(Func.providerMappings, Opr.update)

/** @throws Failure 404 if the customer has no such channel. */
export async function readChannel(
  db: Database,
  id: string,
  { actor, secrets, base }: { actor: Pick<Member, 'may' | 'reach'>; secrets: Secrets; base: string },
): Promise<Channel> {
  const [row] = await readRows(db, [id])
  if (row === undefined) throw notFound('Channel')
  const isShown = row.destination === 'pull' && actor.reach === 'customer' && actor.may(CHANGES)
  return {
    ...row,
    hostKey: row.hostKeyOf === serverOf(row) ? row.hostKey : null,
    feedPath: isShown ? `/feeds/${fileKey(secrets, row)}.${row.format}` : null,
    feedOrigin: isShown ? await publicOrigin(db, base) : null,
  }
}
