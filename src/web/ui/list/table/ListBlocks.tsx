import type { ReactNode, RefObject } from 'react'
import type { Choice } from './ListRow.tsx'
import { ListFrame } from './ListTable.tsx'
import { RowCheck } from '../selection/RowCheck.tsx'

type Props = {
  label: string
  isBusy: boolean
  /** Selection is on: each row has a checkbox. */
  isChoosing: boolean
  /** All blocks have the same height. */
  isEven: boolean
  frame: RefObject<HTMLElement | null>
  frameName: string
  children: ReactNode
}

/** A list on a narrow screen: one block per row. */
export function ListBlocks({ label, isBusy, isChoosing, isEven, frame, frameName, children }: Props) {
  return (
    <ListFrame {...{ frame, frameName }} isAll={isEven}>
      <ul
        className="fc-blocks"
        aria-label={label}
        aria-busy={isBusy}
        data-choice={isChoosing || undefined}
        data-even={isEven || undefined}
      >
        {children}
      </ul>
    </ListFrame>
  )
}

type BlockProps = {
  place: number
  /** Number of rows on all pages. */
  count: number
  isOpen: boolean
  choice: Choice | null
  children: ReactNode
}

export function ListBlock({ place, count, isOpen, choice, children }: BlockProps) {
  return (
    <li
      aria-posinset={place + 1}
      aria-setsize={count}
      aria-current={isOpen || undefined}
      data-selected={isOpen || choice?.isOn || undefined}
    >
      {choice && <RowCheck {...choice} />}
      {children}
    </li>
  )
}

/** A loading block. */
export function WaitingBlock({ children }: { children?: ReactNode }) {
  return (
    <li className="fc-skeleton-row">
      {children}
      <span className="fc-skeleton" style={{ inlineSize: '56%' }} />
      <span className="fc-skeleton" style={{ inlineSize: '78%' }} />
      <span className="fc-skeleton" style={{ inlineSize: '34%' }} />
    </li>
  )
}
