import { sql } from 'kysely'
import { compileDefinition, type CompiledDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { type ObligationScope, withObligations } from '#contract/questions/obligations.ts'
import { Scoring } from '#contract/questions/scores/scoring.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** The version of a questionnaire that an assessment asks. */
export type PinnedVersion = Readonly<{
  compiled: CompiledDefinition
  scoring: Scoring
}>

/**
 * A published version never changes, so it is parsed once. By the hash of its content instead of its ID, so that the content of
 * a transaction that was rolled back, or of another database, is never taken for it.
 */
const MOST_KEPT = 100
const kept = new Map<string, PinnedVersion>()

/** Reads a published version with the obligations of an edition and size. The caller has read an assessment of this customer that asks it. */
export async function readPinnedVersion(
  db: Database,
  of: { customerId: string; questionnaireId: string; number: number } & Partial<ObligationScope>,
): Promise<PinnedVersion> {
  const where = sql`questionnaire_id = ${of.questionnaireId} and number = ${of.number}`
  const { rows: hashes } = await sql<{ hash: string }>`
    select md5(definition::text || scoring::text) as hash from questionnaire_versions where ${where}`.execute(
    db,
  )
  const { edition = null, size = null } = of
  const hash = `${hashes[0]?.hash ?? ''} ${edition ?? ''} ${size ?? ''}`
  const known = kept.get(hash)
  if (known !== undefined) {
    kept.delete(hash)
    kept.set(hash, known)
    return known
  }
  const { rows } = await sql<{ definition: unknown; scoring: unknown }>`
    select definition, scoring from questionnaire_versions where ${where}`.execute(db)
  const [row] = rows
  if (row === undefined) {
    throw new Error(
      `Version ${of.number} of questionnaire ${of.questionnaireId} of customer ${of.customerId} is missing.`,
    )
  }
  const version = {
    compiled: compileDefinition(withObligations(Definition.parse(row.definition), { edition, size })),
    scoring: Scoring.parse(row.scoring),
  }
  kept.set(hash, version)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return version
}
