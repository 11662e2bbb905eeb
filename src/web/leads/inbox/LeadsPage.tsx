import { IconPlus } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { leads } from '#contract/leads/inbox/leads.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { LeadInbox } from './LeadInbox.tsx'

const route = getRouteApi('/shell/customers/leads')
const LeadTable = lazy(async () => ({ default: (await import('./queue/LeadTable.tsx')).LeadTable }))
const NewLeadDrawer = lazy(async () => ({ default: (await import('./NewLeadDrawer.tsx')).NewLeadDrawer }))
const ResponseReport = lazy(async () => ({ default: (await import('./ResponseReport.tsx')).ResponseReport }))
const MovedLeads = lazy(async () => ({ default: (await import('./MovedLeads.tsx')).MovedLeads }))
const TeamPanel = lazy(async () => ({ default: (await import('./TeamPanel.tsx')).TeamPanel }))
const PersonDataDrawer = lazy(async () => ({
  default: (await import('./person/PersonDataDrawer.tsx')).PersonDataDrawer,
}))
const TemplatesDrawer = lazy(async () => ({
  default: (await import('../reply-templates/TemplatesDrawer.tsx')).TemplatesDrawer,
}))
const LeadSettingsDrawer = lazy(async () => ({
  default: (await import('./LeadSettingsDrawer.tsx')).LeadSettingsDrawer,
}))

/** Leads as an inbox to work in, or as a table to search and export. */
export function LeadsPage() {
  const { layout, lead, panel } = route.useSearch()
  const navigate = useNavigate({ from: '/customers/leads' })
  const { open, close, onCreated } = useListRoute('lead')
  const closePanel = () => void navigate({ search: (before) => ({ ...before, panel: undefined }) })
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
      {layout === 'table' ? (
        <Suspense>
          <LeadTable add={add} />
        </Suspense>
      ) : (
        <LeadInbox add={add} />
      )}
      <Suspense>
        {lead === 'new' && <NewLeadDrawer onClose={close} onCreated={onCreated} />}
        {panel === 'responses' && <ResponseReport onClose={closePanel} />}
        {panel === 'moved' && <MovedLeads onClose={closePanel} />}
        {panel === 'team' && <TeamPanel onClose={closePanel} />}
        {panel === 'data' && <PersonDataDrawer onClose={closePanel} />}
        {panel === 'templates' && <TemplatesDrawer onClose={closePanel} />}
        {panel === 'settings' && <LeadSettingsDrawer onClose={closePanel} />}
      </Suspense>
    </>
  )
}
