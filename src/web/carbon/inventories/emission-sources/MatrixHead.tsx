import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import type { Cell } from './assignment-draft.ts'

/** The keys of matrix cells. */
export type CellKeys = readonly string[]

type Props = {
  name: string
  second: string | null
  /** The cells of the row or column. */
  keys: CellKeys
  cellAt: (key: string) => Cell | null
  isReadOnly: boolean
  onTick: (keys: CellKeys, isTicked: boolean) => void
  onEdit: (keys: CellKeys) => void
  /** Cells whose data can be requested. */
  asked: CellKeys
  onAsk: ((keys: CellKeys) => void) | null
  /** Further actions on the row itself. */
  actions?: readonly { label: string; onClick: () => void }[]
}

/** The heading of a row or column, with a menu of actions on all its cells. */
export function MatrixHead(props: Props) {
  const { name, second, keys, cellAt, isReadOnly, onTick, onEdit, asked, onAsk } = props
  const ticked = keys.filter((key) => cellAt(key) !== null)
  const words = (
    <>
      <bdi>{name}</bdi>
      {second !== null && (
        <span className="fc-second">
          <bdi>{second}</bdi>
        </span>
      )}
    </>
  )
  if (isReadOnly) return words
  return (
    <DropMenu trigger={words} className="fc-matrix-head" kind="menu" side="start">
      <button type="button" role="menuitem" className="fc-drop-item" onClick={() => onTick(keys, true)}>
        Assign all
      </button>
      <button type="button" role="menuitem" className="fc-drop-item" onClick={() => onTick(keys, false)}>
        Unassign all
      </button>
      {ticked.length > 0 && (
        <button type="button" role="menuitem" className="fc-drop-item" onClick={() => onEdit(ticked)}>
          Edit {ticked.length} assigned
        </button>
      )}
      {asked.length > 0 && onAsk !== null && (
        <button type="button" role="menuitem" className="fc-drop-item" onClick={() => onAsk(asked)}>
          Request data for {asked.length}
        </button>
      )}
      {props.actions?.map(({ label, onClick }) => (
        <button key={label} type="button" role="menuitem" className="fc-drop-item" onClick={onClick}>
          {label}
        </button>
      ))}
    </DropMenu>
  )
}
