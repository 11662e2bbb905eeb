import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { activities, MAX_ROWS } from '#contract/carbon/activity/activity.ts'
import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { dataRequests } from '#contract/carbon/activity/data-requests.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import type { Got } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, send } from '#web/api/query.ts'
import { useToday } from '#web/session/use-today.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import type { CellProblem, GridRow } from '#web/ui/grid/grid-column.ts'
import { formatOf } from '#contract/entries/person-format.ts'
import { useGrid } from '#web/ui/grid/use-grid.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { columnsOf } from './activity-columns.ts'
import { inputOf, isSame, problemsAt, rowOf, wrongIn } from './activity-rows.ts'
import { saveDraft, readDraft } from './kept-draft.ts'

type RowProblems = Readonly<Record<string, CellProblem>>
/** What the server said of a row as it was then: once something else is written there, it counts no more. */
type SaveMessage = Readonly<{ of: GridRow; problems: RowProblems }>
type SavedRow = Got<typeof activities.save>['rows'][number]

type GridOptions = Readonly<{
  source: EmissionSource
  records: readonly ActivityRecord[]
  /** Symbols of units, the usual one first. */
  units: readonly string[]
  /** They are currencies. */
  isMoney: boolean
  /** Where the browser keeps what is not saved. */
  draftKey: string
  isFrozen: boolean
}>

const saveRows = send(activities.save)
const removeRecord = send(activities.remove)
const restoreRecord = send(activities.restore)

/**
 * The grid of one source: what is saved, what was changed since, what the server said of it. Everything not saved is
 * kept in the browser until it is.
 */
export function useActivityGrid({ source, records, units, isMoney, draftKey, isFrozen }: GridOptions) {
  const queries = useQueryClient()
  const today = useToday()
  const [saved, setSaved] = useState(() => new Map(records.map((record) => [record.id, record])))
  const [opened] = useState(() => merge(records, readDraft(draftKey)))
  const [versions, setVersions] = useState<ReadonlyMap<string, number>>(() => opened.versions)
  const [told, setTold] = useState<ReadonlyMap<string, SaveMessage>>(new Map())
  const [stale, setStale] = useState<ReadonlySet<string>>(new Set())
  const [isSaving, setIsSaving] = useState(false)

  const settings = useMemo(() => {
    const lockOf = (row: GridRow) => (isFrozen ? FROZEN : lockWords(saved.get(row.key)))
    const columns = columnsOf(
      source.method,
      { units, isMoney, today },
      (row) => saved.get(row.key)?.result ?? null,
      (row) => saved.get(row.key),
    )
    return {
      columns,
      blank: isFrozen ? null : { unit: source.unit },
      most: MAX_ROWS,
      format: formatOf(),
      lockOf,
    }
  }, [source.method, source.unit, units, isMoney, today, saved, isFrozen])
  const names = useMemo(() => new Set(settings.columns.map(({ key }) => key)), [settings.columns])
  const grid = useGrid(opened.rows, settings)
  const { rows } = grid.state

  const originals = useMemo(() => new Map([...saved].map(([id, record]) => [id, rowOf(record)])), [saved])
  const changed = useMemo(() => rows.filter((row) => !isSame(row, originals.get(row.key))), [rows, originals])
  const changedKeys = useMemo(() => new Set(changed.map(({ key }) => key)), [changed])
  const removed = useMemo(() => {
    const there = new Set(rows.map(({ key }) => key))
    return [...saved.keys()].filter((id) => !there.has(id))
  }, [rows, saved])
  const isDirty = changed.length + removed.length > 0
  useEffect(() => {
    const kept = changed.map((row) => ({
      ...row,
      version: versions.get(row.key) ?? saved.get(row.key)?.version ?? 0,
    }))
    saveDraft(draftKey, isDirty ? { rows: kept, removed } : null)
  }, [draftKey, isDirty, changed, removed, versions, saved])

  const problems = useMemo(() => {
    const all = new Map<string, RowProblems>()
    for (const row of rows) {
      const record = saved.get(row.key)
      const own = changedKeys.has(row.key)
        ? wrongIn(row, inputOf(row, source, record))
        : savedProblems(record, names)
      const answer = told.get(row.key)
      const said = { ...own, ...(answer?.of === row && answer.problems) }
      if (Object.keys(said).length > 0) all.set(row.key, said)
    }
    return all
  }, [rows, changedKeys, saved, told, source, names])

  const forget = useCallback(() => {
    for (const endpoint of [activities.list, ledger.totals, ledger.rows]) {
      void queries.invalidateQueries({ queryKey: keyOf(endpoint), refetchType: 'none' })
    }
    // What was asked for may be answered now.
    for (const endpoint of [dataRequests.get, dataRequests.mine, dataRequests.list]) {
      void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
    }
  }, [queries])

  async function save() {
    const ready = changed.filter((row) => {
      const wrong = wrongIn(row, inputOf(row, source, saved.get(row.key)))
      return Object.keys(row.refused).length === 0 && Object.keys(wrong).length === 0
    })
    setIsSaving(true)
    try {
      const gone = await removeAll(removed)
      const answer =
        ready.length === 0
          ? []
          : (
              await saveRows({
                inventoryId: source.inventoryId,
                rows: ready.map((row) => {
                  const record = saved.get(row.key)
                  const version = versions.get(row.key) ?? record?.version
                  return {
                    key: row.key,
                    ...(record && { id: record.id, version }),
                    record: inputOf(row, source, record),
                  }
                }),
              })
            ).rows
      takeOver(answer, gone, ready)
      forget()
      if (gone.length > 0) offerBack(gone)
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      showError(failure, 'Not saved. What you wrote is still here')
    } finally {
      setIsSaving(false)
    }
  }

  function takeOver(answer: readonly SavedRow[], gone: readonly string[], sent: readonly GridRow[]) {
    const next = new Map(saved)
    for (const id of gone) next.delete(id)
    const rowsSent = new Map(sent.map((row) => [row.key, row]))
    const swaps = new Map<string, { sent: GridRow; now: GridRow }>()
    const said = new Map<string, SaveMessage>()
    const late = new Set<string>()
    const basis = new Map(versions)
    for (const one of answer) {
      const { key, state, record } = one
      const row = rowsSent.get(key)
      if (!row) continue
      if (state === 'saved' && record) {
        const now = rowOf(record)
        next.set(record.id, record)
        swaps.set(key, { sent: row, now })
        basis.delete(key)
        said.set(record.id, { of: now, problems: problemsAt(one.problems, names) })
        continue
      }
      if (state === 'stale' && record) {
        // What was written stays; it is compared with what the record is now.
        next.set(record.id, record)
        late.add(key)
        basis.set(key, record.version)
      }
      if (state === 'gone') next.delete(key)
      said.set(key, { of: row, problems: refusalOf(one, names) })
    }
    setSaved(next)
    setVersions(basis)
    setTold(said)
    setStale(late)
    // Only rows nobody wrote in since they were sent.
    grid.act({ type: 'swap', rows: swaps })
  }

  function offerBack(ids: readonly string[]) {
    offerUndo({
      text: ids.length === 1 ? '1 record deleted' : `${ids.length} records deleted`,
      undo: async () => {
        const back: ActivityRecord[] = []
        // One after the other: each is a version of its own.
        // oxlint-disable-next-line no-await-in-loop
        for (const id of ids) back.push(await restoreRecord({ id }))
        setSaved((before) => new Map([...before, ...back.map((record) => [record.id, record] as const)]))
        grid.act({ type: 'append', rows: back.map(rowOf) })
        forget()
      },
    })
  }

  /** Forgets what is not saved: of one row, or of all. */
  function discard(key: string | null) {
    const kept =
      key === null
        ? [...saved.values()].map(rowOf)
        : rows.map((row) => (row.key === key ? (originals.get(key) ?? row) : row))
    setTold(new Map(key === null ? [] : [...told].filter(([one]) => one !== key)))
    setStale(new Set(key === null ? [] : [...stale].filter((one) => one !== key)))
    grid.act({ type: 'load', rows: kept })
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
    save,
    discard,
    /** After records were moved elsewhere: how they are now. */
    replace: (next: readonly ActivityRecord[]) => {
      setSaved((before) => new Map([...before, ...next.map((record) => [record.id, record] as const)]))
      forget()
    },
  }
}

