import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { SELECT_WIDTH, type Widths } from './column-widths.ts'
import type { Density } from '../views/stored-view.ts'
import { type ChoiceOfAll, ListHead } from './ListHead.tsx'
import type { ListColumn } from '../list-state.ts'

type Props = {
  /** Accessible name: "Lots". */
  label: string
  columns: readonly ListColumn[]
  widths: Widths
  /** Visible width of the table. */
  room: number
  density: Density
  sort: string
  /** Number of rows on all pages. */
  rowCount: number
  isBusy: boolean
  choice: ChoiceOfAll | null
  onSort: (sort: string) => void
  onWidth: (id: string, width: number | null) => void
  /** The scroll container. */
  frame: RefObject<HTMLElement | null>
  /** Accessible name of the frame: "List of vehicles". */
  frameName: string
  /** All rows are scrolled: the frame scrolls even where pages normally scroll as a whole. */
  isAll: boolean
  children: ReactNode
}

/**
 * The table: its widths are known before its rows, so nothing moves when they load. The header and the fixed column
 * stay in view. A row opens by the link on its name (`fc-name`), which covers the whole row: it works with the
 * keyboard, in a new tab and as a copied link.
 */
export function ListTable(props: Props) {
  const {
    label,
    columns,
    widths,
    room,
    density,
    rowCount,
    isBusy,
    choice,
    frame,
    frameName,
    isAll,
    children,
  } = props
  const total = columns.reduce((sum, { id }) => sum + (widths[id] ?? 0), choice ? SELECT_WIDTH : 0)
  return (
    <ListFrame {...{ frame, frameName, isAll }}>
      <table
        className="fc-table"
        aria-label={label}
        aria-busy={isBusy}
        aria-rowcount={rowCount + 1}
        data-density={density}
        data-wide={total > room || undefined}
        data-choice={choice !== null || undefined}
        style={{ inlineSize: total }}
      >
        <colgroup>
          {choice && <col style={{ inlineSize: SELECT_WIDTH }} />}
          {columns.map(({ id }) => (
            <col key={id} style={{ inlineSize: widths[id] }} />
          ))}
        </colgroup>
        <ListHead
          {...{ columns, widths, choice }}
          sort={props.sort}
          onSort={props.onSort}
          onWidth={props.onWidth}
        />
        <tbody>{children}</tbody>
      </table>
    </ListFrame>
  )
}

type FrameProps = Pick<Props, 'frame' | 'frameName' | 'isAll' | 'children'>

/** The scroll container of the rows. Focusable, so that keys scroll it too. */
export function ListFrame({ frame, frameName, isAll, children }: FrameProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={frame}
      className="fc-table-frame"
      data-scrolls={isAll || undefined}
      aria-label={frameName}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={jumpToEdge}
    >
      {children}
    </section>
  )
}

/**
 * Home and End go to the first and last row at once. The browser's own jump is animated, and it is lost while the
 * animation of an earlier Page Up or Page Down still runs.
 */
function jumpToEdge(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: frame, target, key } = event
  if (key !== 'Home' && key !== 'End') return
  if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return
  if (frame.scrollHeight <= frame.clientHeight) return
  if (target instanceof Element && target.closest('input, select, textarea, [role=separator]')) return
  event.preventDefault()
  frame.scrollTop = key === 'Home' ? 0 : frame.scrollHeight
}
