import { useMediaQuery, useHotkeys } from '@mantine/hooks'
import { IconListCheck } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, lazy, Suspense, useState, useRef, type RefObject } from 'react'
import type { List } from '#contract/lists/list.ts'
import { useLiveRows } from '#web/api/live.ts'
import { useList } from '#web/api/query.ts'
import type { ListSearch } from '#web/list-search.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useFacets } from '../filter/facets/use-facets.ts'
import { FilterBar } from '../filter/FilterBar.tsx'
import { count } from '../layout/date-format.ts'
import { PageHeader } from '../layout/PageHeader.tsx'
import type { BulkAction } from './selection/bulk-action.ts'
import { ColumnMenu } from './table/ColumnMenu.tsx'
import { DensityMenu } from './table/DensityMenu.tsx'
import { type ListEndpoint, pageOf } from './list-endpoint.ts'
import { ListFooter } from './ListFooter.tsx'
import { ListRows } from './table/ListRows.tsx'
import { NoRows } from './table/NoRows.tsx'
import { SearchField } from './SearchField.tsx'
import type { Cells } from './table/shown-column.ts'
import { type ListControl, type Show, useListState } from './use-list-state.ts'
import { useSelection } from './selection/use-selection.ts'
import { PlainView } from './views/PlainView.tsx'
import './views/views.css'
import '../filter/facets/facet-aside.css'
import './list.css'
import './table/table.css'
import './table/blocks.css'
import { isFree } from '../controls/is-free.ts'

/** Not needed to show rows. */
const ViewBar = lazy(async () => ({ default: (await import('./views/ViewBar.tsx')).ViewBar }))
const BulkBar = lazy(async () => ({ default: (await import('./selection/BulkBar.tsx')).BulkBar }))
const FacetAside = lazy(async () => ({
  default: (await import('../filter/facets/FacetAside.tsx')).FacetAside,
}))
const ExportMenu = lazy(async () => ({ default: (await import('./export/ExportMenu.tsx')).ExportMenu }))

export type ListPageProps<Row, Field extends string = string> = {
  list: List<Field>
  endpoint: ListEndpoint<Row>
  /** The parameters of the URL, including those of the page itself. */
  search: ListSearch
  /** Applies a change to the URL; parameters it doesn't name stay. */
  onShow: Show
  /** The heading; defaults to the list's title. */
  title?: string
  /** Between the header and the toolbar: a `nav` of class `fc-tabs` on a page with tabs. */
  tabs?: ReactNode
  /** Custom cells for fields whose kind isn't enough. Must be a constant: rows re-render when it changes. */
  cells: Cells<Row, Field>
  /** Column widths that differ from the default of the field's kind, in px. */
  widths?: Readonly<Partial<Record<Field, number>>>
  /** The row on a narrow screen: three lines. */
  block: (row: Row) => ReactNode
  rowId: (row: Row) => string
  /** The name of the row, for its checkbox. */
  rowName: (row: Row) => string
  /** The row that is open next to the list. */
  selectedId?: string | undefined
  /** The fields the search covers: "Code, name, address, make". */
  searches: string
  /** The line under the title; defaults to the count. */
  about?: (counts: { filtered: number; total: number }) => ReactNode
  /** At the end of the header: one primary action. */
  actions?: ReactNode
  /** A note between the toolbar and the rows. */
  note?: (rows: readonly Row[]) => ReactNode
  /** Shown while there are no rows at all: an `EmptyState`. */
  empty: ReactNode
  /** The open record. */
  record?: ReactNode
  /** The screen is wide enough for it at the end of the list; rows are then blocks. */
  isBeside?: boolean
  /** Others add rows: reads them again every ten seconds, while the user isn't busy with them. */
  isLive?: boolean
  /** Bulk actions. Must be a constant. */
  bulk?: readonly BulkAction[]
}

const NO_BULK: readonly BulkAction[] = []

/**
 * A full-page list: views, search, filter, columns, rows, counts and bulk actions. Its state is in the URL, except
 * for widths and density, which the browser remembers.
 */
