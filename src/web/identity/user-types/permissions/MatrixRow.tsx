import { memo } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { explain, type Owner } from './explain.ts'
import { GrantBox } from './GrantBox.tsx'
import { isChanged, type Matrix, OPERATIONS, permissionsOf, type Row, stateOf } from './matrix.ts'
import { PresetMenu } from './PresetMenu.tsx'
import type { Preset } from './permission-presets.ts'

type Props = {
  matrix: Matrix
  owner: Owner
  row: Row
  isReadOnly: boolean
  /** The column of the grid's only tab stop, if it is in this row. */
  stop: number | null
  /** Both must be stable functions, because unchanged rows keep the ones they have. */
  onToggle: (permission: Permission) => void
  onPick: (row: Row, preset: Preset) => void
}

/**
 * A function as a row of the grid. Rerenders only if something in it changed: a click renders one row, not
 * fifty.
 */
export const MatrixRow = memo(DrawnRow, isSame)

function DrawnRow({ matrix, owner, row, isReadOnly, stop, onToggle, onPick }: Props) {
  const tabIndexOf = (column: number) => (stop === column ? 0 : -1)
  return (
    <tr>
      <th scope="row">
        {row.title} <span className="fc-faint">{row.func}</span>
      </th>
      <td>
        <PresetMenu
          {...{ matrix, row, isReadOnly }}
          tabIndex={tabIndexOf(0)}
          onPick={(preset) => onPick(row, preset)}
        />
      </td>
      {OPERATIONS.map(({ opr }) => {
        const permission = permissionsOf(row).find((one) => one.opr === opr)
        if (!permission) return <td key={opr} aria-label="No such permission" />
        return (
          <td key={opr} data-changed={isChanged(matrix, permission) || undefined}>
            <GrantBox
              {...{ matrix, permission, isReadOnly, onToggle }}
              why={explain(matrix, owner, permission)}
              tabIndex={tabIndexOf(opr)}
            />
          </td>
        )
      })}
    </tr>
  )
}

function isSame(before: Props, after: Props): boolean {
  return (
    before.row === after.row &&
    before.isReadOnly === after.isReadOnly &&
    before.stop === after.stop &&
    before.onToggle === after.onToggle &&
    before.onPick === after.onPick &&
    before.matrix.held === after.matrix.held &&
    JSON.stringify(before.owner) === JSON.stringify(after.owner) &&
    stateOf(before.matrix, before.row) === stateOf(after.matrix, after.row)
  )
}
