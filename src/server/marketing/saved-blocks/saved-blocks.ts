import { sql } from 'kysely'
import { z } from 'zod'
import { type StoredBlock, StoredBlocks } from '#contract/marketing/pages/blocks.ts'
import { faultsOnSave, storedBlocks } from '#contract/marketing/pages/check-blocks.ts'
import {
  SAVED_BLOCKS_LIST,
  SAVED_BLOCKS_MANAGED,
  savedBlocks,
  savedBlocksRecord,
} from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { forbidden, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { recordTable } from '#server/lists/record-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { StartJobs } from '#server/queue/jobs.ts'

const isReadOnly = sql<boolean>`current_setting('app.reach', true) is distinct from 'customer'
  and saved_blocks.saved_in is distinct from nullif(current_setting('app.organization_id', true), '')::bigint`

/** Blocks that are saved for reuse. */
export const savedBlocksTable = recordTable(
  savedBlocksRecord,
  savedBlocks,
  SAVED_BLOCKS_LIST,
  'savedBlocks',
  {
    name: 'savedBlocks',
    columns: { blocks: 'json', isReadOnly },
    fields: {
      name: { order: sql`saved_blocks.name_key`, isNeverNull: true },
      updatedAt: { isNeverNull: true },
    },
    searches: [sql.ref('saved_blocks.name')],
    async findKept(db, _actor, ids) {
      return new Map((await findReadOnly(db, ids)).map((id) => [id, SAVED_BLOCKS_MANAGED]))
    },
    constraints: {
      saved_blocks_customer_id_name_key_key: {
        message: 'Other saved blocks already have this name.',
        fields: { name: 'This name is already in use.' },
      },
    },
  },
)

async function findReadOnly(db: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from saved_blocks where id = any(${[...ids]}::bigint[]) and ${isReadOnly}`.execute(db)
  return rows.map(({ id }) => id)
}

/** @throws Failure 403 */
async function requireOwn(db: Database, ids: readonly string[]): Promise<void> {
  if ((await findReadOnly(db, ids)).length > 0) throw forbidden(SAVED_BLOCKS_MANAGED)
}

const SentBlocks = z.object({ blocks: StoredBlocks.optional() })

/** The blocks as they are stored. @throws Failure 400 that names the block that can't be on any page */
function checkBlocks(blocks: readonly StoredBlock[], before: readonly StoredBlock[]): StoredBlock[] {
  const [fault] = faultsOnSave(blocks, { layout: null, before })
  if (fault !== undefined) throw refused('Some fields are invalid.', { blocks: fault.message })
  return storedBlocks(blocks)
}

export const savedBlocksHandlers = (jobs: StartJobs): Handlers<typeof savedBlocks> => ({
  ...savedBlocksTable.handlers,
  async remove(call) {
    await requireOwn(call.db, [call.input.id])
    return savedBlocksTable.handlers.remove(call)
  },
  async removeMany(call) {
    const { selection } = call.input
    if ('ids' in selection) await requireOwn(call.db, selection.ids)
    return savedBlocksTable.removing(jobs).removeMany(call)
  },
  add({ db, input }) {
    const { blocks } = SentBlocks.parse(input)
    return savedBlocksTable.add(db, { ...input, blocks: checkBlocks(blocks ?? [], []) })
  },
  async update({ db, input }) {
    const { blocks } = SentBlocks.parse(input)
    const before = await savedBlocksTable.read(db, input.id)
    await requireOwn(db, [input.id])
    return savedBlocksTable.update(db, {
      ...input,
      ...(blocks && { blocks: checkBlocks(blocks, before.blocks) }),
    })
  },
})
