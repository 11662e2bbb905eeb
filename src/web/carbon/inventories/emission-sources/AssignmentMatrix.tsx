import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import type { InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import type { RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { useToday } from '#web/session/use-today.ts'
import { askedWords } from '#web/carbon/activity/requests/request-labels.ts'
import { type Cell, type Draft, keyOfCell, readCell, type Sources } from './assignment-draft.ts'
import { AssignmentCell } from './AssignmentCell.tsx'
import { SCOPE_GROUPS } from './emission-labels.ts'
import { type Gaps, gapWords, lacksFactor } from './factor-gaps.ts'
import { type CellKeys, MatrixHead } from './MatrixHead.tsx'

type Props = {
  facilities: readonly InventoryFacility[]
  sources: Sources
  draft: Draft
  /** Ticks that are proposed and not taken yet. */
  proposed: Readonly<Record<string, Cell>>
  /** Cells to which no factor leads. */
  gaps: Gaps
  names: ReadonlyMap<string, string>
  isReadOnly: boolean
  onTick: (keys: CellKeys, isTicked: boolean) => void
  /** Opens one cell, or sets several that are ticked. */
  onEdit: (keys: CellKeys) => void
  /** Who was asked for what, by cell. */
  requests: ReadonlyMap<string, RequestCell>
  /** Asks for the figures of cells; null while that cannot be done. */
  onAsk: ((keys: CellKeys) => void) | null
}

const types = SCOPE_GROUPS.flatMap((group) => group.types)

/**
 * Kinds of source by facilities. A tick assigns, the words beside it say to whom. Arrows go from cell to cell; with
 * Shift a click fills everything from the cell clicked before.
 */
export function AssignmentMatrix(props: Props) {
  const { facilities, sources, draft, proposed, onTick } = props
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
    return gap ? gapWords(gap) : null
  }
  const toldAt = (key: string) => {
    const request = draft[key] ? undefined : props.requests.get(key)
    return request ? askedWords(request) : null
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
      {/* Each cell has a control of its own; the table only moves between them. */}
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
        {SCOPE_GROUPS.map((group) => (
          <tbody key={group.title}>
            <tr className="fc-matrix-scope">
              <th scope="rowgroup" colSpan={facilities.length + 1}>
                {group.title}
              </th>
            </tr>
            {group.types.map((type) => (
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
                        told={toldAt(key)}
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
