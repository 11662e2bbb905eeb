import {
  type ComponentProps,
  type ReactNode,
  Suspense,
  use,
  useMemo,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { SELECT_WIDTH, spreadWidths, type WidthHints } from './column-widths.ts'
import { ROW_HEIGHTS } from './DensityMenu.tsx'
import { ListBlock, ListBlocks, WaitingBlock } from './ListBlocks.tsx'
import { type ListEndpoint, queryOf } from '../list-endpoint.ts'
import type { ChoiceOfAll } from './ListHead.tsx'
import { ListRow, WaitingRow } from './ListRow.tsx'
import { ListTable } from './ListTable.tsx'
import type { ScrollRows } from './ScrollRows.tsx'
import { type Cells, showColumns } from './shown-column.ts'
import type { ListControl } from '../use-list-state.ts'
import type { ListSelection } from '../selection/use-selection.ts'
import { useOpenRow } from './use-open-row.ts'

export type RowsProps<Row> = {
  control: ListControl
  endpoint: ListEndpoint<Row>
  cells: Cells<Row>
  /** Widths that differ from the default of the field's kind. */
  widths?: WidthHints | undefined
  block: (row: Row) => ReactNode
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  selectedId: string | undefined
  /** Null while the first rows load. */
  rows: readonly Row[] | null
  /** Number of matching rows. */
  count: number
  /** Old rows are shown while new ones load. */
  isStale: boolean
  isNarrow: boolean
  /** Null if rows can't be selected right now. */
  selection: ListSelection | null
  /** The element where scrolled rows report the visible range. */
  range: HTMLElement | null
}

/** Number of placeholder rows while the count is unknown. */
const WAITING = Array.from({ length: 8 }, (_, place) => place)
/** The height of a block when all have the same height, in px. */
const BLOCK_HEIGHT = 84

let scrolling: Promise<{ ScrollRows: typeof ScrollRows }> | undefined
/** The code for scrolling a million rows is loaded with the first rows of a list shown that way. */
const loadScrolling = () => (scrolling ??= import('./ScrollRows.tsx'))

function Scrolled<Row>(props: Parameters<typeof ScrollRows<Row>>[0]) {
  const { ScrollRows: Loaded } = use(loadScrolling())
  return <Loaded {...props} />
}

/** The rows of a list: one page or all, scrolled; as a table, or as blocks on narrow screens. */
export function ListRows<Row extends object>(props: RowsProps<Row>) {
  const { control, endpoint, cells, block, rowId, rowName, rows, count, isNarrow, selection } = props
  const { list, columns, state, look } = control
  const { frame, room } = useFrame({ id: props.selectedId, isLoaded: rows !== null })
  const chosen = state.columns.join(',')
  const shown = useMemo(() => showColumns(columns, chosen.split(','), cells), [columns, chosen, cells])
  const widths = spreadWidths({
    columns: shown,
    own: look.widths,
    ...(props.widths && { hints: props.widths }),
    room: room - (selection ? SELECT_WIDTH : 0),
  })
  const isScrolled = state.size === 0
  if (isScrolled) void loadScrolling()
  const frameName = `List of ${list.nouns[1]}`
  const isBusy = rows === null || props.isStale

  const drawRow = (row: Row | undefined, place: number) => {
    if (row === undefined) {
      const waiting = rows === null && place === 0 && (
        <output className="fc-hidden">Loading {list.nouns[1]}</output>
      )
      return drawWaiting({ place, isNarrow, columns: shown, hasChoice: selection !== null, waiting })
    }
    const id = rowId(row)
    const about = {
      place,
      isOpen: id === props.selectedId,
      choice: choiceOf(selection, { id, place }, rowName(row)),
    }
    if (!isNarrow) return <ListRow key={id} row={row} columns={shown} {...about} />
    return (
      <ListBlock key={id} count={count} {...about}>
        {block(row)}
      </ListBlock>
    )
  }

  const first = isScrolled ? 0 : (state.page - 1) * state.size
  const plain =
    rows?.map((row, index) => drawRow(row, first + index)) ??
    WAITING.map((place) => drawRow(undefined, place))
  const input = queryOf(state)
  const content =
    isScrolled && rows !== null ? (
      <Suspense fallback={plain}>
        <Scrolled
          key={JSON.stringify(input)}
          {...{ endpoint, input, count, frame }}
          rowHeight={isNarrow ? BLOCK_HEIGHT : ROW_HEIGHTS[look.density]}
          range={props.range}
          gap={isNarrow ? drawBlockGap : drawGap}
        >
          {drawRow}
        </Scrolled>
      </Suspense>
    ) : (
      plain
    )
  if (isNarrow) {
    return (
      <ListBlocks
        label={list.title}
        isBusy={isBusy}
        isChoosing={selection !== null}
        isEven={isScrolled}
        {...{ frame, frameName }}
      >
        {content}
      </ListBlocks>
    )
  }
  return (
    <ListTable
      label={list.title}
      columns={shown}
      {...{ widths, frame, frameName, room, isBusy }}
      isAll={isScrolled}
      density={look.density}
      sort={state.sort}
      rowCount={count}
      choice={selection && choiceOfAll({ selection, rows, rowId, count, isScrolled, nouns: list.nouns })}
      onSort={(sort) => control.show({ sort })}
      onWidth={(id, width) => {
        const { [id]: _old, ...others } = look.widths
        control.setLook({ widths: width === null ? others : { ...others, [id]: width } })
      }}
    >
      {content}
    </ListTable>
  )
}

/** The checkbox of a row; null if rows can't be selected. */
function choiceOf(selection: ListSelection | null, at: { id: string; place: number }, name: string) {
  return (
    selection && {
      label: `Select ${name}`,
      isOn: selection.isOn(at.id),
      onChange: (isOn: boolean, how: { isRange: boolean }) => selection.toggle(at, isOn, how),
    }
  )
}

type Waiting = {
  place: number
  isNarrow: boolean
  columns: ComponentProps<typeof WaitingRow>['columns']
  hasChoice: boolean
  /** What a screen reader hears. */
  waiting: ReactNode
}

/** A placeholder for a row that is being loaded. */
function drawWaiting({ place, isNarrow, columns, hasChoice, waiting }: Waiting) {
  const key = `waiting ${place}`
  if (isNarrow) return <WaitingBlock key={key}>{waiting}</WaitingBlock>
  return (
    <WaitingRow key={key} {...{ place, columns, hasChoice }}>
      {waiting}
    </WaitingRow>
  )
}

const drawGap = (height: number) =>
  height > 0 && <tr aria-hidden="true" className="fc-gap" style={{ blockSize: height }} />
const drawBlockGap = (height: number) =>
  height > 0 && <li aria-hidden="true" className="fc-gap" style={{ blockSize: height }} />

type OfAll<Row> = {
  selection: ListSelection
  rows: readonly Row[] | null
  rowId: (row: Row) => string
  count: number
  isScrolled: boolean
  nouns: readonly [one: string, many: string]
}

/** The "select all" checkbox: for the rows of a page, or for all matching rows if all are scrolled. */
function choiceOfAll<Row>({ selection, rows, rowId, count, isScrolled, nouns }: OfAll<Row>): ChoiceOfAll {
  const chosen = selection.count(count)
  if (isScrolled) {
    return {
      label: `Select all ${nouns[1]}`,
      isOn: chosen > 0 && chosen === count,
      isMixed: chosen > 0 && chosen < count,
      onChange: (isOn) => (isOn ? selection.selectAll() : selection.clear()),
    }
  }
  const ids = rows?.map(rowId) ?? []
  const on = ids.filter(selection.isOn).length
  return {
    label: 'Select all on this page',
    isOn: on > 0 && on === ids.length,
    isMixed: on > 0 && on < ids.length,
    onChange: (isOn) => selection.setMany(ids, isOn),
  }
}

/**
 * The scroll container of the rows and its inner width. Sets `--fc-frame` to the width, and `data-scrolled` while
 * rows are under the fixed column.
 * @param open the row that is open next to the list, which stays in view
 */
function useFrame(open: { id: string | undefined; isLoaded: boolean }): {
  frame: RefObject<HTMLElement | null>
  room: number
} {
  const frame = useRef<HTMLElement>(null)
  const [room, setRoom] = useState(0)
  useOpenRow(frame, open.id, open.isLoaded)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = () => {
      setRoom(element.clientWidth)
      element.style.setProperty('--fc-frame', `${element.clientWidth}px`)
    }
    const look = () => element.toggleAttribute('data-scrolled', element.scrollLeft !== 0)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  return { frame, room }
}
