import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import { type Database, inTenant } from '#server/database/tenant-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import type { ClickKind } from './classify-click.ts'
import type { Visit } from './visit-of.ts'

/** Counts wait this long for others: with the time a statement takes, a kill loses less than a second of them. */
const WAIT_MS = 400
/** While they can't be stored, in milliseconds. */
const RETRY_MS = 3_000
const MINUTE_MS = 60_000
/** Of one customer. More isn't counted until what waits is stored. */
const MOST_WAITING = 5_000
/** Of one customer. The keys that were opened most, and the newest, stay. */
const MOST_UNKNOWN = 200

/** What was opened: a short URL, or a promo page. */
type Of = 'link' | 'page'
type Count = { of: Of; id: string; minute: number; kind: ClickKind; visit: Visit; clicks: number }
type Unknown = { key: string; clicks: number; firstAt: number; lastAt: number }
type Waiting = { counts: Map<string, Count>; unknown: Map<string, Unknown> }

export type ClickCounter = ReturnType<typeof makeClickCounter>

/** Counts clicks and visits in memory and stores the sums, several times a second. */
export function makeClickCounter(pool: pg.Pool, onError: (error: unknown) => void) {
  let waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | null = null
  let storing: Promise<void> = Promise.resolve()

  const waitingOf = (customerId: string): Waiting => {
    const known = waiting.get(customerId) ?? { counts: new Map(), unknown: new Map() }
    waiting.set(customerId, known)
    return known
  }
  const addCount = (customerId: string, { clicks, ...of }: Count): void => {
    const { counts } = waitingOf(customerId)
    const { id, minute, kind, visit } = of
    const name = `${of.of} ${id} ${minute} ${kind} ${visit.device} ${visit.referrer}`
    const before = counts.get(name)
    if (before === undefined && counts.size >= MOST_WAITING) return
    counts.set(name, { ...of, clicks: (before?.clicks ?? 0) + clicks })
  }
  const addUnknown = (customerId: string, { key, clicks, firstAt, lastAt }: Unknown): void => {
    const { unknown } = waitingOf(customerId)
    const before = unknown.get(key)
    if (before === undefined && unknown.size >= MOST_UNKNOWN) return
    unknown.set(key, {
      key,
      clicks: (before?.clicks ?? 0) + clicks,
      firstAt: Math.min(before?.firstAt ?? firstAt, firstAt),
      lastAt: Math.max(before?.lastAt ?? lastAt, lastAt),
    })
  }
  const storeAll = async (): Promise<void> => {
    const taken = waiting
    waiting = new Map()
    for (const [customerId, { counts, unknown }] of taken) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- One connection is enough.
        await store(pool, customerId, { counts: [...counts.values()], unknown: [...unknown.values()] })
      } catch (error) {
        for (const count of counts.values()) addCount(customerId, count)
        for (const one of unknown.values()) addUnknown(customerId, one)
        schedule(RETRY_MS)
        onError(error)
      }
    }
  }
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    storing = storing.then(storeAll)
    return storing
  }
  const schedule = (milliseconds = WAIT_MS): void => {
    timer ??= setTimeout(() => void flush(), milliseconds)
  }
  return {
    /** Counts a click or a visit, or takes one back with -1. `at`: when it was. */
    count(
      customerId: string,
      {
        at,
        clicks = 1,
        ...click
      }: { of: Of; id: string; kind: ClickKind; visit: Visit; at: number; clicks?: 1 | -1 },
    ): void {
      addCount(customerId, { ...click, minute: Math.floor(at / MINUTE_MS), clicks })
      schedule()
    },
    /** Counts a key that no short URL has. */
    countUnknown(customerId: string, key: string): void {
      const now = clock.now()
      addUnknown(customerId, { key, clicks: 1, firstAt: now, lastAt: now })
      schedule()
    },
    /** Stores what waits. */
    flush,
    async stop(): Promise<void> {
      await flush()
      if (timer !== null) clearTimeout(timer)
    },
  }
}

async function store(
  pool: pg.Pool,
  customerId: string,
  { counts, unknown }: { counts: readonly Count[]; unknown: readonly Unknown[] },
): Promise<void> {
  await inTenant(pool, systemScope(customerId, 'site.clicks'), async (db) => {
    const links = counts.filter(({ of }) => of === 'link')
    await storeCounts(db, {
      customerId,
      counts: links,
      table: ['short_url_clicks', 'short_url_id', 'clicks'],
    })
    await storeCounts(db, {
      customerId,
      counts: counts.filter(({ of }) => of === 'page'),
      table: ['promo_page_visits', 'page_id', 'visits'],
    })
    await storeVisits(
      db,
      customerId,
      links.filter(({ kind }) => kind === 'person'),
    )
    if (unknown.length === 0) return
    await sql`
      insert into unknown_short_keys as k (key, clicks, first_at, last_at)
      select g.key, g.clicks, to_timestamp(g.first_at / 1000.0), to_timestamp(g.last_at / 1000.0)
      from unnest(${unknown.map(({ key }) => key)}::text[], ${unknown.map(({ clicks }) => clicks)}::int[],
        ${unknown.map(({ firstAt }) => firstAt)}::float8[], ${unknown.map(({ lastAt }) => lastAt)}::float8[])
        g (key, clicks, first_at, last_at)
      order by g.key
      on conflict (customer_id, key) do update set clicks = k.clicks + excluded.clicks, last_at = excluded.last_at`.execute(
      db,
    )
    await sql`
      delete from unknown_short_keys where key in (
        select key from unknown_short_keys order by clicks > 2 desc, last_at desc, key offset ${sql.lit(MOST_UNKNOWN)})`.execute(
      db,
    )
  })
}

