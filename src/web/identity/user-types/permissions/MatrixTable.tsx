import { Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { explain, type Owner } from './explain.ts'
import { moveFocus, type Spot, spotOf } from './matrix-keys.ts'
import { findOperation, type Group, type Matrix, OPERATIONS, type Row } from './matrix.ts'
import { MatrixRow } from './MatrixRow.tsx'
import type { Preset } from './permission-presets.ts'

/** Props of the table and of the blocks. */
export type GrantsProps = {
  matrix: Matrix
  owner: Owner
  groups: readonly Group[]
  isReadOnly: boolean
  onToggle: (permission: Permission) => void
  onPick: (row: Row, preset: Preset) => void
}

const HOVER_MS = 300

/** The cell whose explanation is shown, and its element. */
type ExplainedCell = { permission: Permission; element: Element }

/**
 * The matrix as a grid with one tab stop. Arrow keys move between cells. The explanation of a cell shows on
 * hover and on keyboard focus; Escape hides it.
 */
export function MatrixTable({ matrix, owner, groups, isReadOnly, onToggle, onPick }: GrantsProps) {
  const [stop, setStop] = useState<Spot | null>(null)
  const [explained, setExplained] = useState<ExplainedCell | null>(null)
  const explainLater = useDebouncedCallback(setExplained, HOVER_MS)
  const rows = groups.flatMap((group) => group.rows)
  const first: Spot = `${rows[0]?.func ?? 0} 0`
  // The cell that last had the focus; the first cell if a filter has removed that one.
  const current = stop && rows.some(({ func }) => stop.startsWith(`${func} `)) ? stop : first
  const columnIn = ({ func }: Row) => {
    const [row, column] = current.split(' ').map(Number)
    return row === func ? (column ?? 0) : null
  }

  function follow({ target }: FocusEvent) {
    if (!target.hasAttribute('data-spot')) return
    setStop(spotOf(target))
    if (target.matches(':focus-visible')) setExplained(readCell(target))
  }
  const hover = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') explainLater(target instanceof Element ? readCell(target) : null)
  }
  function press(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Escape') setExplained(null)
    moveFocus(event)
  }

  return (
    <>
      <table
        className="fc-matrix-table"
        // ARIA calls a table with arrow key navigation a grid.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        aria-label="Permissions"
        onKeyDown={press}
        onFocus={follow}
        onBlur={() => setExplained(null)}
        onPointerOver={hover}
        onPointerLeave={() => explainLater(null)}
      >
        <thead>
          <tr>
            <th scope="col">Function</th>
            <th scope="col">Preset</th>
            {OPERATIONS.map(({ opr, title }) => (
              <th key={opr} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.title}>
            <tr className="fc-matrix-group">
              <th scope="rowgroup" colSpan={2 + OPERATIONS.length}>
                <span>{group.title}</span>
              </th>
            </tr>
            {group.rows.map((row) => (
              <MatrixRow
                key={row.func}
                {...{ matrix, owner, row, isReadOnly, onToggle, onPick }}
                stop={columnIn(row)}
              />
            ))}
          </tbody>
        ))}
      </table>
      {explained && (
        <Tooltip
          key={spotOf(explained.element)}
          opened
          target={explained.element instanceof HTMLElement ? explained.element : null}
          label={<bdi>{explain(matrix, owner, explained.permission)}</bdi>}
          position="top"
          // Inside the page's landmark. Fixed, so that the scrolling frame doesn't clip it.
          withinPortal={false}
          floatingStrategy="fixed"
          transitionProps={{ duration: 0 }}
        />
      )}
    </>
  )
}

/** The permission of a cell; null for other elements. */
function readCell(element: Element): ExplainedCell | null {
  const permission = element.hasAttribute('data-spot') ? findOperation(spotOf(element)) : null
  return permission && { permission, element }
}
