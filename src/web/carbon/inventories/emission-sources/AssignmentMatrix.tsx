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
  const { groups, facilities, sources, draft, proposed, isReadOnly, onTick, onEdit, onAsk } = props
  const types = groups.flatMap(({ rows }) => rows)
  const today = useToday()
  const last = useRef<{ row: number; column: number } | null>(null)
  const cellAt = (key: string) => readCell(sources, draft, key) ?? proposed[key] ?? null
  const head = { isReadOnly, onTick, onEdit, onAsk, cellAt }
  const askOf = (keys: CellKeys) => ({
    asked: onAsk === null ? [] : keys.filter((key) => props.requests.has(key)),
  })

  function tick(row: number, column: number, isTicked: boolean, event: MouseEvent | null) {
    const from = event?.shiftKey ? (last.current ?? { row, column }) : { row, column }
    last.current = { row, column }
    const rows = between(types, from.row, row)
    const columns = between(facilities, from.column, column)
    onTick(
      rows.flatMap((type) => columns.map((facility) => keyOfCell(facility.id, type.id))),
      isTicked,
    )
  }

  return (
    <div className="fc-carbon-frame">
      {/* Every cell has its own control; the table only moves the focus between them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table className="fc-carbon-table fc-assignment-matrix" aria-label="Assignments" onKeyDown={moveFocus}>
        <thead>
          <tr>
            <th scope="col">Source</th>
            {facilities.map(({ id, name, code }) => (
              <th key={id} scope="col">
                <MatrixHead
                  {...head}
                  name={name}
                  second={code}
                  keys={types.map((type) => keyOfCell(id, type.id))}
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
                    {...head}
                    name={type.title}
                    second={type.scope.startsWith('3.') ? `Category ${type.scope}` : null}
                    keys={facilities.map(({ id }) => keyOfCell(id, type.id))}
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
                        request={requestOf(props, key)}
                        gap={gapOf(props.gaps, key, cellAt(key))}
                        source={draft[key] ? null : (sources.get(key) ?? null)}
                        today={today}
                        row={row}
                        column={column}
                        isReadOnly={isReadOnly}
                        onTick={(isTicked, event) => tick(row, column, isTicked, event)}
                        onEdit={() => onEdit([key])}
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

/** The items from one index to another, whichever comes first. */
function between<T>(items: readonly T[], one: number, other: number): readonly T[] {
  return items.slice(Math.min(one, other), Math.max(one, other) + 1)
}

/** What was requested; not shown for a changed cell. */
function requestOf({ draft, requests }: Props, key: string): string | null {
  const request = draft[key] ? undefined : requests.get(key)
  return request ? requestStatus(request) : null
}

function gapOf(gaps: Gaps, key: string, cell: Cell | null): string | null {
  const gap = cell !== null && lacksFactor(cell) ? gaps.get(key) : undefined
  return gap ? gapMessage(gap) : null
}

/** Arrow keys move the focus between the checkboxes. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key]
  const { target } = event
  if (!step || event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLInputElement)) return
  const isMirrored = document.documentElement.dir === 'rtl'
  const row = Number(target.dataset['row']) + step.row
  const column = Number(target.dataset['column']) + (isMirrored ? -step.column : step.column)
  event.preventDefault()
  event.currentTarget.querySelector<HTMLElement>(`input[data-row="${row}"][data-column="${column}"]`)?.focus()
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
