import { sql } from 'kysely'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { instant } from '#server/lists/json-text.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { RECORD_QUESTIONS } from './ask-about-bills.ts'

/** The answer that tells when the records were read: each preview gives it. */
const SEEN = 'seen'

export const seenAt = ({ answers }: ImportMapping): string | undefined => answers[SEEN]

const isOfRecords = (id: string): boolean => RECORD_QUESTIONS.some((name) => name === id.split(':')[0])
const isAnswered = ({ answers }: ImportMapping): boolean => Object.keys(answers).some(isOfRecords)

/** Whether a record that is asked about changed after the preview whose questions were answered. */
export const isOutdated = ({ isStale, mapping }: { isStale: boolean; mapping: ImportMapping }): boolean =>
  isStale && isAnswered(mapping)

/** The mapping without the answers about records, which are asked again. */
export const withoutRecords = (mapping: ImportMapping): ImportMapping => ({
  ...mapping,
  answers: Object.fromEntries(
    Object.entries(mapping.answers).filter(([id]) => !isOfRecords(id) && id !== SEEN),
  ),
})

/** The mapping with the moment at which its questions about records were asked: the first that still holds. */
export async function withSeen(db: Database, mapping: ImportMapping): Promise<ImportMapping> {
  if (seenAt(mapping) !== undefined && isAnswered(mapping)) return mapping
  const { rows } = await sql<{ now: string }>`select ${instant(sql`app_now()`)} as now`.execute(db)
  return { ...mapping, answers: { ...mapping.answers, [SEEN]: rows[0]?.now ?? '' } }
}
