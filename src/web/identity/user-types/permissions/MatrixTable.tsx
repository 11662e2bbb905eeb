import { Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { explain, type Owner } from './explain.ts'
import { moveFocus, type Spot, spotOf } from './matrix-keys.ts'
import { findOperation, type Group, type Matrix, OPERATIONS, type Row } from './matrix.ts'
import { MatrixRow } from './MatrixRow.tsx'
import type { Preset } from './permission-presets.ts'

/** What the table and the blocks draw. */
export type GrantsProps = {
  matrix: Matrix
  owner: Owner
  groups: readonly Group[]
  isReadOnly: boolean
  onToggle: (permission: Permission) => void
  onPick: (row: Row, preset: Preset) => void
}

const HOVER_MS = 300

/** The cell whose reason is shown, and where it stands. */
type MatrixProps = { permission: Permission; element: Element }

/**
 * The matrix as a grid with one tab stop: the arrows move between the cells. The reason of a cell shows on hover and
 * when the keyboard reaches it; Escape takes it away.
 */
export function MatrixTable({ matrix, owner, groups, isReadOnly, onToggle, onPick }: GrantsProps) {
  const [stop, setStop] = useState<Spot | null>(null)
  const [told, setTold] = useState<MatrixProps | null>(null)
  const tellLater = useDebouncedCallback(setTold, HOVER_MS)
  const rows = groups.flatMap((group) => group.rows)
  const first: Spot = `${rows[0]?.func ?? 0} 0`
  // The one that had the focus last; the first where a filter has taken that away.
  const current = stop && rows.some(({ func }) => stop.startsWith(`${func} `)) ? stop : first
  const columnIn = ({ func }: Row) => {
    const [row, column] = current.split(' ').map(Number)
    return row === func ? (column ?? 0) : null
  }

  function follow({ target }: FocusEvent) {
    if (!target.hasAttribute('data-spot')) return
    setStop(spotOf(target))
    if (target.matches(':focus-visible')) setTold(readTold(target))
  }
  const hover = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') tellLater(target instanceof Element ? readTold(target) : null)
  }
  function press(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Escape') setTold(null)
    moveFocus(event)
  }

  return (
    <>
      <table
        className="fc-matrix-table"
        // A table whose cells are moved through by the arrows is what ARIA calls a grid.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        aria-label="Permissions"
        onKeyDown={press}
        onFocus={follow}
        onBlur={() => setTold(null)}
        onPointerOver={hover}
        onPointerLeave={() => tellLater(null)}
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
      {told && (
        <Tooltip
          key={spotOf(told.element)}
          opened
          target={told.element instanceof HTMLElement ? told.element : null}
          label={<bdi>{explain(matrix, owner, told.permission)}</bdi>}
          position="top"
          // Inside the page's landmark; fixed, so that the scrolling frame does not cut it.
          withinPortal={false}
          floatingStrategy="fixed"
          transitionProps={{ duration: 0 }}
        />
      )}
    </>
  )
}

/** The permission of a cell; null on what is none. */
function readTold(element: Element): MatrixProps | null {
  const permission = element.hasAttribute('data-spot') ? findOperation(spotOf(element)) : null
  return permission && { permission, element }
}
