import { IconPlus, IconTag } from '@tabler/icons-react'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { PRICING_RULE_LIST, type PricingRule, pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { isFree } from '#web/ui/controls/is-free.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, isIdle, RuleBlock, WIDTHS } from './rule-columns.tsx'
import { RuleFileMenu } from './RuleFileMenu.tsx'
import { RuleCalendar } from './RuleCalendar.tsx'
import { RuleRequests } from './RuleRequests.tsx'
import { WaitingChanges } from './WaitingChanges.tsx'
import './rules.css'

const route = getRouteApi('/shell/inventory/pricing-rules')

const RuleEditor = lazy(async () => ({ default: (await import('./RuleEditor.tsx')).RuleEditor }))
const RuleImportDrawer = lazy(async () => ({
  default: (await import('./RuleImportDrawer.tsx')).RuleImportDrawer,
}))

/** The approvals have an address of their own, so that a form can link to them. */
type Panel = 'calendar' | 'approvals' | 'import' | null

/**
 * The price rules with what each does to the stock now. One opens with its own URL: beside the list, or in a drawer if the
 * screen is too narrow for both.
 */
export function PricingRulesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [tool, setTool] = useState<Exclude<Panel, 'approvals'>>(null)
  const panel = search.panel ?? tool
  const showApprovals = (isShown: boolean) => {
    setTool(null)
    void navigate({ search: (before) => ({ ...before, panel: isShown ? 'approvals' : undefined }) })
  }
  const noteWaiting = () => <WaitingChanges onReview={() => showApprovals(true)} />
  const { onShow, open, close, onCreated } = useListRoute('rule')
  const isWide = useMediaQuery('(min-width: 1200px)', false, { getInitialValueInEffect: false })
  const hasPanel = isWide || search.rule === undefined
  const addNew = () => open('new')
  const add = <AddRule onAdd={addNew} />
  const editor = search.rule !== undefined && (
    <Suspense fallback={isWide && <section className="fc-list-beside" />}>
      <RuleEditor
        key={search.rule}
        id={search.rule}
        isBeside={isWide}
        onClose={close}
        onCreated={onCreated}
      />
    </Suspense>
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
              onCalendar={() => setTool('calendar')}
              onRequests={() => showApprovals(true)}
              onImport={() => setTool('import')}
            />
            {add}
          </>
        }
        about={showSummary}
        note={noteWaiting}
        {...(editor && { record: editor })}
        isBeside={isWide}
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
      {hasPanel && (
        <Panels
          panel={panel}
          onClose={() => (search.panel === undefined ? setTool(null) : showApprovals(false))}
        />
      )}
    </>
  )
}

/** What opens over the list. */
function Panels({ panel, onClose }: { panel: Panel; onClose: () => void }) {
  if (panel === null) return null
  if (panel === 'import') {
    return (
      <Suspense>
        <RuleImportDrawer onClose={onClose} />
      </Suspense>
    )
  }
  if (panel === 'approvals') {
    return (
      <FormDrawer
        title="Approvals"
        about="Changes that a second user must approve"
        size={720}
        onClose={onClose}
      >
        <div className="fc-rule-import">
          <RuleRequests />
        </div>
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      title="Upcoming starts and ends"
      about="Times are in the time zone of each lot"
      onClose={onClose}
    >
      <RuleCalendar />
    </FormDrawer>
  )
}

function showSummary({ total }: { total: number }) {
  return <Summary total={total} />
}

/** Adds a rule, also with the key n. */
function AddRule({ onAdd }: { onAdd: () => void }) {
  const holds = useHolds()
  const mayAdd = permissionsFor(pricingRules.add.allow).some((permission) => holds(permission) === true)
  useHotkeys([['n', (event) => isFree(event) && mayAdd && onAdd()]])
  return (
    <Action for={pricingRules.add} onClick={onAdd} leftSection={<IconPlus size={16} aria-hidden="true" />}>
      Add rule
    </Action>
  )
}

/** "14 rules. 2 change nothing now." */
function Summary({ total }: { total: number }) {
  const { data } = useQuery(query(pricingRules.effects, {}))
  const idle = data?.filter(isIdle).length ?? 0
  if (total === 0) return ''
  return `${count(total, 'rule', 'rules')}.${idle === 0 ? '' : ` ${idle} of the active ones ${idle === 1 ? 'changes' : 'change'} nothing now.`}`
}

function showBlock(rule: PricingRule) {
  return <RuleBlock rule={rule} />
}
