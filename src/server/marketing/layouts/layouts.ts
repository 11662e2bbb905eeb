import { sql } from 'kysely'
import { z } from 'zod'
import {
  type dvpLayouts,
  type Layout,
  LAYOUT_LIST,
  layoutRecord,
  layoutRecordCalls,
  LAYOUTS_MANAGED,
  LayoutVersion,
  MAX_LAYOUT_VERSIONS,
} from '#contract/marketing/layouts/layouts.ts'
import {
  blockTitle,
  isBlockType,
  knownBlocks,
  type StoredBlock,
  StoredBlocks,
} from '#contract/marketing/pages/blocks.ts'
import { faultsOnPublish, faultsOnSave, storedBlocks } from '#contract/marketing/pages/check-blocks.ts'
import { holdRecords } from '#server/database/hold-records.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { savedVersions } from '#server/documents/saved-versions.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { recordTable } from '#server/lists/record-table.ts'
import { findUses } from '#server/lists/uses.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import type { CheckPictures } from '../pages/check-pictures.ts'
import { isShown, shownJoins } from '../pages/live-version.ts'
import { checkPagesOfLayout } from '../pages/page-checks.ts'

const pages = sql<number>`(select count(*)::int from promo_pages p
  where p.customer_id = dvp_layouts.customer_id and p.layout_id = dvp_layouts.id)`
const publishedPages = sql<number>`(select count(*)::int from promo_pages p ${shownJoins}
  where p.customer_id = dvp_layouts.customer_id and p.layout_id = dvp_layouts.id and ${isShown})`
const isReadOnly = sql<boolean>`current_setting('app.reach', true) is distinct from 'customer'`

/** The layouts of the customer. */
export const layoutTable = recordTable(layoutRecord, layoutRecordCalls, LAYOUT_LIST, 'dvpLayouts', {
  name: 'dvpLayouts',
  columns: { top: 'json', bottom: 'json', pages, publishedPages, isReadOnly },
  fields: {
    name: { order: sql`dvp_layouts.name_key`, isNeverNull: true },
    isOrdered: { isNeverNull: true },
    pages: { value: pages, isNeverNull: true },
    updatedAt: { isNeverNull: true },
  },
  searches: [sql.ref('dvp_layouts.name'), sql.ref('dvp_layouts.note')],
  constraints: {
    dvp_layouts_customer_id_name_key_key: {
      message: 'Another layout already has this name.',
      fields: { name: 'This name is already in use.' },
    },
  },
  async findKept(db, { reach }, ids) {
    if (reach !== 'customer') return new Map(ids.map((id) => [id, LAYOUTS_MANAGED]))
    const uses = [
      { nouns: ['promo page', 'promo pages'], from: sql`select layout_id, name from promo_pages` },
    ] as const
    return findUses(db, { noun: 'layout', table: 'dvp_layouts', uses }, ids)
  },
  inUse: 'Pages use this layout.',
})

const versions = savedVersions({
  table: 'dvpLayouts',
  versions: 'dvpLayoutVersions',
  of: 'layout_id',
  kept: {
    name: 'name',
    note: 'note',
    allowed: 'allowed',
    isOrdered: 'is_ordered',
    top: 'top',
    bottom: 'bottom',
  },
  schema: LayoutVersion,
  most: MAX_LAYOUT_VERSIONS,
})

const SentBlocks = z.object({ top: StoredBlocks.optional(), bottom: StoredBlocks.optional() })
type LayoutBlocks = Readonly<{ top: readonly StoredBlock[]; bottom: readonly StoredBlock[] }>

/** The blocks as they are stored. @throws Failure 400 that names the block that can't be on a page */
function lockedBlocks(
  { top, bottom }: z.infer<typeof SentBlocks>,
  before: LayoutBlocks,
): { top?: StoredBlock[]; bottom?: StoredBlock[] } {
  const check = (name: 'top' | 'bottom', blocks: readonly StoredBlock[] | undefined) => {
    if (blocks === undefined) return undefined
    const other = name === 'top' ? (bottom ?? before.bottom) : (top ?? before.top)
    const [fault] = [
      ...faultsOnSave(blocks, { layout: null, before: before[name] }),
      ...faultsOnPublish(blocks, null),
    ]
    if (fault !== undefined) throw refused('Some fields are invalid.', { [name]: fault.message })
    if (blocks.some(({ id }) => other.some((one) => one.id === id)))
      throw refused('Some fields are invalid.', { [name]: 'Each block needs an ID of its own.' })
    return storedBlocks(blocks)
  }
  const [above, below] = [check('top', top), check('bottom', bottom)]
  return { ...(above && { top: above }), ...(below && { bottom: below }) }
}

/**
 * A layout is shown as soon as it is saved, so what its new blocks name must exist. None of it is deleted before.
 * @throws Failure 400 that names the block
 */
