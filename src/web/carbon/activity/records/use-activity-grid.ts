import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { activities, MAX_ROWS } from '#contract/carbon/activity/activity.ts'
import { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { dataRequests } from '#contract/carbon/activity/data-requests.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { carbonOpenItems } from '#contract/carbon/results/open-items.ts'
import type { Output } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, send } from '#web/api/query.ts'
import { useToday } from '#web/session/use-today.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { type CellProblem, type GridColumn, type GridRow, gridRow } from '#web/ui/grid/grid-column.ts'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { useGrid } from '#web/ui/grid/use-grid.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { columnsOf } from './activity-columns.ts'
import {
  errorsInRow,
  inputOf,
  isSame,
  type MergedRow,
  mergeRow,
  problemsByColumn,
  rowOf,
} from './activity-rows.ts'
import { type Draft, readDraft, saveDraft } from './draft-storage.ts'

type RowProblems = Readonly<Record<string, CellProblem>>
/** The server's messages about the row as it was sent. They no longer apply once the row is edited. */
type SaveMessage = Readonly<{ of: GridRow; problems: RowProblems }>
/**
 * The version of the record that a changed row is based on, and its cells if they are known. `shown`: the version whose changes
 * the user was shown, which the next save replaces. It isn't kept in the draft, so that they are shown again after a reload.
 */
type Base = Readonly<{ version: number; cells: GridRow['cells'] | undefined; shown?: number }>
type SavedRow = Output<typeof activities.save>['rows'][number]

type GridOptions = Readonly<{
  source: EmissionSource
  records: readonly ActivityRecord[]
  /** Unit symbols, default first. */
  units: readonly string[]
  /** All units and their aliases. */
  unitTable: UnitTable
  /** The units are currencies. */
  isMoney: boolean
  /** The browser storage key for unsaved changes. */
  draftKey: string
  isFrozen: boolean
}>

const saveRows = send(activities.save)
const removeRecord = send(activities.remove)
const restoreRecord = send(activities.restore)

/**
 * The activity grid of one source: saved records, unsaved changes, and messages of the server. Unsaved changes are
 * stored in the browser until they are saved.
 */
