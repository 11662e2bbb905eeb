import type { List } from '#contract/lists/list.ts'
import {
  type EXPORT_FORMATS,
  type ListExport,
  MOST_ROWS_AT_ONCE,
  reports,
} from '#contract/reports/reports.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { followJob } from '#web/ui/tasks/follow-job.ts'
import type { ListState } from '../list-state.ts'
import type { Selected } from '../selection/selection.ts'

export type ExportRequest = {
  list: List
  state: Pick<ListState, 'columns' | 'sort' | 'search' | 'filter'>
  /** How many rows that is, as far as the screen knows. */
  rows: number
  format: (typeof EXPORT_FORMATS)[number]
  /** Only these. */
  selected?: Selected
}

const startExport = send(reports.startExport)

/**
 * Exports at once what one answer can carry, the rest by a job that is told of at the foot of the page. Whatever fails is
 * shown here.
 */
export async function exportList(wanted: ExportRequest): Promise<void> {
  const input = toExport(wanted)
  const title = `Export ${wanted.rows.toLocaleString()} ${wanted.list.nouns[wanted.rows === 1 ? 0 : 1]}`
  try {
    if (wanted.rows <= MOST_ROWS_AT_ONCE) await fetchFile(reports.exportList, input, title)
    else void followJob(await startExport(input))
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    // Since the rows were counted they have become too many for one answer.
    if (failure.status === 409) await startExport(input).then(followJob, showFailure)
    else showError(failure)
  }
}

function showFailure(failure: unknown): void {
  if (!(failure instanceof CallFailure)) throw failure
  showError(failure)
}

/** What the call takes. Rows that were chosen one by one are those rows, whatever the list is narrowed down to. */
export function toExport({ list, state, format, selected }: ExportRequest): ListExport {
  const { columns, sort, search, filter } = state
  const shown = { list: list.key, format, columns: [...columns], ...(sort !== '' && { sort }) }
  if (selected?.kind === 'some') return { ...shown, ids: [...selected.ids] }
  const except = selected ? [...selected.except] : []
  return {
    ...shown,
    ...(search !== '' && { search }),
    ...(filter !== '' && { filter }),
    ...(except.length > 0 && { except }),
  }
}