async function requireTargets(
  db: Database,
  { top, bottom }: z.infer<typeof SentBlocks>,
  before: LayoutBlocks,
): Promise<void> {
  const known = JSON.stringify([...before.top, ...before.bottom].map(({ data }) => data))
  for (const [name, blocks] of Object.entries({ top, bottom }))
    for (const [at, block] of knownBlocks(blocks ?? []).entries()) {
      const [table, key] =
        block.type === 'form'
          ? (['forms', block.data.formKey] as const)
          : (['lots', block.type === 'hours' || block.type === 'map' ? block.data.lotId : null] as const)
      if (key === null || key === '' || known.includes(JSON.stringify(key))) continue
      // oxlint-disable-next-line no-await-in-loop -- One connection.
      const held = await holdRecords(db, table, [key], table === 'forms' ? 'key' : 'id')
      if (!held.has(key))
        throw refused('Some fields are invalid.', {
          [name]: `Block ${at + 1} (${blockTitle(block.type)}): its ${table === 'forms' ? 'form' : 'lot'} doesn't exist anymore. Choose another one.`,
        })
    }
}

const NO_BLOCKS: LayoutBlocks = { top: [], bottom: [] }

/** A layout is shown as soon as it is saved, so its new pictures are decoded before. @throws Failure 400 that names the picture */
async function requirePictures(
  checkPictures: CheckPictures,
  { customerId }: Member,
  { top, bottom }: z.infer<typeof SentBlocks>,
  before: LayoutBlocks,
): Promise<void> {
  const known = [...before.top, ...before.bottom]
  for (const [name, blocks] of Object.entries({ top, bottom })) {
    // oxlint-disable-next-line no-await-in-loop -- One picture in memory at a time.
    const problem = blocks === undefined ? null : await checkPictures(customerId, blocks, known)
    if (problem !== null) throw refused('Some fields are invalid.', { [name]: problem })
  }
}

/** Only users with access to the whole customer fill layouts. */
function requireHeadOffice({ reach }: Member): void {
  if (reach !== 'customer') throw forbidden(LAYOUTS_MANAGED)
}

const UNKNOWN = 'It allows a type of block that this version of the product doesn’t know.'

export const layoutHandlers = (
  jobs: StartJobs,
  checkPictures: CheckPictures,
): Handlers<typeof dvpLayouts> => ({
  ...layoutTable.handlers,
  removeMany(call) {
    requireHeadOffice(call.actor)
    return layoutTable.removing(jobs).removeMany(call)
  },
  async add({ inTenantOnce, actor, input }) {
    requireHeadOffice(actor)
    await requirePictures(checkPictures, actor, input, NO_BLOCKS)
    return inTenantOnce((db) => addLayout(db, input))
  },
  async update({ inTenant, inTenantOnce, actor, input }) {
    requireHeadOffice(actor)
    const before = await inTenant((db) => layoutTable.read(db, input.id))
    await requirePictures(checkPictures, actor, SentBlocks.parse(input), before)
    return inTenantOnce((db) => saveLayout(db, input))
  },
  async versions({ db, input: { id } }) {
    await layoutTable.read(db, id)
    return versions.list(db, id)
  },
  async version({ db, input: { id, number } }) {
    await layoutTable.read(db, id)
    return versions.read(db, id, number)
  },
  async restore({ inTenant, inTenantOnce, actor, input: { id, version, to } }) {
    requireHeadOffice(actor)
    const { before, restored } = await inTenant(async (db) => ({
      before: await layoutTable.read(db, id),
      restored: await versions.read(db, id, to),
    }))
    const { name, note, allowed, isOrdered, top, bottom } = restored
    const known = allowed.filter(isBlockType)
    // None would allow all.
    if (known.length < allowed.length) throw refused('Some fields are invalid.', { allowed: UNKNOWN })
    await requirePictures(checkPictures, actor, { top, bottom }, before)
    return inTenantOnce((db) =>
      saveLayout(db, { id, version, name, note, allowed: known, isOrdered, top, bottom }),
    )
  },
  remove(call) {
    requireHeadOffice(call.actor)
    return layoutTable.handlers.remove(call)
  },
})

/** Adds a layout. @throws Failure 409 or 400 with the fields that are wrong */
export async function addLayout(db: Database, input: Parameters<typeof layoutTable.add>[1]) {
  const blocks = lockedBlocks(input, NO_BLOCKS)
  await requireTargets(db, input, NO_BLOCKS)
  const added = await layoutTable.add(db, { ...input, ...blocks })
  await versions.store(db, added.id)
  return added
}

/** Changes a layout, and with it what its pages show. @throws Failure 404, 409 or 400 with the fields that are wrong */
export async function saveLayout(
  db: Database,
  input: Parameters<typeof layoutTable.update>[1],
): Promise<Layout> {
  const { id } = input
  const current = await layoutTable.read(db, id)
  const sent = SentBlocks.parse(input)
  const blocks = lockedBlocks(sent, current)
  await requireTargets(db, sent, current)
  // One that was deleted before versions were kept, and restored since, has none.
  await versions.store(db, id)
  const saved = await layoutTable.update(db, { ...input, ...blocks })
  await versions.store(db, id)
  await checkPagesOfLayout(db, id)
  return saved
}