export function useActivityGrid(options: GridOptions) {
  const { source, records, units, unitTable, isMoney, draftKey, isFrozen } = options
  const queries = useQueryClient()
  const today = useToday()
  const [saved, setSaved] = useState(() => new Map(records.map((record) => [record.id, record])))
  const [opened] = useState(() => merge(records, readDraft(draftKey)))
  // Of rows that were changed before the present version was saved: what they are based on.
  const [bases, setBases] = useState<ReadonlyMap<string, Base>>(() => opened.bases)
  const [messages, setMessages] = useState<ReadonlyMap<string, SaveMessage>>(new Map())
  const [stale, setStale] = useState<ReadonlySet<string>>(new Set())
  const [isSaving, setIsSaving] = useState(false)

  const settings = useMemo(() => {
    const lockOf = (row: GridRow) => (isFrozen ? FROZEN : lockReason(saved.get(row.key)))
    const columns = columnsOf(
      source.method,
      { units, unitTable, isMoney, today },
      (row) => resultOf(row, saved.get(row.key)),
      (row) => saved.get(row.key),
    )
    return {
      columns,
      blank: isFrozen ? null : { unit: source.unit },
      most: MAX_ROWS,
      format: localeFormat(),
      lockOf,
    }
  }, [source.method, source.unit, units, unitTable, isMoney, today, saved, isFrozen])
  const names = useMemo(() => new Set(settings.columns.map(({ key }) => key)), [settings.columns])
  const grid = useGrid(opened.rows, settings)
  const { rows } = grid.state
  const latest = useLatest(rows)

  const originals = useMemo(() => new Map([...saved].map(([id, record]) => [id, rowOf(record)])), [saved])
  const changed = useMemo(() => rows.filter((row) => !isSame(row, originals.get(row.key))), [rows, originals])
  const changedKeys = useMemo(() => new Set(changed.map(({ key }) => key)), [changed])
  const there = useMemo(() => new Set(rows.map(({ key }) => key)), [rows])
  const removed = useMemo(() => [...saved.keys()].filter((id) => !there.has(id)), [there, saved])
  const isDirty = changed.length + removed.length > 0
  useEffect(
    () => saveDraft(draftKey, isDirty ? draftOf({ changed, removed, bases, saved }) : null),
    [draftKey, isDirty, changed, removed, bases, saved],
  )

  const problems = useMemo(() => {
    const all = new Map<string, RowProblems>()
    for (const row of rows) {
      const record = saved.get(row.key)
      const own = changedKeys.has(row.key)
        ? errorsInRow(row, inputOf(row, source, record))
        : savedProblems(record, names)
      const message = messages.get(row.key)
      const merged = { ...own, ...(message?.of === row && message.problems) }
      if (Object.keys(merged).length > 0) all.set(row.key, merged)
    }
    return all
  }, [rows, changedKeys, saved, messages, source, names])

  const invalidate = useCallback(() => {
    for (const endpoint of [ledger.totals, ledger.rows, carbonOpenItems.counts]) {
      void queries.invalidateQueries({ queryKey: keyOf(endpoint), refetchType: 'none' })
    }
    // Someone else may have added records. The new records may answer a data request, or be what was missing.
    const shown = [activities.list, carbonOpenItems.list]
    for (const endpoint of [...shown, dataRequests.get, dataRequests.mine, dataRequests.list]) {
      void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
    }
  }, [queries])

  async function save() {
    const ready = changed.filter((row) => {
      const errors = errorsInRow(row, inputOf(row, source, saved.get(row.key)))
      return Object.keys(row.refused).length === 0 && Object.keys(errors).length === 0
    })
    setIsSaving(true)
    try {
      const { gone, newer, failure } = await removeAll(removed.flatMap((id) => saved.get(id) ?? []))
      const answer =
        // What was deleted before a failure can be undone.
        ready.length === 0 || failure !== null
          ? []
          : (
              await saveRows({
                inventoryId: source.inventoryId,
                rows: ready.map((row) => sentRow(row, { source, saved, bases })),
              })
            ).rows
      applyAnswer(answer, { gone, newer }, ready)
      invalidate()
      if (gone.length > 0) offerRestore(gone)
      if (failure !== null) throw failure
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      showError(failure, "Couldn't save. Your changes are still here")
    } finally {
      setIsSaving(false)
    }
  }

  function applyAnswer(answer: readonly SavedRow[], { gone, newer }: Removed, sent: readonly GridRow[]) {
    const next = new Map([...saved, ...newer.map((record) => [record.id, record] as const)])
    for (const id of gone) next.delete(id)
    const rowsSent = new Map(sent.map((row) => [row.key, row]))
    const swaps = new Map<string, { sent: GridRow; now: GridRow }>()
    const returned = newer.map(rowOf)
    const nextMessages = new Map(returned.map((row, at) => [row.key, deletedElsewhere(row, newer[at])]))
    const nextStale = new Set<string>()
    const nextBases = new Map(bases)
    for (const one of answer) {
      const { key, state, record } = one
      const row = rowsSent.get(key)
      if (!row) continue
      if (state === 'saved' && record) {
        const now = rowOf(record)
        next.set(record.id, record)
        swaps.set(key, { sent: row, now })
        nextBases.delete(key)
        nextMessages.set(record.id, { of: now, problems: problemsByColumn(one.problems, names) })
        continue
      }
      if (state === 'stale' && record) {
        // A row that was edited since it was sent meets the other user's version when it is saved the next time.
        if (latest.current.find((other) => other.key === key) !== row) continue
        const base = bases.get(key) ?? {
          version: saved.get(key)?.version ?? 0,
          cells: originals.get(key)?.cells,
        }
        const merged = mergeSaved(row, base, record)
        next.set(record.id, record)
        nextBases.set(key, { ...base, shown: record.version })
        swaps.set(key, { sent: row, now: merged.row })
        if (isSame(merged.row, rowOf(record))) continue
        nextStale.add(key)
        nextMessages.set(key, { of: merged.row, problems: staleProblem(record, merged, settings.columns) })
        continue
      }
      if (state === 'gone') next.delete(key)
      nextMessages.set(key, { of: row, problems: refusalOf(one, names) })
    }
    setSaved(next)
    setBases(nextBases)
    setMessages(nextMessages)
    setStale(nextStale)
    // Replaces only rows that weren't edited since they were sent.
    grid.act({ type: 'swap', rows: swaps })
    if (returned.length > 0) grid.act({ type: 'append', rows: returned })
  }

  /** Keeps records as they are stored now. */
  const keep = (next: readonly ActivityRecord[]) =>
    setSaved((before) => new Map([...before, ...next.map((record) => [record.id, record] as const)]))

  /** Adds records that exist at the end of the grid. */
  function add(next: readonly ActivityRecord[]) {
    keep(next)
    grid.act({ type: 'append', rows: next.map(rowOf) })
  }

  function offerRestore(ids: readonly string[]) {
    offerUndo({
      text: ids.length === 1 ? '1 record deleted' : `${ids.length} records deleted`,
      undo: async () => {
        const restored: ActivityRecord[] = []
        // In sequence: each restore creates a new version.
        // oxlint-disable-next-line no-await-in-loop
        for (const id of ids) restored.push(await restoreRecord({ id }))
        add(restored)
        invalidate()
      },
    })
  }

  /** Discards unsaved changes: of one row, or of all rows if `key` is null. */
  function discard(key: string | null) {
    const remaining =
      key === null
        ? [...saved.values()].map(rowOf)
        : rows.map((row) => (row.key === key ? (originals.get(key) ?? row) : row))
    setMessages(new Map(key === null ? [] : [...messages].filter(([one]) => one !== key)))
    setStale(new Set(key === null ? [] : [...stale].filter((one) => one !== key)))
    // What is shown now is the present version.
    setBases(new Map(key === null ? [] : [...bases].filter(([one]) => one !== key)))
    grid.act({ type: 'load', rows: remaining })
  }

  return {
    grid,
    saved,
    problems,
    changed,
    changedKeys,
    removed,
    stale,
    isDirty,
    isSaving,
    isRestored: opened.isRestored,
    addedElsewhere: useAddedElsewhere(records, saved),
    add,
    save,
    discard,
    /** Updates records that were changed outside the grid, for example submitted. */
    replace: (next: readonly ActivityRecord[]) => {
      keep(next)
      invalidate()
    },
  }
}

