import { z } from 'zod'
import { crud } from '#contract/crud.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { field, record, requiredText } from '#contract/record.ts'
import { StoredBlocks } from '../pages/blocks.ts'

/** Blocks under a name, which pages and layouts get copies of. Belong to the customer. */
export const savedBlocksRecord = record(
  {
    name: requiredText('Name', 100),
    blocks: field('Blocks', {
      input: StoredBlocks.min(1, 'Add at least one block.'),
      stored: StoredBlocks,
      blank: [],
    }),
  },
  {
    readOnly: {
      /** The reader can't change them: see `SAVED_BLOCKS_MANAGED`. */
      isReadOnly: z.boolean(),
    },
  },
)
/** Who changes saved blocks. */
export const SAVED_BLOCKS_MANAGED =
  'These blocks are managed by the organization that saved them, and by users with access to the whole customer.'
export type SavedBlocks = z.infer<typeof savedBlocksRecord.schema>

export const SAVED_BLOCKS_LIST = defineList({
  key: 'savedBlocks',
  title: 'Saved blocks',
  nouns: ['saved block', 'saved blocks'],
  page: '/administration/saved-blocks',
  allow: can(Func.promoPages, Opr.list),
  exports: can(Func.promoPages, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Saved block', kind: 'text', isSortable: true, isFixed: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

export const savedBlocks = crud(savedBlocksRecord, {
  list: SAVED_BLOCKS_LIST,
  func: Func.promoPages,
  summaries: {
    list: 'Lists the blocks that were saved for reuse. Searches names.',
    add: 'Saves blocks for reuse. Returns 409 if the name is already in use, 400 with a block that has a price typed by hand.',
    update: 'Changes saved blocks. Pages and layouts keep the copies they have.',
    remove: 'Deletes saved blocks. Pages and layouts keep the copies they have.',
  },
})
