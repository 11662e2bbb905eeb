import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { type ComponentType, Fragment, type ReactNode, Suspense, useMemo } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import type { List } from '#contract/lists/list.ts'
import type { RowsSeen } from '#contract/deletion.ts'
import { readListSearch } from '#web/list-search.ts'
import { send } from '#web/api/query.ts'
import { isRecord } from '#web/api/read-json.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import type { RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import type { ListEndpoint } from './list-endpoint.ts'
import { ListPage, type ListPageProps } from './ListPage.tsx'
import type { BulkAction } from './selection/bulk-action.ts'
import { MayOpen } from './MayOpen.tsx'
import { showValue } from './table/show-cell-value.tsx'
import type { Cells } from './table/shown-column.ts'
import { useListRoute } from './use-list-route.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Listed = { id: string; name: string; updatedAt?: string; updatedBy?: string | null }

/** What the columns are on a narrow screen, where a row is a card of up to three lines. */
type Roles<Row, Field extends string> = Readonly<{
  /** At the end of the first line, after the name. */
  code?: Field
  /** The second line: columns, separated by dots, or what they come to. */
  line?: readonly Field[] | ((row: Row) => ReactNode)
  /** The third line, before the day of the last change. */
  marks?: readonly Field[]
}>

type RemoveMany = Endpoint<z.ZodType<unknown, z.input<typeof RowsSeen>>, z.ZodType<Job>>

type Props<Row, Field extends string> = Pick<
  ListPageProps<Row, Field>,
  'list' | 'searches' | 'widths' | 'note' | 'tabs' | 'isLive'
> & {
  /** What `crud` of the contract declares. Without `removeMany`, records are deleted one at a time. */
  calls: {
    list: ListEndpoint<Row>
    get: Endpoint
    add: Endpoint
    removeMany?: RemoveMany
  }
  /** The parameter of the URL with the open record: `lot`. */
  param: string
  /** The drawer of a record, loaded when one is opened. */
  Drawer: ComponentType<RecordDrawerProps>
  roles?: Roles<Row, Field>
  /** The card on a narrow screen, if it is more than `roles` can say. `link` opens the record. */
  block?: (row: Row, link: ReactNode) => ReactNode
  /** Cells that show more than their field. Must be constants, like everything below. */
  cells?: Cells<Row, Field>
  /** Below the name. */
  second?: (row: Row) => ReactNode
  /** Shorter than the noun of the list, for the button that adds one: "handler" of an "email handler". */
  short?: string
  /** Before the button that adds one. */
  actions?: ReactNode
  /** More bulk actions, before deleting. */
  bulk?: readonly BulkAction[]
  /** What follows from deleting many; the default says that it can be undone. */
  removeText?: string
  /** While there are no records: what they are for. */
  icon: ReactNode
  purpose: string
}

const NO_BULK: readonly BulkAction[] = []
const NO_ROLES = {}

/**
 * The page of a record's list: opens one in a drawer with its own URL, adds, exports and deletes many with undo. The columns,
 * filters and views are those of the list.
 */
