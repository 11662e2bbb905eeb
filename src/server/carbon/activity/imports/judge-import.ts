import type { ImportLine, ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { judgeRows } from '../records/save-records.ts'
import { foldName, nearFacilities, nearTypes } from './find-names.ts'
import type { ImportContext } from './import-context.ts'
import { fieldAt, type ReadLine, readLines } from './read-lines.ts'
import type { SheetColumns } from './sheet-columns.ts'

type Inventory = { id: string; periodStart: string; periodEnd: string }
export type JudgedLine = ReadLine & Pick<ImportLine, 'state'>
export type JudgedImport = {
  lines: JudgedLine[]
  /** What is written: those that are ready, and the lines they stand on. */
  judged: Awaited<ReturnType<typeof judgeRows>>
  counts: Record<JudgedLine['state'] | 'warned', number>
}

/** What each line of a file would become; nothing is written. */
export async function judgeImport(
  db: Database,
  actor: Pick<Member, 'may'>,
  {
    inventory,
    columns,
    mapping,
    context,
  }: { inventory: Inventory; columns: SheetColumns; mapping: ImportMapping; context: ImportContext },
): Promise<JudgedImport> {
  const read = readLines(columns, mapping, context)
  const rows = read.flatMap(({ line, record }) =>
    record === null ? [] : [{ key: String(line), version: undefined, record }],
  )
  const judged = await judgeRows(db, actor, inventory, rows)
  const told = new Map(judged.told.map((one) => [Number(one.key), one]))
  const lines = read.map((one): JudgedLine => {
    const said = told.get(one.line)
    if (said === undefined) return { ...one, state: 'refused' }
    const problems = said.problems.map(({ field, level, message }) => ({
      field: fieldAt(field),
      level,
      message,
    }))
    if (said.isKnown) return { ...one, problems, state: 'known' }
    if (said.state !== 'saved') return { ...one, problems, state: 'refused' }
    return { ...one, problems, state: mapping.leavesWarned && problems.length > 0 ? 'left' : 'ready' }
  })
  const left = new Set(lines.filter(({ state }) => state === 'left').map(({ line }) => String(line)))
  const count = (state: JudgedLine['state']) => lines.filter((one) => one.state === state).length
  return {
    lines,
    judged: {
      told: judged.told.filter(({ key }) => !left.has(key)),
      ready: judged.ready.filter(({ row }) => !left.has(row.key)),
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

/** "12 lines. 11 become records, 1 is refused." */
export function sentenceOf({ lines, counts }: JudgedImport): string {
  const { ready, known, left, refused } = counts
  const all = lines.length
  if (all === 0) return 'The sheet has no lines below its titles.'
  if (known === all) return all === 1 ? 'The one line is there already.' : `All ${all} are there already.`
  const words = [
    `${ready} ${ready === 1 ? 'becomes a record' : 'become records'}`,
    ...(known > 0 ? [`${known} ${known === 1 ? 'is' : 'are'} there already`] : []),
    ...(left > 0 ? [`${left} ${left === 1 ? 'is' : 'are'} left out as unusual`] : []),
    ...(refused > 0 ? [`${refused} ${refused === 1 ? 'is' : 'are'} refused`] : []),
  ]
  return `${all} ${all === 1 ? 'line' : 'lines'}: ${words.join(', ')}.`
}

/** Names in the file that nothing has, each once, with what they may mean. */
export function findUnknown(
  lines: readonly JudgedLine[],
  { facilities, types }: ImportContext,
): Pick<ImportPreview, 'unknownFacilities' | 'unknownSources'> {
  const of = (which: 'facility' | 'source', near: (text: string) => string[]) => {
    const groups = Map.groupBy(
      lines.flatMap(({ unknown }) => unknown[which] ?? []),
      foldName,
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

/** More names than these are no names but another column. */
const MOST_UNKNOWN = 30
