import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { NewQuestion, Questions } from './import-questions.ts'

/** Why an answer left a line out, as it is kept with the line. */
export const NO_CREDIT = 'Left out, because the quantity is below 0 and no credit.'
export const CALLED_SO = 'Left out, because it is called'

/** What an earlier file's answer made of a line: a credit, nothing that counts, or a bill like the others. */
type Decision = 'subtract' | 'leave' | 'count'
/** Of larger files, ordinary bills aren't looked up. */
const MOST_LINES = 5_000
export type DecidedLines = ReadonlyMap<string, Decision>

/**
 * What the lines of earlier files with the same headings were, by their cells: lists that grow have them again and again. Those of
 * undone imports don't count.
 */
export async function readDecided(
  db: Database,
  { inventoryId, titles }: { inventoryId: string; titles: readonly string[] },
): Promise<DecidedLines> {
  const { rows } = await sql<{ cells: string[]; decision: Decision }>`
    select l.cells, case when r.quantity > 0 then 'count' when l.record_id is not null or l.left_bill is not null then 'subtract'
      else 'leave' end as decision
    from activity_imports i
    join activity_import_lines l on l.customer_id = i.customer_id and l.import_id = i.id
    left join activity_records r on r.customer_id = l.customer_id and r.id = l.record_id and r.version = l.record_version
    where i.inventory_id = ${inventoryId} and i.undone_at is null and i.titles = ${[...titles]}::text[]
      and l.cells is not null and (r.quantity < 0 or (r.quantity > 0 and i.lines <= ${MOST_LINES}) or (l.left_bill ->> 'quantity')::numeric < 0
        or (l.skipped = 'left' and (l.reasons like ${`%${NO_CREDIT}%`} or l.reasons like ${`%${CALLED_SO}%`})))
    order by l.import_id, l.line`.execute(db)
  return new Map(rows.map(({ cells, decision }) => [keyOf(cells), decision]))
}

/** Asks what a line is; if an earlier file had the same line, the answer of then is proposed. */
export function askDecided(
  { raw, line }: { raw: readonly string[]; line: number },
  question: NewQuestion,
  { questions, decided }: { questions: Questions; decided: DecidedLines },
): string | null {
  const before = decided.get(keyOf(raw))
  if (before === undefined) return questions.ask(question)
  const { choices, text } = question
  const answer = questions.ask({
    ...question,
    id: `before:${question.id}`,
    each: `${line}`,
    text: `${text} An earlier file had the same line.`,
    choices: [{ value: 'before', label: 'What it was in the earlier file' }, ...choices],
    proposal: 'before',
  })
  return answer === 'before' ? before : answer
}

/** Without blank cells at the end: lines of a file may lack them. */
function keyOf(cells: readonly string[]): string {
  const trimmed = cells.map((cell) => cell.trim())
  return trimmed.slice(0, trimmed.findLastIndex((cell) => cell !== '') + 1).join('\u001F')
}
