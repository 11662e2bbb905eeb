import type { ImportLine, ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { checkRows } from '../records/save-records.ts'
import { normalizeName, nearFacilities, nearTypes } from './find-names.ts'
import type { ImportContext } from './import-context.ts'
import { fieldAt, type ReadLine, readLines } from './read-lines.ts'
import type { SheetColumns } from './sheet-columns.ts'

type Inventory = { id: string; periodStart: string; periodEnd: string }
export type CheckedLine = ReadLine & Pick<ImportLine, 'state'>
export type CheckedImport = {
  lines: CheckedLine[]
  /** The rows to save: those that are ready, with the lines they come from. */
  checked: Awaited<ReturnType<typeof checkRows>>
  counts: Record<CheckedLine['state'] | 'warned', number>
}

/** Returns what each line of a file would become; nothing is saved. */
export async function checkImport(
  db: Database,
  actor: Pick<Member, 'may'>,
  {
    inventory,
    columns,
    mapping,
    context,
  }: { inventory: Inventory; columns: SheetColumns; mapping: ImportMapping; context: ImportContext },
): Promise<CheckedImport> {
  const read = readLines(columns, mapping, context)
  const rows = read.flatMap(({ line, record }) =>
    record === null ? [] : [{ key: String(line), version: undefined, record }],
  )
  const checked = await checkRows(db, actor, inventory, rows)
  const byLine = new Map(checked.results.map((one) => [Number(one.key), one]))
  const lines = read.map((one): CheckedLine => {
    const result = byLine.get(one.line)
    if (result === undefined) return { ...one, state: 'refused' }
    const problems = result.problems.map(({ field, level, message }) => ({
      field: fieldAt(field),
      level,
      message,
    }))
    if (result.isKnown) return { ...one, problems, state: 'known' }
    if (result.state !== 'saved') return { ...one, problems, state: 'refused' }
    return { ...one, problems, state: mapping.leavesWarned && problems.length > 0 ? 'left' : 'ready' }
  })
  const left = new Set(lines.filter(({ state }) => state === 'left').map(({ line }) => String(line)))
  const count = (state: CheckedLine['state']) => lines.filter((one) => one.state === state).length
  return {
    lines,
    checked: {
      results: checked.results.filter(({ key }) => !left.has(key)),
      ready: checked.ready.filter(({ row }) => !left.has(row.key)),
    },
    counts: {
      ready: count('ready'),
      known: count('known'),
      left: count('left'),
      refused: count('refused'),
      warned: lines.filter(({ state, problems }) => state === 'ready' && problems.length > 0).length,
    },
  }
}

/** "12 lines: 11 valid, 1 rejected." */
export function sentenceOf({ lines, counts }: CheckedImport): string {
  const { ready, known, left, refused } = counts
  const all = lines.length
  if (all === 0) return 'The sheet has no lines below its header.'
  if (known === all)
    return all === 1 ? 'The line was already imported.' : `All ${all} lines were already imported.`
  const words = [
    `${ready} valid`,
    ...(known > 0 ? [`${known} already imported`] : []),
    ...(left > 0 ? [`${left} left out as unusual`] : []),
    ...(refused > 0 ? [`${refused} rejected`] : []),
  ]
  return `${all} ${all === 1 ? 'line' : 'lines'}: ${words.join(', ')}.`
}

/** Names in the file that match nothing, each once, with suggestions. */
export function findUnknown(
  lines: readonly CheckedLine[],
  { facilities, types }: ImportContext,
): Pick<ImportPreview, 'unknownFacilities' | 'unknownSources'> {
  const of = (which: 'facility' | 'source', near: (text: string) => string[]) => {
    const groups = Map.groupBy(
      lines.flatMap(({ unknown }) => unknown[which] ?? []),
      normalizeName,
    )
    return [...groups].slice(0, MOST_UNKNOWN).map(([, [text = '', ...more]]) => ({
      text: text.slice(0, 200),
      lines: more.length + 1,
      near: near(text),
    }))
  }
  return {
    unknownFacilities: of('facility', (text) => nearFacilities(text, facilities)),
    unknownSources: of('source', (text) => nearTypes(text, types)),
  }
}

/** With more unknown names than this, the wrong column is mapped. */
const MOST_UNKNOWN = 30
