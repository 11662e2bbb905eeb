import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import type { InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import type { RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { useToday } from '#web/session/use-today.ts'
import { requestStatus } from '#web/carbon/activity/requests/request-labels.ts'
import { type Cell, type Draft, keyOfCell, readCell, type Sources } from './assignment-draft.ts'
import { AssignmentCell } from './AssignmentCell.tsx'
import { type Gaps, gapMessage, lacksFactor } from './factor-gaps.ts'
import { type CellKeys, MatrixHead } from './MatrixHead.tsx'
import type { SourceGroup, SourceRow } from './source-rows.ts'

type Props = {
  groups: readonly SourceGroup[]
  facilities: readonly InventoryFacility[]
  sources: Sources
  draft: Draft
  /** Suggested assignments that aren't accepted yet. */
  proposed: Readonly<Record<string, Cell>>
  /** Cells without an emission factor. */
  gaps: Gaps
  names: ReadonlyMap<string, string>
  isReadOnly: boolean
  onTick: (keys: CellKeys, isTicked: boolean) => void
  /** Opens one cell, or several assigned ones to edit them together. */
  onEdit: (keys: CellKeys) => void
  /** The data requests, by cell. */
  requests: ReadonlyMap<string, RequestCell>
  /** Requests the data of cells; null while that isn't possible. */
  onAsk: ((keys: CellKeys) => void) | null
  /** Actions on a custom source; none for a standard one. */
  actionsOf: (row: SourceRow) => readonly { label: string; onClick: () => void }[]
}

/**
 * Source types by facilities. A checkbox assigns a source and shows its data owner. Arrow keys move between cells; a
 * Shift-click fills the range from the last clicked cell.
 */
export function AssignmentMatrix(props: Props) {
  const { groups, facilities, sources, draft, proposed, onTick } = props
  const types = groups.flatMap(({ rows }) => rows)
  const table = useRef<HTMLTableElement>(null)
  const today = useToday()
  const last = useRef<{ row: number; column: number } | null>(null)
  const cellAt = (key: string) => readCell(sources, draft, key) ?? proposed[key] ?? null
  const askOf = (keys: CellKeys) => ({
    asked: props.onAsk === null ? [] : keys.filter((key) => props.requests.has(key)),
    onAsk: props.onAsk,
  })
  const gapAt = (key: string) => {
    const cell = cellAt(key)
    const gap = cell !== null && lacksFactor(cell) ? props.gaps.get(key) : undefined
    return gap ? gapMessage(gap) : null
  }
  const requestAt = (key: string) => {
    const request = draft[key] ? undefined : props.requests.get(key)
    return request ? requestStatus(request) : null
  }

  function tick(row: number, column: number, isTicked: boolean, event: MouseEvent | null) {
    const from = event?.shiftKey ? (last.current ?? { row, column }) : { row, column }
    last.current = { row, column }
    const rows = types.slice(Math.min(from.row, row), Math.max(from.row, row) + 1)
    const columns = facilities.slice(Math.min(from.column, column), Math.max(from.column, column) + 1)
    onTick(
      rows.flatMap((type) => columns.map((facility) => keyOfCell(facility.id, type.id))),
      isTicked,
    )
  }

  function move(event: KeyboardEvent) {
    const step = STEPS[event.key]
    const { target } = event
    if (!step || event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLInputElement))
      return
    const isMirrored = document.documentElement.dir === 'rtl'
    const row = Number(target.dataset['row']) + step.row
    const column = Number(target.dataset['column']) + (isMirrored ? -step.column : step.column)
    event.preventDefault()
    table.current?.querySelector<HTMLElement>(`input[data-row="${row}"][data-column="${column}"]`)?.focus()
  }

  return (
    <div className="fc-carbon-frame">
      {/* Every cell has its own control; the table only moves the focus between them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table ref={table} className="fc-carbon-table fc-matrix" aria-label="Assignments" onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col">Source</th>
            {facilities.map(({ id, name, code }) => (
              <th key={id} scope="col">
                <MatrixHead
                  isReadOnly={props.isReadOnly}
                  onTick={onTick}
                  onEdit={props.onEdit}
                  name={name}
                  second={code}
                  keys={types.map((type) => keyOfCell(id, type.id))}
                  cellAt={cellAt}
                  {...askOf(types.map((type) => keyOfCell(id, type.id)))}
                />
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.title}>
            <tr className="fc-matrix-scope">
              <th scope="rowgroup" colSpan={facilities.length + 1}>
                {group.title}
              </th>
            </tr>
            {group.rows.map((type) => (
              <tr key={type.id}>
                <th scope="row">
                  <MatrixHead
                    isReadOnly={props.isReadOnly}
                    onTick={onTick}
                    onEdit={props.onEdit}
                    name={type.title}
                    second={type.scope.startsWith('3.') ? `Category ${type.scope}` : null}
                    keys={facilities.map(({ id }) => keyOfCell(id, type.id))}
                    cellAt={cellAt}
                    {...askOf(facilities.map(({ id }) => keyOfCell(id, type.id)))}
                    actions={props.actionsOf(type)}
                  />
                </th>
                {facilities.map((facility, column) => {
                  const key = keyOfCell(facility.id, type.id)
                  const row = types.indexOf(type)
                  return (
                    <td key={facility.id} data-state={stateOf(props, key)}>
                      <AssignmentCell
                        cell={cellAt(key)}
                        place={`${type.title} at ${facility.name}`}
                        names={props.names}
                        request={requestAt(key)}
                        gap={gapAt(key)}
                        source={draft[key] ? null : (sources.get(key) ?? null)}
                        today={today}
                        row={row}
                        column={column}
                        isReadOnly={props.isReadOnly}
                        onTick={(isTicked, event) => tick(row, column, isTicked, event)}
                        onEdit={() => props.onEdit([key])}
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

const STEPS: Readonly<Record<string, { row: number; column: number }>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
}

function stateOf({ draft, proposed, sources }: Props, key: string): string | undefined {
  if (draft[key]) return 'changed'
  return proposed[key] && !sources.has(key) ? 'proposed' : undefined
}
