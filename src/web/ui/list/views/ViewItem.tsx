import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type Props = {
  /** Why it is disabled, as a sentence. */
  lock?: string | null
  /** A radio item, and whether it is checked. */
  isChosen?: boolean
  isDestructive?: boolean
  onClick: () => void
  children: ReactNode
}

/** An entry of a `DropMenu`. */
export function ViewItem({ lock = null, isChosen, isDestructive = false, onClick, children }: Props) {
  return (
    <button
      type="button"
      {...(isChosen === undefined
        ? { role: 'menuitem' }
        : { role: 'menuitemradio', 'aria-checked': isChosen })}
      className={`fc-drop-item${isDestructive && lock === null ? ' fc-drop-danger' : ''}`}
      {...(lock !== null && { 'aria-disabled': true })}
      onClick={() => lock === null && onClick()}
    >
      <span className="fc-grow">
        <bdi className={lock === null ? '' : 'fc-faint'}>{children}</bdi>
        {lock !== null && (
          <span className="fc-second">
            <bdi>{lock}</bdi>
          </span>
        )}
      </span>
      {isChosen && <IconCheck size={16} aria-hidden="true" />}
    </button>
  )
}