function refusalOf({ state, record, problems }: SavedRow, names: ReadonlySet<string>): RowProblems {
  if (state === 'stale' && record) return { periodStart: { tone: 'error', text: staleWords(record) } }
  if (state !== 'gone') return problemsAt(problems, names)
  return { periodStart: { tone: 'error', text: 'It was deleted meanwhile. Saving adds it anew.' } }
}

const FROZEN = 'The inventory is locked: nothing of it can be changed.'

function lockWords(record: ActivityRecord | undefined): string | null {
  if (record?.status === 'submitted') return 'It is in review. Whoever reviews it can return it.'
  return record?.status === 'approved' ? 'It is approved. Whoever reviews can return it.' : null
}

function savedProblems(record: ActivityRecord | undefined, names: ReadonlySet<string>): RowProblems {
  const problem = record?.result?.problem ?? null
  const comment = record?.status === 'returned' ? record.reviewComment : null
  return problemsAt(
    [
      ...(problem === null ? [] : [{ field: 'result', level: 'warning' as const, message: problem }]),
      ...(comment === null
        ? []
        : [{ field: 'status', level: 'warning' as const, message: `Returned: ${comment}` }]),
    ],
    names,
  )
}

function staleWords({ quantity, unit, periodStart, periodEnd, updatedBy }: ActivityRecord): string {
  const who = updatedBy === null ? 'Somebody' : updatedBy
  return `${who} changed it meanwhile: now ${quantity ?? 'no quantity'} ${unit ?? ''}, ${periodStart} to ${periodEnd}. Saving again writes yours.`
}

/** Deletes records one by one; answers those that are gone now. */
async function removeAll(ids: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const id of ids) {
    try {
      // oxlint-disable-next-line no-await-in-loop
      await removeRecord({ id })
      gone.push(id)
    } catch (failure) {
      // Gone already is gone as well.
      if (!(failure instanceof CallFailure) || failure.status !== 404) throw failure
      gone.push(id)
    }
  }
  return gone
}

/** Records with the draft over them, and the versions that the draft was written over. */
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
  // What was changed and is gone meanwhile comes as a new row: nothing written is lost.
  const added = [...written.values()].filter(({ key }) => !known.has(key))
  return {
    rows: [...rows, ...added.map(({ key, cells, refused }) => ({ key, cells, refused }))],
    versions: new Map(
      [...written.values()].filter(({ key }) => known.has(key)).map((row) => [row.key, row.version]),
    ),
    isRestored: draft !== null,
  }
}
