import { Button } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { type Lead, LEAD_LIST } from '#contract/leads/inbox/lead-list.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, LeadBlock, WIDTHS } from './lead-columns.tsx'
import { LEAD_ACTIONS } from './lead-bulk.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import '../inbox.css'

const route = getRouteApi('/shell/customers/leads')
const LeadDrawer = lazy(async () => ({ default: (await import('../lead/LeadDrawer.tsx')).LeadDrawer }))

/** All leads as a list with columns, filters, views and export; one opens in a drawer. */
export function LeadTable({ add }: { add: ReactNode }) {
  const search = route.useSearch()
  const { onShow, close } = useListRoute('lead')
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
        isLive
        bulk={LEAD_ACTIONS}
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              to="/customers/leads"
              leftSection={<IconInbox size={16} aria-hidden="true" />}
            >
              Inbox
            </Button>
            {add}
          </>
        }
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
      {search.lead !== undefined && search.lead !== 'new' && (
        <Suspense>
          <LeadDrawer key={search.lead} id={search.lead} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(lead: Lead) {
  return <LeadBlock lead={lead} />
}
