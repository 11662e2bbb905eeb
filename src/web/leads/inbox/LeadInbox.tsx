import { Button } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { IconInbox, IconMessage } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { LEAD_LIST, LEAD_QUEUES, type LeadQueue, narrowedTo } from '#contract/leads/inbox/lead-list.ts'
import type { Counted } from '#contract/lists/counted.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FilterBar } from '#web/ui/filter/FilterBar.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { SearchField } from '#web/ui/list/SearchField.tsx'
import { DiscardLeads } from './queue/DiscardLeads.tsx'
import { LeadPane } from './lead/LeadPane.tsx'
import { MoreMenu } from './MoreMenu.tsx'
import { MoreLeads, QueuePane } from './queue/QueuePane.tsx'
import { StoreMenu, useStoreName } from './queue/StoreMenu.tsx'
import { useLeadQueue } from './queue/lead-queue.ts'
import { useQueueSelection } from './queue/queue-selection.tsx'
import { isFree } from '#web/ui/controls/is-free.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import '#web/ui/list/list.css'
import '#web/ui/list/table/table.css'
import './inbox.css'

const route = getRouteApi('/shell/customers/leads')
const QUEUES: readonly LeadQueue[] = [
  'mine',
  'unassigned',
  'open',
  'noStore',
  'undelivered',
  'quarantined',
  'all',
]

/** The next leads are read when this number is left. */
const READ_AHEAD = 30

