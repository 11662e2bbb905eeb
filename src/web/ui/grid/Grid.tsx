import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { writeBlock } from './clipboard-block.ts'
import type { CellProblem, GridRow, GridSettings, GridColumn } from './grid-column.ts'
import { actionOf } from './grid-keys.ts'
import { type CellPosition, rangeOf, type Range, tabFrom } from './grid-positions.ts'
import { chosenBlock, reachOf } from './grid-state.ts'
import { GridFoot } from './GridFoot.tsx'
import { GridLine } from './GridLine.tsx'
import { NO_PROBLEMS } from './problems.ts'
import type { GridHandle } from './use-grid.ts'
import { useGridPointer } from './use-grid-pointer.ts'
import { bringIntoView, stretchesOf, useRowsInView } from './use-rows-in-view.ts'
import './grid.css'
import { useOfferOverTables } from '../feedback/undo.tsx'

const ROW = 32
const HEAD = 32
/** Width of the row number column, in px. */
const NUMBER = 56

type Props = {
  /** Accessible name: "Activity data of Natural gas". */
  label: string
  grid: GridHandle
  /** Messages for cells, by row and column, in addition to the grid's own validation. */
  problems?: ReadonlyMap<string, Readonly<Record<string, CellProblem>>>
  /** Keys of rows with unsaved changes. */
  changed?: ReadonlySet<string>
  /** Next to the grid's buttons. */
  tools?: ReactNode
}

/**
 * An editable table that works like a spreadsheet: keyboard, ranges, clipboard blocks, undo. The focus stays on the
 * table, which names its active cell; Tab moves through the cells, and out of the table after Escape.
 */
