import { sql } from 'kysely'
import { compileDefinition, type CompiledDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { Scoring } from '#contract/questions/scores/scoring.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** The version of a questionnaire that an assessment asks. */
export type PinnedVersion = Readonly<{
  compiled: CompiledDefinition
  scoring: Scoring
}>

/** A published version never changes, so it is parsed once. */
const MOST_KEPT = 100
const kept = new Map<string, PinnedVersion>()

/** Reads a published version. The caller has read an assessment of this customer that asks it. */
export async function readPinnedVersion(
  db: Database,
  of: { customerId: string; questionnaireId: string; number: number },
): Promise<PinnedVersion> {
  const key = `${of.customerId}/${of.questionnaireId}/${of.number}`
  const known = kept.get(key)
  if (known !== undefined) {
    kept.delete(key)
    kept.set(key, known)
    return known
  }
  const { rows } = await sql<{ definition: unknown; scoring: unknown }>`
    select definition, scoring from questionnaire_versions
    where questionnaire_id = ${of.questionnaireId} and number = ${of.number}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`Version ${key} of a questionnaire is missing.`)
  const version = {
    compiled: compileDefinition(Definition.parse(row.definition)),
    scoring: Scoring.parse(row.scoring),
  }
  kept.set(key, version)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return version
}
