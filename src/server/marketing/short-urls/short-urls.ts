import { sql } from 'kysely'
import type { Selection } from '#contract/lists/selection.ts'
import {
  DEVICES,
  MAX_CODES,
  type ShortUrl,
  type ShortUrlClicks,
  type shortUrls,
  type UnknownKey,
} from '#contract/marketing/short-urls/short-urls.ts'
import { LEAD_LIST, leadRule } from '#contract/leads/inbox/lead-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, noneFound } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { countMatching, readPage } from '#server/lists/read-list.ts'
import { leadSource } from '#server/leads/index.ts'
import type { MakePdf } from '#server/printed-document.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { originOf } from '../site/site-origin.ts'
import { addShortUrlLines } from './add-short-url-lines.ts'
import { readDays } from '../visits/read-days.ts'
import type { Visit } from '../visits/visit-of.ts'
import { addShortUrl, forgetUnknown, requireTarget, shortUrlTable } from './short-url-table.ts'

/** Short URLs of the caller's organizations, and what came of them. */
export const shortUrlHandlers = (
  jobs: StartJobs,
  { pdfOf, base }: { pdfOf: MakePdf; base: () => string },
): Handlers<typeof shortUrls> => ({
  ...shortUrlTable.handlers,
  ...shortUrlTable.removing(jobs),

  add: ({ db, input }) => addShortUrl(db, input),

  async update(call) {
    const { db, input } = call
    const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    const current = await shortUrlTable.read(db, input.id)
    const target = await requireTarget(db, { ...current, key: undefined, ...sent })
    const updated = await shortUrlTable.handlers.update({ ...call, input: { ...input, ...target } })
    if (typeof sent['key'] === 'string') await forgetUnknown(db, sent['key'])
    return updated
  },

  async clicks({ db, actor, input }) {
    return readClicks(db, actor, await shortUrlTable.read(db, input.id))
  },

  addMany: ({ db, input }) => addShortUrlLines(db, input),

  async sheet({ inTenant, actor, input: { selection } }) {
    const printed = await inTenant((db) => readPrinted(db, actor, selection))
    const codes = printed.map(({ name, host, key }) => {
      if (host === null) throw conflict(NO_DOMAIN)
      return { title: name, text: `${host}/s/${key}`, link: `${originOf({ host }, base())}/s/${key}` }
    })
    const document = {
      title: 'QR codes',
      facts: [],
      figures: [],
      columns: [],
      groups: [],
      signature: null,
      codes,
    }
    return new Download({
      name: 'qr-codes.pdf',
      type: 'application/pdf',
      body: await pdfOf(document, actor.customerId),
    })
  },

  async unknownKeys({ db }) {
    const { rows } = await sql<UnknownKey>`
      select key, clicks, ${instant(sql`first_at`)} as "firstAt", ${instant(sql`last_at`)} as "lastAt"
      from unknown_short_keys order by clicks desc, key`.execute(db)
    return rows
  },
})

/** The clicks of a short URL on each of the last 30 days of the customer's time zone. */
async function readClicks(
  db: Database,
  actor: Member,
  { id, key, target }: ShortUrl,
): Promise<ShortUrlClicks> {
  const { days, total } = await readDays(
    db,
    sql`select day, kind, clicks from short_url_clicks where short_url_id = ${id}`,
  )
  const from = days[0]?.day ?? ''
  const { rows: visits } = await sql<{ device: Visit['device']; referrer: string; people: number }>`
    select device, referrer, sum(people)::int as people from short_url_visits
    where short_url_id = ${id} and day >= ${from}::date and people > 0 group by 1, 2 order by 1, 2`.execute(
    db,
  )
  const peopleOf = (own: typeof visits) => own.reduce((sum, { people }) => sum + people, 0)
  const most = (one: { people: number }, other: { people: number }) => other.people - one.people
  return {
    total,
    leads: target === 'url' ? null : await countLeads(db, actor, { key, from }),
    devices: DEVICES.map(({ value: device }) => ({
      device,
      people: peopleOf(visits.filter((visit) => visit.device === device)),
    }))
      .filter(({ people }) => people > 0)
      .toSorted(most),
    referrers: [...Map.groupBy(visits, (visit) => visit.referrer)]
      .map(([referrer, own]) => ({ referrer, people: peopleOf(own) }))
      .toSorted((one, other) => most(one, other) || (one.referrer < other.referrer ? -1 : 1))
      .slice(0, MOST_REFERRERS),
    days,
  }
}

/** Counted by the list that the figure opens. Null for those who can't open it. `from`: a day of the customer's time zone. */
async function countLeads(
  db: Database,
  actor: Member,
  { key, from }: { key: string; from: string },
): Promise<ShortUrlClicks['leads']> {
  if (LEAD_LIST.allow !== null && !actor.may(LEAD_LIST.allow)) return null
  const { rows: starts } = await sql<{ at: string }>`
    select ${instant(sql`${from}::date::timestamp at time zone time_zone`)} as at from customers
    where id = nullif(current_setting('app.customer_id', true), '')::bigint`.execute(db)
  const filter = `shortUrl == "${key}" && receivedAt >= timestamp("${starts[0]?.at ?? ''}")`
  const all = leadRule({ queue: 'all', filter })
  const { rows } = await sql<{ count: number }>`
    select ${countMatching(leadSource, actor, { filter: all })} as count`.execute(db)
  return { count: rows[0]?.count ?? 0, filter }
}

/** Shown of a short URL. */
const MOST_REFERRERS = 8

const NO_DOMAIN =
  'Add a public domain under White label first. Until it is verified, short URLs have no address.'

/** What a sheet has of each short URL. @throws Failure 404 or 409 */
async function readPrinted(
  db: Database,
  actor: Member,
  selection: Selection,
): Promise<Pick<ShortUrl, 'name' | 'host' | 'key'>[]> {
  const { source, columns } = shortUrlTable
  const ids = 'ids' in selection ? selection.ids : await readMatching(db, actor, selection)
  if (ids.length > MAX_CODES)
    throw conflict(`A sheet can have at most ${MAX_CODES} QR codes. Select fewer short URLs.`)
  const { rows } = await sql<Pick<ShortUrl, 'name' | 'host' | 'key'>>`
    select ${columns.select} from ${source.from} where ${source.within(actor)} and ${source.id} = any(${[...ids]}::bigint[])
    order by short_urls.name, short_urls.id`.execute(db)
  if (rows.length === 0) throw noneFound('short URLs')
  return rows
}

async function readMatching(
  db: Database,
  actor: Member,
  { except = [], search, filter }: Extract<Selection, { all: true }>,
): Promise<string[]> {
  const pageSize = MAX_CODES + except.length + 1
  const { ids } = await readPage(db, actor, shortUrlTable.source, { page: 1, pageSize, search, filter })
  return ids.filter((id) => !except.includes(id))
}