export function Grid({ label, grid, problems = NO_PROBLEMS, changed, tools }: Props) {
  const { state, settings, act } = grid
  const { active, anchor, editing } = state
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const isLeaving = useRef(false)
  const isOfferNewest = useNewestOffer(state.rows)
  const count = reachOf(state, settings)
  const view = useRowsInView(frame, { count, rowHeight: ROW, head: HEAD })
  const pointer = useGridPointer(grid, frame)
  const range = rangeOf(anchor, active)

  useActiveInView(frame, active, id)
  useFocusAfterEditing(table, editing !== null)

  function press(event: KeyboardEvent<HTMLTableElement>) {
    if (event.target !== table.current || event.key === 'Shift') return
    if (event.key === 'Escape') {
      isLeaving.current = true
      act({ type: 'heard' })
      return
    }
    const bounds = { rows: count, columns: settings.columns.length, page: 1 }
    const isOut = tabFrom(active, event.shiftKey ? -1 : 1, bounds) === null
    if (event.key === 'Tab' && (isLeaving.current || isOut)) return
    isLeaving.current = false
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
    const action = actionOf(event, { page: view.page, isMirrored })
    if (!action) return
    // An undo offer that is newer than the last edit here takes precedence.
    if (action.type === 'undo' && isOfferNewest) return
    event.preventDefault()
    // A key handled by the grid must not reach the page, whose Ctrl Z undoes something else.
    event.stopPropagation()
    act(action)
  }
  const { copy, paste } = useClipboard(grid, table)
  const width = settings.columns.reduce((sum, column) => sum + column.width, NUMBER)
  return (
    <div className="fc-grid">
      <div ref={frame} className="fc-grid-frame">
        <table
          ref={table}
          // A table that is written in is a grid: there is no element of that name.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
          role="grid"
          aria-label={label}
          aria-multiselectable="true"
          aria-rowcount={count + 1}
          aria-colcount={settings.columns.length + 1}
          aria-activedescendant={`${id}-${active.row}-${active.column}`}
          aria-describedby={`${id}-keys`}
          tabIndex={0}
          style={{ inlineSize: width }}
          onKeyDown={press}
          onCopy={copy}
          onCut={copy}
          onPaste={paste}
          onBlur={() => {
            isLeaving.current = false
          }}
          {...pointer}
        >
          <Widths columns={settings.columns} />
          <GridHead columns={settings.columns} />
          <tbody>
            {stretchesOf(view, active.row, count).map((place) =>
              typeof place === 'number' ? (
                <GridLine
                  key={keyOf(state.rows[place])}
                  place={place}
                  row={state.rows[place] ?? null}
                  settings={settings}
                  id={id}
                  act={act}
                  isChanged={isChangedRow(changed, state.rows[place])}
                  problems={problems.get(state.rows[place]?.key ?? '') ?? null}
                  {...marksOf(place, { active, range, editing })}
                />
              ) : (
                <tr key={`gap-${place.before}`} aria-hidden="true">
                  {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
                  <td className="fc-grid-gap" style={{ blockSize: place.rows * ROW }} />
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
      <GridFoot grid={grid} problems={problems} id={id} table={table} tools={tools} />
    </div>
  )
}

function Widths({ columns }: Pick<GridSettings, 'columns'>) {
  return (
    <colgroup>
      <col style={{ inlineSize: NUMBER }} />
      {columns.map(({ key, width }) => (
        <col key={key} style={{ inlineSize: width }} />
      ))}
    </colgroup>
  )
}

/** Scrolls to the active cell when it changes. */
function useActiveInView(frame: RefObject<HTMLDivElement | null>, active: CellPosition, id: string): void {
  const shown = useRef(active)
  useEffect(() => {
    if (!frame.current || shown.current === active) return
    shown.current = active
    const cell = document.getElementById(`${id}-${active.row}-${active.column}`)
    bringIntoView(frame.current, { top: active.row * ROW, height: ROW, head: HEAD, number: NUMBER }, cell)
  }, [active, id, frame])
}

type Table = RefObject<HTMLTableElement | null>

/** Returns the focus to the table if the editor was removed while focused. */
function useFocusAfterEditing(table: Table, isEditing: boolean): void {
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (wasEditing.current && !isEditing && isLost) table.current?.focus({ preventScroll: true })
    wasEditing.current = isEditing
  }, [isEditing, table])
}

/** Copying, cutting and pasting while the table itself is focused, not an editor in it. */
function useClipboard({ state, settings, act }: GridHandle, table: Table) {
  function copy(event: ClipboardEvent<HTMLTableElement>) {
    if (event.target !== table.current) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', writeBlock(chosenBlock(state, settings)))
    if (event.type === 'cut') act({ type: 'clear' })
  }
  function paste(event: ClipboardEvent<HTMLTableElement>) {
    if (event.target !== table.current) return
    event.preventDefault()
    act({ type: 'paste', text: event.clipboardData.getData('text/plain') })
  }
  return { copy, paste }
}

const keyOf = (row: GridRow | undefined) => row?.key ?? 'empty'

type Marks = { active: CellPosition; range: Range; editing: { text: string } | null }

/** The part of the selection in this row, as plain values, so that other rows aren't re-rendered. */
function marksOf(place: number, { active, range, editing }: Marks) {
  const isIn = place >= range.top && place <= range.bottom
  const isActive = place === active.row
  return {
    activeColumn: isActive ? active.column : null,
    first: isIn ? range.first : -1,
    last: isIn ? range.last : -1,
    editing: isActive && editing ? editing.text : null,
  }
}

function isChangedRow(changed: ReadonlySet<string> | undefined, row: GridRow | undefined): boolean {
  return row !== undefined && changed !== undefined && changed.has(row.key)
}

/** Whether there is an undo offer newer than the last change of the rows. */
function useNewestOffer(rows: readonly GridRow[]): boolean {
  const offered = useOfferOverTables()
  const [since, setSince] = useState({ offered, rows })
  if (since.offered !== offered) setSince({ offered, rows })
  return offered !== null && since.offered === offered && since.rows === rows
}

/** The column headers; they stay in view. */
function GridHead({ columns }: { columns: readonly GridColumn[] }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" aria-colindex={1} className="fc-grid-number">
          <span className="fc-hidden">Row</span>
        </th>
        {columns.map(({ key, title, kind, isPinned }, at) => (
          <th
            key={key}
            scope="col"
            aria-colindex={at + 2}
            data-kind={kind}
            title={title}
            {...(isPinned && { 'data-pinned': true })}
          >
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
