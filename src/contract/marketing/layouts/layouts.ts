import { z } from 'zod'
import { crud } from '#contract/crud.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { field, flag, optionalText, record, requiredText } from '#contract/record.ts'
import { savedVersion, savedVersions } from '#contract/versioned-document.ts'
import { BLOCK_TYPE_NAMES, StoredBlocks } from '../pages/blocks.ts'

const blocks = (label: string) =>
  field(label, { input: StoredBlocks.optional(), stored: StoredBlocks, blank: [] })

const AllowedType = z.enum(BLOCK_TYPE_NAMES, 'Choose types of blocks from the list.')

/** A DVP layout with its fields in form order. Belongs to the customer. */
export const layoutRecord = record(
  {
    name: requiredText('Name', 100),
    note: optionalText('Note', 300),
    /** Types of blocks that a page may have, in their order; empty: all. */
    allowed: field('Allowed blocks', {
      input: z
        .array(AllowedType)
        .transform((types) => [...new Set(types)])
        .optional(),
      stored: z.array(z.string()),
      blank: [],
    }),
    isOrdered: flag('Blocks follow the order of the list', { initial: false }),
    /** Locked blocks, before and after those of the page. */
    top: blocks('Locked at the top'),
    bottom: blocks('Locked at the bottom'),
  },
  {
    readOnly: {
      pages: z.number().int(),
      /** Those of them that visitors see now: a change of the locked blocks shows on each at once. */
      publishedPages: z.number().int(),
      /** The reader can't change it: see `LAYOUTS_MANAGED`. */
      isReadOnly: z.boolean(),
    },
  },
)
export type Layout = z.infer<typeof layoutRecord.schema>

/** Why users of one organization can't change a layout. */
export const LAYOUTS_MANAGED = 'Layouts are managed by users with access to the whole customer.'

/** A layout as it was saved at a time. */
export const LayoutVersion = layoutRecord.schema
  .pick({ name: true, note: true, allowed: true, isOrdered: true, top: true, bottom: true })
  .extend(savedVersion)
export type LayoutVersion = z.infer<typeof LayoutVersion>

/** How many versions of a layout are listed, with their blocks. */
export const MAX_LAYOUT_VERSIONS = 50

export const LAYOUT_LIST = defineList({
  key: 'dvpLayouts',
  title: 'DVP layouts',
  nouns: ['layout', 'layouts'],
  page: '/administration/dvp-layouts',
  allow: can(Func.dvpLayouts, Opr.list),
  exports: can(Func.dvpLayouts, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Layout', kind: 'text', isSortable: true, isFixed: true },
    note: { title: 'Note', kind: 'text' },
    pages: { title: 'Pages', kind: 'integer', isSortable: true },
    isOrdered: { title: 'Fixed order', kind: 'flag', isSortable: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

/** The calls that every record has: for its table. */
export const layoutRecordCalls = crud(layoutRecord, {
  list: LAYOUT_LIST,
  func: Func.dvpLayouts,
  changes: ['/api/administration/layout-versions/{id}'],
  summaries: {
    list: 'Lists the layouts of the customer. Searches name and note.',
    add: 'Adds a layout. Returns 409 if the name is already in use, 403 without access to the whole customer.',
    update:
      'Changes a layout and keeps the previous version. Its locked blocks change on every page at once. A stale version returns 409 with the current layout.',
    remove: 'Deletes a layout. Returns 409 while pages use it.',
  },
})

const layoutVersions = savedVersions(layoutRecord.schema, {
  list: LAYOUT_LIST,
  base: '/api/administration',
  func: Func.dvpLayouts,
  versions: { listed: LayoutVersion, whole: LayoutVersion },
  most: MAX_LAYOUT_VERSIONS,
  restores:
    'Restores an earlier version of a layout as the newest one, which shows on all of its published pages (`publishedPages`) at once. Returns 400 with the block whose form or lot no longer exists, 409 with the current layout for a stale version.',
})

/** What saves reads the pictures that the layout shows. */
const READS = { outside: true as const }

export const dvpLayouts = {
  ...layoutRecordCalls,
  add: { ...layoutRecordCalls.add, ...READS },
  update: { ...layoutRecordCalls.update, ...READS },
  ...layoutVersions,
  restore: { ...layoutVersions.restore, ...READS },
}