export function ListPage<Row extends object, Field extends string>(props: ListPageProps<Row, Field>) {
  const { list, endpoint, search, onShow, searches, actions, note, bulk = NO_BULK, rowId } = props
  const { cells, widths, block, rowName, selectedId } = props
  const isBeside = props.isBeside === true && props.record !== undefined
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const isNarrow = isPhone || isBeside
  const holds = useHolds()
  const control = useListState(list, search, onShow)
  const { state } = control
  const { list: answer, ...asked } = useList(endpoint, pageOf(state))
  const { failure, isPending } = asked
  const { filteredRows: filtered, totalRows: total, results: rows } = answer
  const isKnown = !failure && !isPending
  const selection = useSelection({ endpoint, state, rowId })
  const facets = useFacets(list, isNarrow)
  // New rows must not move those that the user reads, selects or has open.
  const isBusy = selection.count(filtered) > 0 || selectedId !== undefined || state.page > 1
  const pane = useRowKeys(isBeside)
  const rowsHost = useLiveRows(endpoint, props.isLive === true && !isBusy)
  const [isChoosing, setIsChoosing] = useState(false)
  const [range, setRange] = useState<HTMLElement | null>(null)

  const canExport = list.exports !== null && holds(list.exports) === true
  const canChoose = bulk.length > 0 || canExport
  const exported = list.exports !== null && <Export {...{ list, state, filtered, isKnown }} />

  return (
    <div className="fc-list">
      <PageHeader
        title={props.title ?? list.title}
        context={isKnown ? sumUp(props, { filtered, total }, isFilteredList(state)) : ''}
      >
        {actions}
      </PageHeader>
      {props.tabs}
      <div className="fc-list-panes" data-split={isBeside || undefined}>
        <div className="fc-list-pane" ref={pane}>
          <div className="fc-views">
            <Suspense fallback={<PlainView total={isKnown ? total : null} />}>
              <ViewBar {...{ control, filtered, total, isKnown, isNarrow }} />
            </Suspense>
            {isNarrow && canChoose && (
              <ChooseButton
                isChoosing={isChoosing}
                onToggle={() => {
                  setIsChoosing(!isChoosing)
                  if (isChoosing) selection.clear()
                }}
              />
            )}
            {isNarrow && exported}
          </div>
          <ListToolbar
            {...{ control, endpoint, searches, isNarrow, facets, exported }}
            problem={failure?.fields['filter']}
          />
          {rows && note?.(rows)}
          <div className="fc-list-body">
            <FacetPane {...{ control, facets, isNarrow }} />
            <div className="fc-list-rows" ref={rowsHost}>
              {!failure && (isPending || (rows?.length ?? 0) > 0) ? (
                <ListRows
                  {...{ control, endpoint, rows, isNarrow, range, rowId }}
                  {...{ cells, widths, block, rowName, selectedId }}
                  count={filtered}
                  isStale={asked.isPlaceholderData}
                  selection={canChoose && (!isNarrow || isChoosing) ? selection : null}
                />
              ) : (
                <NoRows
                  {...{ control, endpoint, failure, filtered, total }}
                  empty={props.empty}
                  onRetry={asked.retry}
                />
              )}
            </div>
          </div>
          <Bulk {...{ control, filtered, selection }} actions={bulk} />
          <ListFooter
            {...{ control, isKnown, filtered, total }}
            isStale={asked.isPlaceholderData}
            range={setRange}
          />
        </div>
        {props.record}
      </div>
    </div>
  )
}

type FacetPaneProps = Pick<ToolbarProps, 'control' | 'facets' | 'isNarrow'>

function FacetPane({ control, facets, isNarrow }: FacetPaneProps) {
  const { list, state, show } = control
  if (!facets.isOpen) return null
  return (
    <Suspense fallback={!isNarrow && <aside className="fc-facets" />}>
      <FacetAside
        {...{ list, isNarrow }}
        search={state.search}
        filter={state.filter}
        onChange={(filter) => show({ filter })}
        onClose={facets.close}
      />
    </Suspense>
  )
}

