import { sql } from 'kysely'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { instant } from '#server/lists/json-text.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** Questions about records: their answers hold only for the records that the user saw. */
const OF_RECORDS: readonly string[] = [
  'replace',
  'sameDay',
  'sameDays',
  'again',
  'sameMeter',
  'otherMeter',
  'overlap',
  'overlaps',
]
/** The answer that tells when the records were read: each preview gives it. */
const SEEN = 'seen'

const isOfRecords = (id: string): boolean => OF_RECORDS.includes(id.split(':')[0] ?? '')
const isAnswered = ({ answers }: ImportMapping): boolean => Object.keys(answers).some(isOfRecords)

/** Whether records of an inventory changed after the preview whose questions were answered. */
export async function changedSince(
  db: Database,
  inventoryId: string,
  mapping: ImportMapping,
): Promise<boolean> {
  const seen = mapping.answers[SEEN]
  if (seen === undefined || Number.isNaN(Date.parse(seen)) || !isAnswered(mapping)) return false
  const { rows } = await sql`
    select from emission_sources s where s.inventory_id = ${inventoryId} and exists (
      select from activity_records r where r.source_id = s.id
        and (r.created_at > ${seen}::timestamptz or r.replaced_at > ${seen}::timestamptz))
    limit 1`.execute(db)
  return rows.length > 0
}

/** The mapping without the answers about records, which are asked again. */
export const withoutRecords = (mapping: ImportMapping): ImportMapping => ({
  ...mapping,
  answers: Object.fromEntries(
    Object.entries(mapping.answers).filter(([id]) => !isOfRecords(id) && id !== SEEN),
  ),
})

/** The mapping with the moment at which its questions about records were asked: the first that still holds. */
export async function withSeen(db: Database, mapping: ImportMapping): Promise<ImportMapping> {
  if (mapping.answers[SEEN] !== undefined && isAnswered(mapping)) return mapping
  const { rows } = await sql<{ now: string }>`select ${instant(sql`app_now()`)} as now`.execute(db)
  return { ...mapping, answers: { ...mapping.answers, [SEEN]: rows[0]?.now ?? '' } }
}