/** By day and kind. What is taken back was counted before, so no count falls below zero unless its row was deleted meanwhile. */
async function storeCounts(
  db: Database,
  {
    customerId,
    counts,
    table: [name, id, count],
  }: {
    customerId: string
    counts: readonly Count[]
    table: readonly [name: string, id: string, count: string]
  },
): Promise<void> {
  if (counts.length === 0) return
  const [of, clicks] = [sql.ref(id), sql.ref(count)]
  const before = sql.ref(`k.${count}`)
  await sql`
    with given as (
      select g.id, (to_timestamp(g.minute * 60.0) at time zone c.time_zone)::date as day, g.kind, sum(g.clicks)::int as clicks
      from unnest(${counts.map((one) => one.id)}::bigint[], ${counts.map(({ minute }) => minute)}::bigint[],
        ${counts.map(({ kind }) => kind)}::text[], ${counts.map((one) => one.clicks)}::int[]) g (id, minute, kind, clicks)
        cross join customers c
      where c.id = ${customerId} group by 1, 2, 3
    ), less as (
      update ${sql.table(name)} k set ${clicks} = greatest(0, ${before} + g.clicks) from given g
      where ${sql.ref(`k.${id}`)} = g.id and k.day = g.day and k.kind = g.kind and g.clicks < 0
    )
    insert into ${sql.table(name)} as k (${of}, day, kind, ${clicks})
    select id, day, kind, clicks from given where clicks > 0 order by 1, 2, 3
    on conflict (customer_id, ${of}, day, kind) do update set ${clicks} = ${before} + ${sql.ref(`excluded.${count}`)}`.execute(
    db,
  )
}

/** Sites that link to a short URL, of which each has a row a day: anyone can name sites. The others count as none. */
const MOST_REFERRERS = 100

/** Where people came from. What is taken back was counted before, as with clicks. */
async function storeVisits(db: Database, customerId: string, people: readonly Count[]): Promise<void> {
  if (people.length === 0) return
  await sql`
    with given as (
      select g.id, (to_timestamp(g.minute * 60.0) at time zone c.time_zone)::date as day, g.device,
        case when g.referrer = '' or exists (select from short_url_visits v where v.short_url_id = g.id and v.referrer = g.referrer)
          or (select count(distinct v.referrer) from short_url_visits v where v.short_url_id = g.id) < ${sql.lit(MOST_REFERRERS)}
          then g.referrer else '' end as referrer, sum(g.clicks)::int as people
      from unnest(${people.map(({ id }) => id)}::bigint[], ${people.map(({ minute }) => minute)}::bigint[],
        ${people.map(({ visit }) => visit.device)}::text[], ${people.map(({ visit }) => visit.referrer)}::text[],
        ${people.map(({ clicks }) => clicks)}::int[]) g (id, minute, device, referrer, clicks)
        cross join customers c
      where c.id = ${customerId} group by 1, 2, 3, 4
    ), less as (
      update short_url_visits v set people = greatest(0, v.people + g.people) from given g
      where v.short_url_id = g.id and v.day = g.day and v.device = g.device and v.referrer = g.referrer and g.people < 0
    )
    insert into short_url_visits as v (short_url_id, day, device, referrer, people)
    select id, day, device, referrer, people from given where people > 0 order by 1, 2, 3, 4
    on conflict (customer_id, short_url_id, day, device, referrer) do update set people = v.people + excluded.people`.execute(
    db,
  )
}

/** Two years and a month, so that a month can be compared with that of the year before. */
const CLICK_DAYS_KEPT = 761
const UNKNOWN_DAYS_KEPT = 90

/** Deletes old clicks and visits, also of short URLs and pages that were deleted, and keys that no one opens anymore. */
export async function sweepShortUrls(queue: Kysely<DB>): Promise<void> {
  for (const table of ['short_url_clicks', 'short_url_visits', 'promo_page_visits'])
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await sql`delete from ${sql.table(table)} where day < (app_now() - ${CLICK_DAYS_KEPT} * interval '1 day')::date`.execute(
      queue,
    )
  await sql`delete from unknown_short_keys where last_at < app_now() - ${UNKNOWN_DAYS_KEPT} * interval '1 day'`.execute(
    queue,
  )
}
