import { memo } from 'react'
import { CellEditor } from './CellEditor.tsx'
import type { CellProblem, GridColumn, GridRow, GridSettings } from './grid-column.ts'
import type { GridAction } from './grid-state.ts'
import { problemAt } from './problems.ts'
import { showCell } from './read-entry.ts'

type Props = {
  place: number
  /** Null for the empty row after the last one. */
  row: GridRow | null
  settings: GridSettings
  id: string
  act: (action: GridAction) => void
  isChanged: boolean
  problems: Readonly<Record<string, CellProblem>> | null
  activeColumn: number | null
  /** Selected columns of the row; -1 for none. */
  first: number
  last: number
  editing: string | null
}

/** One row. Memoized, because the table may have thousands. */
export const GridLine = memo(function GridLine(props: Props) {
  const { place, row, settings, isChanged } = props
  const isLocked = row !== null && (settings.lockOf?.(row) ?? null) !== null
  return (
    <tr
      aria-rowindex={place + 2}
      data-place={place}
      {...(isChanged && { 'data-changed': true })}
      {...(isLocked && { 'data-locked': true })}
    >
      <th scope="row" aria-colindex={1} className="fc-grid-number">
        {row ? (place + 1).toLocaleString() : '+'}
        {!row && <span className="fc-hidden"> New row</span>}
        {isChanged && <span className="fc-hidden">, changed</span>}
      </th>
      {settings.columns.map((column, at) => (
        <Cell key={column.key} {...props} column={column} at={at} />
      ))}
    </tr>
  )
})

type CellProps = Props & { column: GridColumn; at: number }

const LEVELS = { error: 'Error', warning: 'Warning' }

function Cell({ column, at, place, row, settings, id, act, problems, ...props }: CellProps) {
  const { activeColumn, first, last, editing } = props
  const isActive = activeColumn === at
  const problem = problemAt(row, column, problems)
  return (
    <td
      id={`${id}-${place}-${at}`}
      aria-colindex={at + 2}
      aria-selected={at >= first && at <= last}
      data-at={at}
      data-kind={column.kind}
      {...(isActive && { 'data-active': true })}
      {...(column.isFixed && { 'data-fixed': true })}
      {...(column.isPinned && { 'data-pinned': true })}
      {...(problem && { 'data-tone': problem.tone, title: problem.text })}
    >
      {isActive && editing !== null ? (
        <CellEditor column={column} place={place} text={editing} act={act} />
      ) : (
        <bdi className="fc-cut">{row && (column.show?.(row) ?? showCell(row, column, settings.format))}</bdi>
      )}
      {problem && (
        <span className="fc-hidden">
          . {LEVELS[problem.tone]}: {problem.text}
        </span>
      )}
    </td>
  )
}
