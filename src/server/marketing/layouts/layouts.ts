import { sql } from 'kysely'
import { z } from 'zod'
import {
  type dvpLayouts as contract,
  dvpLayouts,
  LAYOUT_LIST,
  layoutRecord,
} from '#contract/marketing/layouts/layouts.ts'
import { blockTitle, knownBlocks, StoredBlocks, type StoredBlock } from '#contract/marketing/pages/blocks.ts'
import {
  faultsOnPublish,
  faultsOnSave,
  type LayoutRules,
  storedBlocks,
} from '#contract/marketing/pages/check-blocks.ts'
import { holdRecords } from '#server/database/hold-records.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { recordTable } from '#server/lists/record-table.ts'
import { findUses } from '#server/lists/uses.ts'
import type { StartJobs } from '#server/queue/jobs.ts'

const pages = sql<number>`(select count(*)::int from promo_pages p
  where p.customer_id = dvp_layouts.customer_id and p.layout_id = dvp_layouts.id)`
const FOREIGN = 'Layouts are managed by users with access to the whole customer.'

/** The layouts of the customer. */
export const layoutTable = recordTable(layoutRecord, dvpLayouts, LAYOUT_LIST, 'dvpLayouts', {
  name: 'dvpLayouts',
  columns: { top: 'json', bottom: 'json', pages },
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
    if (reach !== 'customer') return new Map(ids.map((id) => [id, FOREIGN]))
    const uses = [
      { nouns: ['promo page', 'promo pages'], from: sql`select layout_id, name from promo_pages` },
    ] as const
    return findUses(db, { noun: 'layout', table: 'dvp_layouts', uses }, ids)
  },
  inUse: 'Pages use this layout.',
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
      ...faultsOnPublish(blocks),
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

/** Only users with access to the whole customer fill layouts. */
function requireHeadOffice({ reach }: Member): void {
  if (reach !== 'customer') throw forbidden(FOREIGN)
}

export const layoutHandlers = (jobs: StartJobs): Handlers<typeof contract> => ({
  ...layoutTable.handlers,
  removeMany(call) {
    requireHeadOffice(call.actor)
    return layoutTable.removing(jobs).removeMany(call)
  },
  add({ db, actor, input }) {
    requireHeadOffice(actor)
    return addLayout(db, input)
  },
  async update(call) {
    const { db, actor, input } = call
    requireHeadOffice(actor)
    const current = await layoutTable.read(db, input.id)
    const sent = SentBlocks.parse(input)
    const blocks = lockedBlocks(sent, current)
    await requireTargets(db, sent, current)
    return layoutTable.handlers.update({ ...call, input: { ...input, ...blocks } })
  },
  remove(call) {
    requireHeadOffice(call.actor)
    return layoutTable.handlers.remove(call)
  },
})

/** Adds a layout. @throws Failure 409 or 400 with the fields that are wrong */
export async function addLayout(db: Database, input: Parameters<typeof layoutTable.add>[1]) {
  const none = { top: [], bottom: [] }
  const blocks = lockedBlocks(input, none)
  await requireTargets(db, input, none)
  return layoutTable.add(db, { ...input, ...blocks })
}

/** What a layout lets pages do; null if there is none. */
export async function readRules(db: Database, id: string | null): Promise<LayoutRules | null> {
  if (id === null) return null
  const { rows } = await sql<{ name: string; allowed: string[]; isOrdered: boolean; locked: unknown }>`
    select name, allowed, is_ordered, top || bottom as locked from dvp_layouts where id = ${id}`.execute(db)
  const [row] = rows
  return row === undefined ? null : { ...row, locked: StoredBlocks.catch([]).parse(row.locked) }
}
