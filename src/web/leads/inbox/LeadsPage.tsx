import { IconInbox, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Lead, LEAD_LIST, LEAD_QUEUES, type LeadQueue } from '#contract/leads/leads/lead-list.ts'
import { leads } from '#contract/leads/leads/leads.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, LeadBlock, WIDTHS } from './lead-columns.tsx'
import './inbox.css'

const route = getRouteApi('/shell/customers/leads')
/** A new lead is visible within this time. */
const REFRESH_MS = 10_000

const LeadDrawer = lazy(async () => ({ default: (await import('./LeadDrawer.tsx')).LeadDrawer }))
const NewLeadDrawer = lazy(async () => ({ default: (await import('./NewLeadDrawer.tsx')).NewLeadDrawer }))

/** The leads, least time left to respond first; one opens in a drawer with its own URL. */
export function LeadsPage() {
  const search = route.useSearch()
  const { onShow, open, close, onCreated } = useListRoute('lead')
  const add = (
    <Action
      for={leads.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add lead
    </Action>
  )
  return (
    <>
      <ListPage
        list={LEAD_LIST}
        endpoint={leads.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.personName}
        selectedId={search.lead}
        searches="Name, email, phone, vehicle, VIN"
        refreshMs={REFRESH_MS}
        actions={add}
        note={showQueues}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconInbox size={18} />}
            title="Inbox clear"
            text="New leads appear here."
          >
            {add}
          </EmptyState>
        }
      />
      {search.lead === 'new' && (
        <Suspense>
          <NewLeadDrawer onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
      {search.lead !== undefined && search.lead !== 'new' && (
        <Suspense>
          <LeadDrawer key={search.lead} id={search.lead} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const QUEUES: readonly LeadQueue[] = ['mine', 'unassigned', 'open', 'undelivered', 'quarantined', 'all']

const showQueues = () => <Queues />

/** The queues with their counts, and how the response goal is met today. */
function Queues() {
  const { filter: current } = route.useSearch()
  const { data } = useQuery({ ...query(leads.counts, {}), refetchInterval: REFRESH_MS })
  return (
    <nav className="fc-lead-queues" aria-label="Queues">
      {QUEUES.map((queue) => {
        const { title, rule } = LEAD_QUEUES[queue]
        return (
          <Link
            key={queue}
            from="/customers/leads"
            to="/customers/leads"
            search={(before) => ({ ...before, filter: rule, page: undefined })}
            className="fc-lead-queue"
            data-current={current === rule || undefined}
            aria-current={current === rule ? 'true' : undefined}
          >
            {title} <span className="fc-faint fc-number">{data?.[queue].toLocaleString() ?? ''}</span>
          </Link>
        )
      })}
      {data && <p className="fc-small fc-soft">{goalText(data)}</p>}
    </nav>
  )
}

type Counts = { waiting: number; late: number; medianSecondsToday: number | null; responseMinutes: number }

function goalText({ waiting, late, medianSecondsToday, responseMinutes }: Counts): string {
  const median =
    medianSecondsToday === null
      ? 'No response yet today'
      : `Median today ${Math.max(1, Math.round(medianSecondsToday / 60))} min`
  return `${waiting.toLocaleString()} waiting for a first response, ${late.toLocaleString()} late. ${median}, goal ${responseMinutes} min.`
}

function showBlock(lead: Lead) {
  return <LeadBlock lead={lead} />
}