/** The workspace for leads: the queue by time left, the conversation, and the person with the vehicle. */
export function LeadInbox({ add }: { add: ReactNode }) {
  const { queue = 'open', search = '', filter = '', person = '', store = '', lead } = route.useSearch()
  const openId = lead === 'new' ? undefined : lead
  const navigate = useNavigate({ from: '/customers/leads' })
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const narrowing = { search, filter, person, store }
  const list = useLeadQueue({ queue, ...narrowing })
  const { rows } = list
  const storeName = useStoreName(store)
  const at = rows.findIndex(({ id }) => id === openId)
  // A lead that is closed leaves the queue; the next one has taken its place.
  const [place, setPlace] = useState(0)
  if (at !== -1 && at !== place) setPlace(at)
  const put = (change: { lead?: string | undefined; search?: string; filter?: string; person?: undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const close = () => put({ lead: undefined })
  const move = (by: 1 | -1) => {
    const gone = openId === undefined ? 0 : place - (by === 1 ? 0 : 1)
    const to = at === -1 ? gone : at + by
    const next = rows[to]
    // The keys go through all leads, too.
    const isNearEnd = by === 1 && to >= rows.length - READ_AHEAD
    if (next === undefined) return null
    return () => {
      if (isNearEnd) list.more?.()
      put({ lead: next.id })
      focusRow(next.id)
    }
  }
  useHotkeys([
    ['j', (event) => isFree(event) && move(1)?.()],
    ['k', (event) => isFree(event) && move(-1)?.()],
  ])
  const isList = !isNarrow || openId === undefined
  return (
    <div className="fc-list fc-inbox" data-open={openId !== undefined || undefined}>
      {!isList && <h1 className="fc-hidden">Leads</h1>}
      {isList && (
        <>
          <PageHeader title="Leads" context={<Goal isNarrow={isNarrow} {...{ store, storeName }} />}>
            <MoreMenu />
            {add}
          </PageHeader>
          <Queues current={queue} narrowing={narrowing}>
            {person !== '' && (
              <Button variant="default" size="xs" onClick={() => put({ person: undefined })}>
                Leads of one buyer: show all
              </Button>
            )}
            <Narrowing {...{ search, filter }} problem={list.error?.fields['filter']} onChange={put} />
          </Queues>
        </>
      )}
      <div className="fc-inbox-panes">
        {isList && (
          <QueueColumn
            {...{ list, add, queue, narrowing, openId }}
            namesStores={storeName !== null && store === ''}
            onDone={close}
          />
        )}
        {openId !== undefined && (
          <LeadPane
            key={openId}
            id={openId}
            place={at === -1 ? null : { at: at + 1, of: Math.max(list.total, rows.length) }}
            onNext={at === -1 ? null : move(1)}
            onPrevious={at === -1 ? null : move(-1)}
            onClose={close}
            onLeave={() => focusRow(openId)}
          />
        )}
        {openId === undefined && !isNarrow && <NoOpenLead hasRows={rows.length > 0} />}
      </div>
    </div>
  )
}

type ColumnProps = {
  list: ReturnType<typeof useLeadQueue>
  add: ReactNode
  queue: LeadQueue
  narrowing: { search: string; filter: string; person: string; store: string }
  openId: string | undefined
  namesStores: boolean
  /** Leads in quarantine were deleted. */
  onDone: () => void
}

/** The rows of the queue, what can be done with the chosen ones, and how many there are. */
function QueueColumn({ list, add, queue, narrowing, openId, namesStores, onDone }: ColumnProps) {
  const { rows } = list
  const { selection, bar, exported } = useQueueSelection({ ...list, search: narrowing.search, openId })
  return (
    <div className="fc-inbox-queue">
      <div
        className="fc-inbox-rows"
        aria-busy={list.isStale || undefined}
        {...(bar !== null && { style: { paddingBlockEnd: 116, scrollPaddingBlockEnd: 124 } })}
      >
        <QueueState
          {...{ list, add, queue }}
          isNarrowed={Object.values(narrowing).some((value) => value !== '')}
        />
        {queue === 'quarantined' && !list.isStale && <DiscardLeads rows={rows} onDone={onDone} />}
        <QueuePane {...{ rows, openId, selection, namesStores }} onEnter={focusConversation} />
        <MoreLeads more={list.more} isReading={list.isReading} />
      </div>
      {bar}
      <QueueFooter shown={rows.length} total={list.total} onSort={list.sort}>
        {exported}
      </QueueFooter>
    </div>
  )
}

type StateProps = {
  list: ReturnType<typeof useLeadQueue>
  add: ReactNode
  queue: LeadQueue
  isNarrowed: boolean
}

/** What is shown instead of rows: a failure, the wait for them, or that there are none. */
function QueueState({ list: { rows, error, retry, isPending }, ...none }: StateProps) {
  if (rows.length > 0) return null
  if (error)
    return <FailureState failure={error} endpoint={leads.list} what="the list of leads" onRetry={retry} />
  return isPending ? <QueueSkeleton /> : <NoLeads {...none} />
}

/** The rows and the conversation are the only ones on the page, and are found by what they show. */
function focusRow(id: string): void {
  const row = document.querySelector<HTMLElement>(`[data-lead="${id}"]`)
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}
const focusConversation = () => document.querySelector<HTMLElement>('.fc-lead-scroll')?.focus()

function NoOpenLead({ hasRows }: { hasRows: boolean }) {
  return (
    <section className="fc-lead-pane" aria-label="Lead">
      {hasRows && (
        <EmptyState
          icon={<IconMessage size={18} />}
          title="No lead is open"
          text="Choose one, or press j for the next."
        />
      )}
    </section>
  )
}

type NarrowingProps = {
  search: string
  filter: string
  problem: string | undefined
  onChange: (change: { search?: string; filter?: string }) => void
}

/** The search and the filter within a queue. */
function Narrowing({ search, filter, problem, onChange }: NarrowingProps) {
  return (
    <>
      <SearchField
        label="Search leads"
        placeholder="Name, phone, VIN"
        value={search}
        onSearch={(text) => onChange({ search: text })}
      />
      <FilterBar
        list={LEAD_LIST}
        endpoint={leads.list}
        value={filter}
        search={search}
        problem={problem}
        onChange={(next) => onChange({ filter: next })}
      />
    </>
  )
}

/** How the response goal is met today. The figures open the leads that they count. */
type GoalProps = { isNarrow: boolean; store: string; storeName: string | null }

function Goal({ isNarrow, store, storeName }: GoalProps) {
  const filter = narrowedTo({ filter: '', store })
  const { data } = useQuery(live(query(leads.counts, filter === '' ? {} : { filter }), 'queue'))
  if (!data) return ''
  const of = storeName === null ? null : <bdi>{`${storeName}: `}</bdi>
  const { waiting, late, unanswered, medianSecondsToday, responseMinutes } = data
  const minutes = medianSecondsToday === null ? null : Math.max(1, Math.round(medianSecondsToday / 60))
  const isLate = <CountLink of={late}>{`${late.count.toLocaleString()} late`}</CountLink>
  if (isNarrow) {
    const goal =
      minutes === null ? `Goal ${responseMinutes} min.` : `Median ${minutes} min, goal ${responseMinutes}.`
    return (
      <>
        {of}
        <CountLink of={waiting}>{`${waiting.count.toLocaleString()} waiting`}</CountLink>, {isLate}. {goal}
      </>
    )
  }
  const median = minutes === null ? 'No response yet today' : `Median today ${minutes} min`
  return (
    <>
      {of}
      <CountLink
        of={waiting}
      >{`${waiting.count.toLocaleString()} waiting for a first response`}</CountLink>,{' '}
      {isLate}.{' '}
      {unanswered.count > 0 && (
        <>
          <CountLink of={unanswered}>
            {`${unanswered.count.toLocaleString()} replied and are waiting for a response`}
          </CountLink>
          .{' '}
        </>
      )}
      {`${median}, goal ${responseMinutes} min.`}
    </>
  )
}

/** A figure that opens its leads, unless there are none. */
function CountLink({ of: { count, url }, children }: { of: Counted; children: string }) {
  if (count === 0 || url === null) return children
  return (
    <Link to={url} className="fc-link">
      {children}
    </Link>
  )
}

type QueuesProps = {
  current: LeadQueue
  /** What the shown queue is narrowed to; another one stays narrowed to it. */
  narrowing: { search: string; filter: string; person: string; store: string }
  children: ReactNode
}

/** The queues with the numbers of leads that they show. */
function Queues({ current, narrowing: { search, ...of }, children }: QueuesProps) {
  const filter = narrowedTo(of)
  const asked = { ...(search !== '' && { search }), ...(filter !== '' && { filter }) }
  const { data } = useQuery({
    ...live(query(leads.counts, asked), 'queue'),
    placeholderData: keepPreviousData,
  })
  // Only groups with an address for all stores have leads without one.
  const isShown = (queue: LeadQueue) =>
    queue !== 'noStore' || current === 'noStore' || (data?.noStore.count ?? 0) > 0
  return (
    <div className="fc-lead-queues">
      <StoreMenu store={of.store} />
      <nav aria-label="Queues">
        {QUEUES.filter((queue) => isShown(queue)).map((queue) => (
          <Link
            key={queue}
            from="/customers/leads"
            to="/customers/leads"
            search={(before) => ({ ...before, queue, lead: undefined })}
            className="fc-lead-queue"
            aria-current={current === queue ? 'true' : undefined}
          >
            {LEAD_QUEUES[queue].title}{' '}
            <span className="fc-faint fc-number">{data?.[queue].count.toLocaleString() ?? ''}</span>
          </Link>
        ))}
      </nav>
      <span className="fc-grow" />
      {children}
    </div>
  )
}

type NoLeadsProps = { add: ReactNode; queue: LeadQueue; isNarrowed: boolean }

function NoLeads({ add, queue, isNarrowed }: NoLeadsProps) {
  if (isNarrowed) {
    return (
      <EmptyState
        icon={<IconInbox size={18} />}
        title="No lead matches"
        text="Change the search, the filter or the store, or look in another queue."
      />
    )
  }
  if (queue === 'quarantined') {
    return (
      <EmptyState
        icon={<IconInbox size={18} />}
        title="No lead is in quarantine"
        text="Forms and emails that look like spam wait here. They become leads once you release them."
      />
    )
  }
  return (
    <EmptyState tone="brand" icon={<IconInbox size={18} />} title="Inbox clear" text="New leads appear here.">
      {add}
    </EmptyState>
  )
}

const SKELETONS = 8

function QueueSkeleton() {
  return (
    <div aria-busy="true">
      <output className="fc-hidden">Loading leads</output>
      {Array.from({ length: SKELETONS }, (_, row) => (
        <div key={row} className="fc-lead-row" aria-hidden="true">
          <span className="fc-skeleton" style={{ inlineSize: '56%' }} />
          <span className="fc-skeleton" style={{ inlineSize: '78%' }} />
          <span className="fc-skeleton" style={{ inlineSize: '34%' }} />
        </div>
      ))}
    </div>
  )
}

function QueueFooter({
  shown,
  total,
  onSort,
  children,
}: {
  shown: number
  total: number
  onSort: (() => void) | null
  children: ReactNode
}) {
  const text =
    shown < total
      ? `${shown.toLocaleString()} of ${total.toLocaleString()}`
      : `${shown.toLocaleString()} leads`
  return (
    <footer className="fc-list-footer fc-inbox-footer">
      <span>{shown === 1 ? '1 lead' : text}</span>
      {onSort === null ? (
        <span>Least time left first</span>
      ) : (
        <button type="button" className="fc-link" onClick={onSort}>
          Sort by time left
        </button>
      )}
      <span className="fc-grow" />
      <span className="fc-lead-keys" aria-hidden="true">
        <span>
          <kbd className="fc-key">j</kbd> <kbd className="fc-key">k</kbd> next
        </span>
      </span>
      {children}
    </footer>
  )
}
