import type { ReactNode } from 'react'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { LEAD_ROUTING, type LeadRoutingTab, LeadRoutingTabs } from './LeadRoutingTabs.tsx'
import './lead-routing.css'

type Props = {
  tab: LeadRoutingTab
  /** The line under the title. */
  context: ReactNode
  /** At the end of the header: one primary action. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of lead routing that isn't a `ListPage`: header, tabs and content. */
export function LeadRoutingFrame({ tab, context, actions, children }: Props) {
  return (
    <div className="fc-list">
      <PageHeader title={LEAD_ROUTING} context={context}>
        {actions}
      </PageHeader>
      <LeadRoutingTabs current={tab} />
      {children}
    </div>
  )
}
