import type { Permission } from '#contract/permissions.ts'
import { CellMark } from './CellMark.tsx'
import { cellOf, isLocked, type Matrix, nameOf, originOf } from './matrix.ts'

type Props = {
  matrix: Matrix
  permission: Permission
  /** Why it has its state. */
  why: string
  isReadOnly: boolean
  onToggle: (permission: Permission) => void
  /** In a grid, arrow keys move the focus here. */
  tabIndex?: number
  /** Called when it is reached by keyboard or touch. */
  onReach?: (permission: Permission) => void
}

/**
 * A permission as a checkbox over its mark. Read-only boxes stay focusable, so that the reason can be reached
 * by keyboard.
 */
export function GrantBox({ matrix, permission, why, isReadOnly, onToggle, tabIndex, onReach }: Props) {
  const locked = isLocked(matrix, permission)
  const isFixed = locked || isReadOnly
  const handleReach = onReach && (() => onReach(permission))
  return (
    <>
      <input
        type="checkbox"
        className="fc-cell-box"
        data-spot={`${permission.func} ${permission.opr}`}
        checked={matrix.wanted.has(cellOf(permission))}
        onChange={() => !isFixed && onToggle(permission)}
        aria-label={nameOf(permission)}
        {...{ 'aria-description': why }}
        {...(isFixed && { 'aria-disabled': true })}
        {...(tabIndex !== undefined && { tabIndex })}
        {...(handleReach && { onFocus: handleReach, onClick: handleReach })}
      />
      <CellMark origin={originOf(matrix, permission)} isLocked={locked} />
    </>
  )
}