export function RecordList<Row extends Listed, Field extends string>(props: Props<Row, Field>) {
  const { list, calls, param, Drawer, cells, second, roles = NO_ROLES, bulk = NO_BULK, removeText } = props
  const { block: card, short = list.nouns[0] } = props
  const given = useSearch({ strict: false })
  const search = useMemo(() => readListSearch(given), [given])
  const opened: unknown = Object.entries(given).find(([name]) => name === param)?.[1]
  const openId = typeof opened === 'string' ? opened : undefined
  const { onShow, open, close, onCreated } = useListRoute(param)
  const shown = useMemo(
    () => cellsOf<Row, Field>({ param, get: calls.get, cells, second }),
    [param, calls, cells, second],
  )
  const block = useMemo(
    () =>
      card
        ? (row: Row) => card(row, <RowLink param={param} get={calls.get} row={row} />)
        : blockOf<Row, Field>({ list, cells: shown, roles, param, get: calls.get }),
    [list, card, shown, roles, param, calls],
  )
  const actions = useMemo(
    () => (calls.removeMany ? [...bulk, removalOf(list, calls.removeMany, removeText)] : bulk),
    [bulk, list, calls, removeText],
  )
  const add = (
    <Action
      for={calls.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add {short}
    </Action>
  )
  return (
    <>
      <ListPage<Row, string>
        {...props}
        endpoint={calls.list}
        search={search}
        onShow={onShow}
        cells={shown}
        block={block}
        rowId={idOf}
        rowName={nameOf}
        selectedId={openId}
        actions={
          <>
            {props.actions}
            {add}
          </>
        }
        bulk={actions}
        empty={
          <EmptyState tone="brand" icon={props.icon} title={`No ${list.nouns[1]} yet`} text={props.purpose}>
            {add}
          </EmptyState>
        }
      />
      {openId !== undefined && (
        <Suspense>
          <Drawer key={openId} id={openId} onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
    </>
  )
}

const idOf = ({ id }: Listed): string => id
const nameOf = ({ name }: Listed): string => name

/** The cells of the feature, with the name as the link that opens the row and the last change with its user. */
function cellsOf<Row extends Listed, Field extends string>({
  param,
  get,
  cells,
  second,
}: {
  param: string
  get: Endpoint
  cells: Cells<Row, Field> | undefined
  second: ((row: Row) => ReactNode) | undefined
}): Cells<Row> {
  return {
    name: (row: Row) => (
      <>
        <RowLink param={param} get={get} row={row} />
        {second && <span className="fc-second">{second(row)}</span>}
      </>
    ),
    updatedAt: ({ updatedAt, updatedBy }: Row) => (
      <>
        {updatedAt !== undefined && formatDay(updatedAt)}
        {updatedBy != null && (
          <span className="fc-second">
            <bdi>{updatedBy}</bdi>
          </span>
        )}
      </>
    ),
    ...cells,
  }
}

/** A row on a narrow screen. */
function blockOf<Row extends Listed, Field extends string>({
  list,
  cells,
  roles: { code, line = [], marks = [] },
  param,
  get,
}: {
  list: List<Field>
  cells: Cells<Row>
  roles: Roles<Row, Field>
  param: string
  get: Endpoint
}): (row: Row) => ReactNode {
  const show = (name: Field, row: Row) => cells[name]?.(row) ?? showValue(name, list.fields[name], row)
  return (row) => (
    <>
      <div className="fc-block-head">
        <RowLink param={param} get={get} row={row} />
        {code !== undefined && show(code, row)}
      </div>
      <div className="fc-small fc-faint">
        {typeof line === 'function'
          ? line(row)
          : line
              .filter((name) => hasValue(row, name))
              .map((name, at) => (
                <Fragment key={name}>
                  {at > 0 && ' · '}
                  {show(name, row)}
                </Fragment>
              ))}
      </div>
      <div className="fc-block-head fc-small">
        <span className="fc-row">
          {marks.map((name) => (
            <Fragment key={name}>{show(name, row)}</Fragment>
          ))}
        </span>
        <span className="fc-soft fc-number">{row.updatedAt !== undefined && formatDay(row.updatedAt)}</span>
      </div>
    </>
  )
}

/** Whether a column has something to show: an empty one would leave a dot behind. */
function hasValue(row: object, name: string): boolean {
  const value = isRecord(row) ? row[name] : null
  return value !== null && value !== undefined && value !== ''
}

/** Opens a record from its name on its first tab, as a link that can be copied or opened in a new tab. */
function RowLink({ param, get, row }: { param: string; get: Endpoint; row: Listed }) {
  return (
    <MayOpen for={get}>
      <Link
        to="."
        search={(before: object) => ({ ...before, part: undefined, [param]: row.id })}
        className="fc-name"
      >
        <bdi>{row.name}</bdi>
      </Link>
    </MayOpen>
  )
}

function removalOf(
  { nouns }: List,
  endpoint: RemoveMany,
  text = 'They will be removed from all lists. You can undo this.',
): BulkAction {
  const remove = send(endpoint)
  return {
    id: 'delete',
    label: 'Delete',
    icon: <IconTrash size={16} stroke={1.6} aria-hidden="true" />,
    endpoint,
    tone: 'bad',
    ask: (_selection, chosen) =>
      ask({
        title: `Delete ${count(chosen, nouns[0], nouns[1])}?`,
        text,
        confirm: `Delete ${count(chosen, nouns[0], nouns[1])}`,
        isDestructive: true,
      }),
    start: (selection, _count, seen) => remove({ selection, ...seen }),
  }
}
