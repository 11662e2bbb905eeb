import { sql } from 'kysely'
import { blockTitle, knownBlocks, type StoredBlock } from '#contract/marketing/pages/blocks.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** Why a block can't show what it refers to, as a sentence that names it; null if all can. */
export async function findProblems(db: Database, blocks: readonly StoredBlock[]): Promise<string | null> {
  const keys = knownBlocks(blocks).flatMap((one) => (one.type === 'form' ? [one.data.formKey] : []))
  const lots = knownBlocks(blocks).flatMap((one) =>
    (one.type === 'hours' || one.type === 'map') && one.data.lotId !== null ? [one.data.lotId] : [],
  )
  const { rows } = await sql<{ forms: string[]; lots: string[] }>`
    select array(select key from forms where key = any(${keys}) and published_number is not null and closed_at is null) as forms,
      array(select id::text from lots where id = any(${lots}::bigint[])) as lots`.execute(db)
  const found = rows[0] ?? { forms: [], lots: [] }
  for (const [at, stored] of blocks.entries()) {
    const [block] = knownBlocks([stored])
    const name = `Block ${at + 1} (${blockTitle(stored.type)})`
    if (block?.type === 'form' && block.data.formKey !== '' && !found.forms.includes(block.data.formKey))
      return `${name}: its form isn't published. Publish the form, or choose another one.`
    if (
      (block?.type === 'hours' || block?.type === 'map') &&
      block.data.lotId !== null &&
      !found.lots.includes(block.data.lotId)
    )
      return `${name}: choose a lot that exists.`
  }
  return null
}
