import { type Kysely, sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { MediaUse, MediaUses } from '#contract/files/files.ts'
import { type StoredBlock, StoredBlocks } from '#contract/marketing/pages/blocks.ts'
import { faultsOnSave, storedBlocks } from '#contract/marketing/pages/check-blocks.ts'
import { addressPriceFault, priceFault } from '#contract/marketing/pages/typed-prices.ts'
import {
  FOREIGN_PAGE,
  PAGE_LIST,
  pageRecordCalls,
  type PageStatus,
  PageVersion,
  type PromoPage,
  promoPageRecord,
  type promoPages,
} from '#contract/marketing/pages/promo-pages.ts'
import type { Visits } from '#contract/marketing/visits.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { documentTable } from '#server/documents/document-table.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { recordTable } from '#server/lists/record-table.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import type { Secrets } from '#server/secrets.ts'
import { readDays } from '../visits/read-days.ts'
import { liveOf } from './live-version.ts'
import type { CheckPictures } from './check-pictures.ts'
import { findStopping, readLayoutRules, readPageFacts, storeCheck } from './page-checks.ts'
import { previewLinks } from './preview-link.ts'

const { live, isOver } = liveOf('promo_pages')
const status = sql<PageStatus>`case when promo_pages.published_number is null then 'draft'
  when promo_pages.withdrawn_at is not null then 'unpublished'
  when live.number is null then 'scheduled'
  when ${isOver} then 'ended' else 'published' end`
/** Row level security limits the count to what the reader reaches. */
const leads = sql<number>`(select count(*)::int from form_submissions s where s.customer_id = promo_pages.customer_id
  and s.promo_page_id = promo_pages.id and s.state = 'received' and not s.is_test)`
/** The same as `isForeign`: row level security hides the lots of others. */
const isReadOnly = sql<boolean>`current_setting('app.reach', true) is distinct from 'customer' and lots.id is null`
const day = (name: string) => sql<string | null>`to_char(${sql.ref(name)}, 'YYYY-MM-DD')`
/** Only of what visitors see now. */
const hasCheck = sql<boolean>`live.number is not null and promo_pages.withdrawn_at is null and not coalesce(${isOver}, false)`
const needsLook = sql<boolean>`${hasCheck} and coalesce(checks.stops, 0) > 0`
const findings = sql<number>`case when ${hasCheck} then coalesce(checks.stops + checks.notes, 0) else 0 end`
const hasChanges = sql<boolean>`newest.number is null or promo_pages.title <> newest.title
  or promo_pages.description is distinct from newest.description or promo_pages.blocks <> newest.blocks
  or promo_pages.starts_on is distinct from newest.starts_on or promo_pages.ends_on is distinct from newest.ends_on`

/** The pages of the customer; not restricted by organization. */
export const pageTable = recordTable(promoPageRecord, pageRecordCalls, PAGE_LIST, 'promoPages', {
  name: 'promoPages',
  columns: {
    lotId: 'id',
    layoutId: 'id',
    blocks: 'json',
    startsOn: day('promo_pages.starts_on'),
    endsOn: day('promo_pages.ends_on'),
    status,
    publishedAt: instant(sql`newest.published_at`),
    liveNumber: sql`case when promo_pages.withdrawn_at is null and not coalesce(${isOver}, false) then live.number end`,
    nextOn: sql`case when live.number < newest.number then ${day('newest.starts_on')} end`,
    hasChanges,
    layoutName: sql`layouts.name`,
    lotName: sql`lots.name`,
    leads,
    needsLook,
    findings,
    isReadOnly,
  },
  joins: sql`join customers c on c.id = promo_pages.customer_id
    left join promo_page_versions newest on newest.customer_id = promo_pages.customer_id and newest.page_id = promo_pages.id
      and newest.number = promo_pages.published_number
    left join lateral ${live} live on true
    left join dvp_layouts layouts on layouts.customer_id = promo_pages.customer_id and layouts.id = promo_pages.layout_id
    left join lots on lots.customer_id = promo_pages.customer_id and lots.id = promo_pages.lot_id
    left join promo_page_checks checks on checks.customer_id = promo_pages.customer_id and checks.page_id = promo_pages.id`,
  fields: {
    name: { order: sql`promo_pages.name_key`, isNeverNull: true },
    slug: { isNeverNull: true },
    status: { value: status, joins: 'value', isNeverNull: true },
    hasChanges: { value: hasChanges, joins: 'value', isNeverNull: true },
    needsLook: { value: needsLook, joins: 'value', isNeverNull: true },
    findings: { value: findings, joins: 'value', isNeverNull: true },
    lotName: { value: sql`lots.name`, joins: 'value' },
    layoutName: { value: sql`layouts.name`, joins: 'value' },
    leads: { value: leads, isNeverNull: true },
    publishedAt: { value: sql`newest.published_at`, joins: 'value' },
    updatedAt: { isNeverNull: true },
  },
  searches: ['name', 'slug', 'title'].map((name) => sql.ref(`promo_pages.${name}`)),
  findKept: async (db, actor, ids) =>
    new Map((await findForeign(db, actor, ids)).map((id) => [id, FOREIGN_PAGE])),
  restore: {
    kept: ['published_number', 'withdrawn_at', 'withdrawn_through'],
    missing: { withdrawn_through: 0 },
    yields: async (db, before) =>
      before['is_home'] === true && (await hasHome(db)) ? { ...before, is_home: false } : before,
    where: sql`not exists (select from promo_pages p where p.slug = r.slug)
      and (r.layout_id is null or exists (select from dvp_layouts l where l.id = r.layout_id))
      and (r.lot_id is null or exists (select from lots l where l.id = r.lot_id))`,
    reason: ({ slug }) =>
      `Its name or its address /p/${String(slug)} is in use again, or its layout or lot was deleted.`,
  },
})

/** Whether a page is the home page of the customer's site. */
async function hasHome(db: Database): Promise<boolean> {
  const { rows } = await sql`select from promo_pages where is_home`.execute(db)
  return rows.length > 0
}

const constraints = {
  promo_pages_home: {
    message: 'Another page became the home page at the same moment. Save again.',
    fields: { isHome: 'Another page is the home page.' },
  },
  promo_pages_customer_id_slug_key: {
    message: 'Another page already has this address.',
    fields: { slug: 'This address is already in use.' },
  },
  promo_pages_customer_id_name_key_key: {
    message: 'Another page already has this name.',
    fields: { name: 'This name is already in use.' },
  },
}

const whole = sql`v.title, v.description, v.blocks, v.starts_on as "startsOn", v.ends_on as "endsOn"`

const document = documentTable({
  noun: 'promo page',
  subject: 'blocks',
  table: 'promoPages',
  schema: promoPageRecord.schema,
  from: pageTable.source.from,
  columns: pageTable.columns,
  content: promoPageRecord.schema.pick({
    title: true,
    description: true,
    blocks: true,
    startsOn: true,
    endsOn: true,
  }),
  versions: {
    table: 'promoPageVersions',
    of: 'page_id',
    kept: {
      title: 'title',
      description: 'description',
      blocks: 'blocks',
      startsOn: 'starts_on',
      endsOn: 'ends_on',
    },
    listed: [PageVersion, whole],
    whole: [PageVersion, whole],
  },
  withdrawn: 'withdrawnAt',
  constraints,
  references: { lotId: 'Choose a lot that exists.', layoutId: 'Choose a layout that exists.' },
  requireOwn,
  async requireOwner(db, actor, { lotId }: Received<typeof promoPages.update>) {
    if (lotId !== undefined) await requireLot(db, actor, lotId)
  },
  derive: refuseTurnedDays,
  // `requirePublishable` checks what is published, with its layout.
  check: () => ({}),
  inUse: 'Something refers to this page.',
})

/** Adds a page. @throws Failure 409 or 400 with the fields that are wrong */
export async function addPage(db: Database, input: Received<typeof promoPages.add>): Promise<PromoPage> {
  const { title, description = null, blocks = [], layoutId = null } = input
  const content = await checked(
    db,
    { title, description, blocks, layoutId, hasNewLayout: true },
    [],
    input.slug,
  )
  return document.add(db, { ...input, ...content })
}

/** Publishes the draft of a page as its next version. @throws Failure 400 with what is missing */
export async function publishPage(db: Database, page: PromoPage): Promise<PromoPage> {
  await requirePublishable(db, page)
  return noteCheck(db, await document.publish(db, page))
}

/** @throws Failure 400 with what it refers to and can't show, or with what the rules of advertising have against it */
async function requirePublishable(db: Database, page: PromoPage): Promise<void> {
  const errors = await findStopping(db, page)
  if (errors !== null) throw refused(HAS_ERRORS, errors)
}

const HAS_ERRORS = 'This promo page has errors. Correct them and publish again.'

/** The blocks of the draft, and those that were published last. */
async function readChanged(
  db: Database,
  id: string,
): Promise<Record<'blocks' | 'before', readonly StoredBlock[]>> {
  const { blocks } = await document.read(db, id)
  const { rows } = await sql<{ blocks: unknown }>`select v.blocks from promo_page_versions v
    join promo_pages p on p.customer_id = v.customer_id and p.id = v.page_id and p.published_number = v.number
    where p.id = ${id}`.execute(db)
  return { blocks, before: StoredBlocks.catch([]).parse(rows[0]?.blocks ?? []) }
}

/** The version that was taken from the site, and is published again as it is, is shown again. */
async function showAgain(db: Database, page: PromoPage): Promise<PromoPage> {
  const { rows } = await sql`update promo_pages set withdrawn_through = published_number - 1
    where id = ${page.id} and withdrawn_at is null and withdrawn_through >= published_number returning id`.execute(
    db,
  )
  return rows.length === 0 ? page : document.read(db, page.id)
}

/** A published page is checked at once if its version is what visitors see. */
async function noteCheck(db: Database, published: PromoPage): Promise<PromoPage> {
  const page = await showAgain(db, published)
  const { id, liveNumber, publishedNumber } = page
  if (liveNumber === null || liveNumber !== publishedNumber) return page
  await storeCheck(db, id, { ...page, number: liveNumber })
  return document.read(db, id)
}

type Content = Pick<PromoPage, 'title' | 'description' | 'blocks' | 'layoutId'> & { hasNewLayout: boolean }

/** The blocks as they are stored. @throws Failure 400 with the block that breaks a rule of the layout, or has a typed price */
async function checked(
  db: Database,
  page: Content,
  before: PromoPage['blocks'],
  newSlug: string | null,
): Promise<Pick<PromoPage, 'blocks'>> {
  const layout = await readLayoutRules(db, page.layoutId)
  const rules = layout === null ? null : { ...layout, isNew: page.hasNewLayout }
  const [fault] = faultsOnSave(page.blocks, { layout: rules, before })
  const { title, description } = page
  const ofTitle = priceFault(title)
  const faults = {
    blocks: fault?.message,
    title: ofTitle,
    // Search engines show it below the title.
    description:
      priceFault(description ?? '') ??
      (ofTitle === null ? priceFault(`${title} ${description ?? ''}`) : null),
    slug: addressPriceFault(newSlug ?? ''),
  }
  const errors = Object.fromEntries(
    Object.entries(faults).flatMap(([name, says]) => (says == null ? [] : [[name, says]])),
  )
  if (Object.keys(errors).length > 0) throw refused('Some fields are invalid.', errors)
  return { blocks: storedBlocks(page.blocks) }
}

/** Pages with their versions, of the whole customer or of the user's lots. */
export const pageHandlers = (
  jobs: StartJobs,
  secrets: Secrets,
  checkPictures: CheckPictures,
): Omit<Handlers<typeof promoPages>, 'preview'> => ({
  ...document.handlers,
  list: pageTable.handlers.list,
  async removeMany(call) {
    const { db, actor, input } = call
    const ids = 'ids' in input.selection ? input.selection.ids : []
    if ((await findForeign(db, actor, ids)).length > 0) throw forbidden(FOREIGN_PAGE)
    return pageTable.removing(jobs).removeMany(call)
  },

  async add({ db, actor, input }) {
    await requireLot(db, actor, input.lotId ?? null)
    await requireLayout(db, actor, input.layoutId ?? null)
    if (input.isHome) throw refused('Some fields are invalid.', { isHome: NOT_SHOWN })
    return addPage(db, input)
  },

  async update(call) {
    const { db, actor, input } = call
    const current = await document.read(db, input.id)
    if (input.layoutId !== undefined && input.layoutId !== current.layoutId)
      await requireLayout(db, actor, input.layoutId)
    const { title = current.title, description = current.description, blocks = current.blocks } = input
    const { layoutId = current.layoutId } = input
    const newSlug = input.slug === current.slug ? null : (input.slug ?? null)
    const content = await checked(
      db,
      { title, description, blocks, layoutId, hasNewLayout: layoutId !== current.layoutId },
      current.blocks,
      newSlug,
    )
    if (input.isHome !== undefined && input.isHome !== current.isHome)
      await moveHome(db, actor, input.isHome ? current : null)
    const updated = await document.handlers.update({
      ...call,
      input: { ...input, ...(input.blocks && content) },
    })
    if (updated.slug !== current.slug) await keepAddress(db, current, updated.slug)
    return updated
  },

  async publish({ actor, input, inTenant, inTenantOnce }) {
    const { blocks, before } = await inTenant((db) => readChanged(db, input.id))
    const problem = await checkPictures(actor.customerId, blocks, before)
    if (problem !== null) throw refused(HAS_ERRORS, { blocks: problem })
    return inTenantOnce(async (db) => {
      const current = await document.read(db, input.id)
      const isCurrent = input.version === undefined || input.version === current.version
      if (isCurrent && !(await isForeign(db, actor, current))) await requirePublishable(db, current)
      return noteCheck(db, await document.handlers.publish({ db, actor, input }))
    })
  },

  async visits({ db, input }) {
    const { id } = await document.read(db, input.id)
    return readVisits(db, id)
  },

  async facts({ db, input: { id } }) {
    return readPageFacts(db, await document.read(db, id))
  },

  unpublish: document.setting(({ status: now }) => {
    if (now === 'draft') throw conflict('This page was never published.')
    return now === 'unpublished'
      ? null
      : { withdrawnAt: sql`app_now()`, withdrawnThrough: sql`coalesce(published_number, 0)` }
  }),

  async previewLink({ db, actor, input: { id } }) {
    const { slug } = await document.read(db, id)
    const { mark, endsAt } = previewLinks.write(secrets, { customerId: actor.customerId, id })
    return { path: `/p/${slug}?preview=${mark}`, endsAt: endsAt.toISOString() }
  },
})

async function readVisits(db: Database, id: string): Promise<Visits> {
  const visits = await readDays(
    db,
    sql`select day, kind, visits from promo_page_visits where page_id = ${id}`,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from form_submissions s join customers c on c.id = s.customer_id
    where s.promo_page_id = ${id} and s.state = 'received' and not s.is_test
      and s.sent_at >= ${visits.days[0]?.day ?? ''}::date::timestamp at time zone c.time_zone`.execute(db)
  return { ...visits, leads: rows[0]?.count ?? 0 }
}

/** Only one page is the home page. @throws Failure 403, or 400 for a page that visitors don't see */
async function moveHome(db: Database, actor: Member, to: PromoPage | null): Promise<void> {
  if (actor.reach !== 'customer')
    throw forbidden('Only users with access to the whole customer choose the home page of the site.')
  if (to === null) return
  if (to.liveNumber === null) throw refused('Some fields are invalid.', { isHome: NOT_SHOWN })
  await sql`update promo_pages set is_home = false where is_home and id <> ${to.id}`.execute(db)
}
const NOT_SHOWN = 'Publish the page first. The home page is one that visitors can see.'

/**
 * The former address of a page that visitors may know leads to its present one, until another page that has it is published. The page
 * that has it again needs no row.
 */
async function keepAddress(
  db: Database,
  { id, slug, publishedNumber }: PromoPage,
  present: string,
): Promise<void> {
  await sql`delete from promo_page_addresses where slug = ${present} and page_id = ${id}`.execute(db)
  if (publishedNumber === null) return
  await sql`insert into promo_page_addresses (slug, page_id) values (${slug}, ${id})
    on conflict (customer_id, slug) do update set page_id = excluded.page_id, created_at = app_now(), deleted_at = null`.execute(
    db,
  )
}

/** Those of these pages that the user may not change. */
async function findForeign(db: Database, { reach }: Member, ids: readonly string[]): Promise<string[]> {
  if (reach === 'customer') return []
  const { rows } = await sql<{ id: string }>`
    select p.id::text from promo_pages p where p.id = any(${[...ids]}::bigint[])
      and (p.lot_id is null or not exists (select from lots l where l.id = p.lot_id))`.execute(db)
  return rows.map(({ id }) => id)
}

async function isForeign(db: Database, actor: Member, { lotId }: Pick<PromoPage, 'lotId'>): Promise<boolean> {
  return actor.reach !== 'customer' && (lotId === null || !(await isVisible(db, lotId)))
}

/** @throws Failure 403 if the page belongs to a lot that the user can't reach, or to all organizations */
async function requireOwn(db: Database, actor: Member, page: PromoPage): Promise<void> {
  if (await isForeign(db, actor, page)) throw forbidden(FOREIGN_PAGE)
}

/** @throws Failure 403 if a user of one organization names no lot, 400 for a lot that is unknown or out of reach */
async function requireLot(db: Database, { reach }: Member, lotId: string | null): Promise<void> {
  if (lotId === null && reach !== 'customer')
    throw forbidden(
      'Pages for all organizations are managed by users with access to the whole customer. Choose your lot.',
    )
  if (lotId !== null && !(await isVisible(db, lotId)))
    throw refused('Some fields are invalid.', { lotId: 'Choose a lot that exists.' })
}

/** Head office decides by layouts what stores may do. @throws Failure 400 if a user of one organization uses none of them */
async function requireLayout(db: Database, { reach }: Member, layoutId: string | null): Promise<void> {
  if (reach === 'customer' || layoutId !== null) return
  const { rows } = await sql`select from dvp_layouts limit 1`.execute(db)
  if (rows.length > 0)
    throw refused('Some fields are invalid.', { layoutId: 'Choose one of the layouts of your company.' })
}

async function isVisible(db: Database, lotId: string): Promise<boolean> {
  const { rows } = await sql`select from lots where id = ${lotId}`.execute(db)
  return rows.length > 0
}

/** @throws Failure 400 if the last day is before the first */
function refuseTurnedDays({
  startsOn = null,
  endsOn = null,
}: {
  startsOn?: string | null | undefined
  endsOn?: string | null | undefined
}): object {
  if (startsOn === null || endsOn === null || startsOn <= endsOn) return {}
  throw refused('Some fields are invalid.', { endsOn: 'The last day is before the first.' })
}

/** Longer than a deletion can be undone. */
const DAYS_KEPT = 90

/** Deletes the versions and former addresses of pages that were deleted long ago. */
export async function sweepPromoPages(queue: Kysely<DB>): Promise<void> {
  const isOld = sql`deleted_at < app_now() - ${DAYS_KEPT} * interval '1 day'`
  await sql`delete from promo_page_versions where ${isOld}`.execute(queue)
  await sql`delete from promo_page_addresses where ${isOld}`.execute(queue)
}

/** The pages, layouts and saved blocks that show files of the media, or files in these folders, in their draft or in what is published. */
export async function findPageUses(db: Database, paths: readonly string[]): Promise<MediaUses> {
  const shows = (blocks: string) => sql<boolean>`exists (
    select from jsonb_path_query(${sql.ref(blocks)}, '$[*].data.**.path') x, unnest(${paths}::text[]) f (path)
    where x #>> '{}' = f.path or starts_with(x #>> '{}', f.path || '/'))`
  const { rows } = await sql<MediaUse>`
    select 'promoPage' as kind, p.id::text, p.name as title from promo_pages p
    where ${shows('p.blocks')} or exists (select from promo_page_versions v where v.customer_id = p.customer_id
      and v.page_id = p.id and v.number <= p.published_number and ${shows('v.blocks')})
    union all
    select 'dvpLayout', l.id::text, l.name from dvp_layouts l where ${shows('l.top')} or ${shows('l.bottom')}
    union all
    select 'savedBlocks', s.id::text, s.name from saved_blocks s where ${shows('s.blocks')}`.execute(db)
  return { total: rows.length, uses: rows }
}