/**
 * The records that someone else added since the grid was opened: `records` as they were read last, without those that the grid
 * has, or had before they were deleted in it.
 */
function useAddedElsewhere(
  records: readonly ActivityRecord[],
  saved: ReadonlyMap<string, ActivityRecord>,
): ActivityRecord[] {
  const [{ known, of }, setKnown] = useState<{ known: ReadonlySet<string>; of: typeof saved }>(() => ({
    known: new Set(saved.keys()),
    of: saved,
  }))
  if (of !== saved) setKnown({ known: new Set([...known, ...saved.keys()]), of: saved })
  return records.filter(({ id }) => !known.has(id) && !saved.has(id))
}

/** That someone changed the record of a row that was to be deleted. */
function deletedElsewhere(of: GridRow, record: ActivityRecord | undefined): SaveMessage {
  const text = `${record?.updatedBy ?? 'Another user'} changed this record after it was shown here. Delete it again if it still has to go.`
  return { of, problems: { periodStart: { tone: 'error', text } } }
}

function refusalOf({ state, problems }: SavedRow, names: ReadonlySet<string>): RowProblems {
  if (state !== 'gone') return problemsByColumn(problems, names)
  return {
    periodStart: { tone: 'error', text: 'This record was deleted in the meantime. Save to add it again.' },
  }
}

const FROZEN = "This inventory is locked and can't be changed."

function lockReason(record: ActivityRecord | undefined): string | null {
  if (record?.status === 'submitted')
    return 'This record is in review. To edit it, ask a reviewer to return it.'
  return record?.status === 'approved'
    ? 'This record is approved. To edit it, ask a reviewer to return it.'
    : null
}

function savedProblems(record: ActivityRecord | undefined, names: ReadonlySet<string>): RowProblems {
  const problem = record?.result?.problem ?? null
  const comment = record?.status === 'returned' ? record.reviewComment : null
  return problemsByColumn(
    [
      ...(record?.warnings ?? []),
      ...(problem === null ? [] : [{ field: 'result', level: 'warning' as const, message: problem }]),
      ...(comment === null
        ? []
        : [{ field: 'status', level: 'warning' as const, message: `Returned: ${comment}` }]),
    ],
    names,
  )
}

