import type { List } from '#contract/lists/list.ts'
import { type EXPORT_FORMATS, type ListExport, MAX_ROWS_AT_ONCE, reports } from '#contract/reports/reports.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { followJob } from '#web/ui/tasks/follow-job.ts'
import { exportedColumns } from './exported-columns.ts'
import type { ListState } from '../list-state.ts'
import type { Selected } from '../selection/selection.ts'

export type ExportRequest = {
  list: List
  state: Pick<ListState, 'columns' | 'sort' | 'search' | 'filter'>
  /** The number of rows, as far as known on screen. */
  rows: number
  format: (typeof EXPORT_FORMATS)[number]
  /** Only these rows. */
  selected?: Selected
}

const startExport = send(reports.startExport)

/**
 * Exports immediately if one response can hold the rows, otherwise by a job shown at the bottom of the page. Shows
 * any error.
 */
export async function exportList(wanted: ExportRequest): Promise<void> {
  const input = toExport(wanted)
  const title = `Export ${wanted.rows.toLocaleString()} ${wanted.list.nouns[wanted.rows === 1 ? 0 : 1]}`
  try {
    if (wanted.rows <= MAX_ROWS_AT_ONCE) await fetchFile(reports.exportList, input, title)
    else void followJob(await startExport(input))
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    // The number of rows has grown too large for one response.
    if (failure.status === 409) await startExport(input).then(followJob, showFailure)
    else showError(failure)
  }
}

function showFailure(failure: unknown): void {
  if (!(failure instanceof CallFailure)) throw failure
  showError(failure)
}

/** The input of the export call. Individually selected rows are exported regardless of search and filter. */
export function toExport({ list, state, format, selected }: ExportRequest): ListExport {
  const { sort, search, filter } = state
  const columns = exportedColumns(list, state.columns)
  const shown = { list: list.key, format, columns, ...(sort !== '' && { sort }) }
  if (selected?.kind === 'some') return { ...shown, ids: [...selected.ids] }
  const except = selected ? [...selected.except] : []
  return {
    ...shown,
    ...(search !== '' && { search }),
    ...(filter !== '' && { filter }),
    ...(except.length > 0 && { except }),
  }
}