type ExportProps = ComponentProps<typeof ExportMenu> & { isKnown: boolean }

/** Keeps its place while the count isn't known. */
function Export({ isKnown, ...about }: ExportProps) {
  const place = <span className="fc-tool" />
  return <Suspense fallback={place}>{isKnown ? <ExportMenu {...about} /> : place}</Suspense>
}

type BulkProps = {
  control: ListControl
  filtered: number
  selection: ReturnType<typeof useSelection>
  actions: readonly BulkAction[]
}

function Bulk({ control: { list, state }, filtered, selection, actions }: BulkProps) {
  if (selection.count(filtered) === 0) return null
  return (
    <Suspense>
      <BulkBar
        {...{ list, state, filtered }}
        selected={selection.selected}
        actions={actions}
        noteSeen={selection.noteSeen}
        onAll={selection.selectAll}
        onClear={selection.clear}
      />
    </Suspense>
  )
}

type ToolbarProps = {
  control: ListControl
  endpoint: ComponentProps<typeof FilterBar>['endpoint']
  searches: string
  isNarrow: boolean
  facets: ReturnType<typeof useFacets>
  exported: ReactNode
  /** What is wrong with the filter. */
  problem: string | undefined
}

function ListToolbar({ control, endpoint, searches, isNarrow, facets, exported, problem }: ToolbarProps) {
  const { list, state, look, show } = control
  const facetButton = facets.isThere && (
    <button type="button" className="fc-tool" aria-expanded={facets.isOpen} onClick={facets.toggle}>
      <IconListCheck size={18} stroke={1.6} aria-hidden="true" />
      <span className="fc-hidden">Quick filters</span>
    </button>
  )
  return (
    <div className="fc-toolbar">
      <SearchField
        label={`Search ${list.nouns[1]}`}
        placeholder={searches}
        value={state.search}
        onSearch={(text) => show({ search: text })}
      />
      <FilterBar
        {...{ list, endpoint }}
        value={state.filter}
        search={state.search}
        problem={problem}
        onChange={(filter) => show({ filter })}
      />
      {isNarrow && facetButton}
      {!isNarrow && (
        <div className="fc-tools">
          {facetButton}
          <DensityMenu density={look.density} onChange={(density) => control.setLook({ density })} />
          <ColumnMenu control={control} />
          {exported}
        </div>
      )}
    </div>
  )
}

/** On a narrow screen, rows are selected in a mode of their own. */
function ChooseButton({ isChoosing, onToggle }: { isChoosing: boolean; onToggle: () => void }) {
  return (
    <button type="button" className="fc-quiet" aria-pressed={isChoosing} onClick={onToggle}>
      {isChoosing ? 'Done' : 'Select'}
    </button>
  )
}

function isFilteredList({ search, filter }: { search: string; filter: string }): boolean {
  return search !== '' || filter !== ''
}

type Counts = { filtered: number; total: number }

function sumUp<Row, Field extends string>(
  { list, about }: ListPageProps<Row, Field>,
  counts: Counts,
  isFiltered: boolean,
): ReactNode {
  const { filtered, total } = counts
  if (about) return about(counts)
  if (total === 0) return ''
  const all = count(total, ...list.nouns)
  return isFiltered ? `${filtered.toLocaleString()} of ${all}.` : `${all}.`
}

/**
 * j and k open the next and the previous row while one is open beside the list.
 * @returns for the element around the rows, of which each has one link that opens it.
 */
function useRowKeys(isBeside: boolean): RefObject<HTMLDivElement | null> {
  const pane = useRef<HTMLDivElement>(null)
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    if (!isBeside || !isFree(event)) return
    const rows = [...(pane.current?.querySelectorAll('.fc-blocks > li') ?? [])]
    const at = rows.findIndex((row) => row.matches('[data-selected]'))
    const link = rows[at === -1 ? 0 : at + by]?.querySelector('a')
    link?.focus()
    link?.click()
  }
  useHotkeys([
    ['j', move(1)],
    ['k', move(-1)],
  ])
  return pane
}
