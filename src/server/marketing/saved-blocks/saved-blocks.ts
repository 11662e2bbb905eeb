import { sql } from 'kysely'
import { z } from 'zod'
import { type StoredBlock, StoredBlocks } from '#contract/marketing/pages/blocks.ts'
import { faultsOnSave, storedBlocks } from '#contract/marketing/pages/check-blocks.ts'
import {
  SAVED_BLOCKS_LIST,
  savedBlocks,
  savedBlocksRecord,
} from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { recordTable } from '#server/lists/record-table.ts'
import type { StartJobs } from '#server/queue/jobs.ts'

/** Blocks that are saved for reuse. */
export const savedBlocksTable = recordTable(
  savedBlocksRecord,
  savedBlocks,
  SAVED_BLOCKS_LIST,
  'savedBlocks',
  {
    name: 'savedBlocks',
    columns: { blocks: 'json' },
    fields: {
      name: { order: sql`saved_blocks.name_key`, isNeverNull: true },
      updatedAt: { isNeverNull: true },
    },
    searches: [sql.ref('saved_blocks.name')],
    constraints: {
      saved_blocks_customer_id_name_key_key: {
        message: 'Other saved blocks already have this name.',
        fields: { name: 'This name is already in use.' },
      },
    },
  },
)

const SentBlocks = z.object({ blocks: StoredBlocks.optional() })

/** The blocks as they are stored. @throws Failure 400 that names the block that can't be on any page */
function checkBlocks(blocks: readonly StoredBlock[], before: readonly StoredBlock[]): StoredBlock[] {
  const [fault] = faultsOnSave(blocks, { layout: null, before })
  if (fault !== undefined) throw refused('Some fields are invalid.', { blocks: fault.message })
  return storedBlocks(blocks)
}

export const savedBlocksHandlers = (jobs: StartJobs): Handlers<typeof savedBlocks> => ({
  ...savedBlocksTable.handlers,
  ...savedBlocksTable.removing(jobs),
  add({ db, input }) {
    const { blocks } = SentBlocks.parse(input)
    return savedBlocksTable.add(db, { ...input, blocks: checkBlocks(blocks ?? [], []) })
  },
  async update({ db, input }) {
    const { blocks } = SentBlocks.parse(input)
    const before = await savedBlocksTable.read(db, input.id)
    return savedBlocksTable.update(db, {
      ...input,
      ...(blocks && { blocks: checkBlocks(blocks, before.blocks) }),
    })
  },
})
