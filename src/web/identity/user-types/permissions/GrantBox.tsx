import type { Permission } from '#contract/permissions.ts'
import { CellMark } from './CellMark.tsx'
import { cellOf, isLocked, type Matrix, nameOf, originOf } from './matrix.ts'

type Props = {
  matrix: Matrix
  permission: Permission
  /** Why it is as it is. */
  why: string
  isReadOnly: boolean
  onToggle: (permission: Permission) => void
  /** In a grid, the arrows go there. */
  tabIndex?: number
  /** It was reached, by keyboard or by touch. */
  onReach?: (permission: Permission) => void
}

/**
 * One permission as a checkbox, over its mark. What cannot be changed stays in the tab order and among the arrows, so
 * that the reason can be reached by keyboard.
 */
export function GrantBox({ matrix, permission, why, isReadOnly, onToggle, tabIndex, onReach }: Props) {
  const locked = isLocked(matrix, permission)
  const isFixed = locked || isReadOnly
  const reach = onReach && (() => onReach(permission))
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
        {...(reach && { onFocus: reach, onClick: reach })}
      />
      <CellMark origin={originOf(matrix, permission)} isLocked={locked} />
    </>
  )
}