/** What another user changed in a row, and what the next save does. It stands at the first column that both changed. */
function staleProblem(
  record: ActivityRecord,
  { theirs, both }: MergedRow,
  columns: readonly GridColumn[],
): RowProblems {
  const titleOf = (name: string) => columns.find(({ key }) => key === name)?.title ?? name
  const present = rowOf(record).cells
  const replaced = both.map((name) => `${titleOf(name)} (${present[name] || 'blank'})`).join(', ')
  const text = [
    `${record.updatedBy ?? 'Another user'} changed this record in the meantime.`,
    theirs.length === 0 ? '' : `Kept from that change: ${theirs.map(titleOf).join(', ')}.`,
    both.length === 0
      ? 'Save again to add your changes.'
      : `Changed by both: ${replaced}. Save again to replace that with yours, or discard your changes to the row.`,
  ]
  const at = both.find((name) => columns.some(({ key }) => key === name)) ?? 'periodStart'
  return { [at]: { tone: 'error', text: text.filter(Boolean).join(' ') } }
}

const mergeSaved = (row: GridRow, { cells }: Base, record: ActivityRecord): MergedRow =>
  mergeRow({ base: cells && gridRow(row.key, cells), mine: row, theirs: rowOf(record) })

type Sources = Readonly<{
  source: EmissionSource
  saved: ReadonlyMap<string, ActivityRecord>
  bases: ReadonlyMap<string, Base>
}>

/** A row as it is sent, with the version of the record that it replaces. */
function sentRow(row: GridRow, { source, saved, bases }: Sources) {
  const { key } = row
  const record = saved.get(key)
  const base = bases.get(key)
  const version = base?.shown ?? base?.version ?? record?.version
  return { key, ...(record && { id: record.id, version }), record: inputOf(row, source, record) }
}

/** The value of the last render, for what runs later. */
function useLatest<T>(value: T) {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  }, [value])
  return latest
}

/** The stored result of a row; none while it is changed, because it would be that of other figures. */
const resultOf = (row: GridRow, record: ActivityRecord | undefined): ActivityRecord['result'] =>
  record && isSame(row, rowOf(record)) ? record.result : null

type DraftParts = Readonly<{
  changed: readonly GridRow[]
  removed: readonly string[]
  bases: ReadonlyMap<string, Base>
  saved: ReadonlyMap<string, ActivityRecord>
}>

/** The unsaved changes, with what they are based on. */
function draftOf({ changed, removed, bases, saved }: DraftParts): Draft {
  const rows = changed.map((row) => {
    const record = saved.get(row.key)
    const present: Base = { version: record?.version ?? 0, cells: record && rowOf(record).cells }
    const { version, cells: base } = bases.get(row.key) ?? present
    return { ...row, version, base }
  })
  return { rows, removed }
}

/** What became of deleted rows: the IDs of records that no longer exist, and those that someone changed since they were read. */
type Removed = Readonly<{ gone: readonly string[]; newer: readonly ActivityRecord[] }>

/** Deletes records one by one until one fails. Those that someone changed meanwhile stay. */
async function removeAll(
  records: readonly ActivityRecord[],
): Promise<Removed & { failure: CallFailure | null }> {
  const gone: string[] = []
  const newer: ActivityRecord[] = []
  for (const { id, version } of records) {
    try {
      // oxlint-disable-next-line no-await-in-loop
      await removeRecord({ id, version })
      gone.push(id)
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      const current = failure.status === 409 ? ActivityRecord.safeParse(failure.current).data : undefined
      if (current !== undefined) newer.push(current)
      // A 404 means that it was deleted already.
      else if (failure.status === 404) gone.push(id)
      else return { gone, newer, failure }
    }
  }
  return { gone, newer, failure: null }
}

/** The records with the draft applied, and the record versions that the draft was based on. */
function merge(records: readonly ActivityRecord[], draft: ReturnType<typeof readDraft>) {
  const written = new Map(draft?.rows.map((row) => [row.key, row]))
  const removed = new Set(draft?.removed)
  const known = new Set(records.map(({ id }) => id))
  const rows = records
    .filter(({ id }) => !removed.has(id))
    .map((record): GridRow => {
      const own = written.get(record.id)
      return own ? { key: own.key, cells: own.cells, refused: own.refused } : rowOf(record)
    })
  // An edited record that was deleted in the meantime becomes a new row, so that no edit is lost.
  const added = [...written.values()].filter(({ key }) => !known.has(key))
  return {
    rows: [...rows, ...added.map(({ key, cells, refused }) => ({ key, cells, refused }))],
    bases: new Map(
      [...written.values()]
        .filter(({ key }) => known.has(key))
        .map(({ key, version, base }) => [key, { version, cells: base }]),
    ),
    isRestored: draft !== null,
  }
}
