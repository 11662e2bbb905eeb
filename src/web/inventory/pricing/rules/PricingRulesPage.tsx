import { IconPlus, IconTag } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import {
  PRICING_RULE_LIST,
  type PricingRule,
  pricingRules,
} from '#contract/inventory/pricing/rules/pricing-rules.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, RuleBlock, WIDTHS } from './rule-columns.tsx'
import { RuleFileMenu } from './RuleFileMenu.tsx'
import { RuleCalendar } from './RuleCalendar.tsx'
import { RuleRequests } from './RuleRequests.tsx'
import { WaitingChanges } from './WaitingChanges.tsx'
import './rules.css'

const route = getRouteApi('/shell/inventory/pricing-rules')

const RuleDrawer = lazy(async () => ({ default: (await import('./RuleDrawer.tsx')).RuleDrawer }))
const RuleImportDrawer = lazy(async () => ({
  default: (await import('./RuleImportDrawer.tsx')).RuleImportDrawer,
}))

/** The price rules with what each does to the stock now; one opens in a drawer with its own URL. */
export function PricingRulesPage() {
  const search = route.useSearch()
  const [panel, setPanel] = useState<'calendar' | 'requests' | 'import' | null>(null)
  const noteWaiting = () => <WaitingChanges onReview={() => setPanel('requests')} />
  const closePanel = () => setPanel(null)
  const { onShow, open, close, onCreated } = useListRoute('rule')
  const add = (
    <Action
      for={pricingRules.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add rule
    </Action>
  )
  return (
    <>
      <ListPage
        list={PRICING_RULE_LIST}
        endpoint={pricingRules.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        selectedId={search.rule}
        searches="Name, vehicles"
        actions={
          <>
            <RuleFileMenu
              onCalendar={() => setPanel('calendar')}
              onRequests={() => setPanel('requests')}
              onImport={() => setPanel('import')}
            />
            {add}
          </>
        }
        note={noteWaiting}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconTag size={18} />}
            title="No pricing rules yet"
            text="A rule changes the price of the vehicles it matches. Before you save it, you see what it changes. Every price lists the rules behind it."
          >
            {add}
          </EmptyState>
        }
      />
      {panel === 'import' && search.rule === undefined && (
        <Suspense>
          <RuleImportDrawer onClose={closePanel} />
        </Suspense>
      )}
      {panel === 'requests' && search.rule === undefined && (
        <FormDrawer
          title="Approvals"
          about="Changes that a second user must approve"
          size={720}
          onClose={closePanel}
        >
          <div className="fc-rule-import">
            <RuleRequests />
          </div>
        </FormDrawer>
      )}
      {panel === 'calendar' && search.rule === undefined && (
        <FormDrawer
          title="Upcoming starts and ends"
          about="Times are in the time zone of each lot"
          onClose={closePanel}
        >
          <RuleCalendar />
        </FormDrawer>
      )}
      {search.rule !== undefined && (
        <Suspense>
          <RuleDrawer key={search.rule} id={search.rule} onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(rule: PricingRule) {
  return <RuleBlock rule={rule} />
}
