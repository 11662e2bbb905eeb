import { IconPlus, IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LeadRoutingFrame } from '../LeadRoutingFrame.tsx'
import { useRoutingLock } from '../use-routing-settings.ts'
import { findRuleProblems } from './rule-problem.ts'
import { RuleList } from './RuleList.tsx'
import { useRuleNames } from './use-rule-names.ts'

const route = getRouteApi('/shell/customers/lead-routing')

/** Loaded when a rule is opened: it includes the form and the filter builder. */
const RuleDrawer = lazy(async () => ({ default: (await import('./RuleDrawer.tsx')).RuleDrawer }))

/** The lead routing rules in the order in which they are tried; one opens in a drawer with its own URL. */
export function RulesPage() {
  const { rule: opened } = route.useSearch()
  const { open, close, onCreated } = useListRoute('rule')
  const rules = useLoad(query(leadRoutingRules.list, {}))
  const effects = useQuery(query(leadRoutingRules.effects, {}))
  const known = useRuleNames()
  const lock = useRoutingLock()
  const problems = findRuleProblems(rules.data ?? [], known.data?.destinations ?? [])
  const load = both(rules, known)
  const add = (
    <Action
      for={leadRoutingRules.add}
      lock={lock}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add rule
    </Action>
  )
  return (
    <LeadRoutingFrame
      tab="Rules"
      context={load.data ? sumUp(load.data[0].length, problems.size) : ''}
      actions={add}
    >
      {lock !== null && <Notice>{lock}</Notice>}
      <div className="fc-routing-scroll">
        <Loaded query={load} what="the lead routing rules" shape="facts" label="Loading the rules">
          {([all, { names }]) =>
            all.length > 0 && (
              <RuleList
                rules={all}
                effects={effects.data ?? null}
                problems={problems}
                names={names}
                lock={lock}
                selectedId={opened}
                onOpen={open}
              >
                {all.length <= 1 && (
                  <EmptyState
                    tone="brand"
                    icon={<IconRoute size={18} />}
                    title="No routing rules yet"
                    text="A rule sends the leads it matches to people, systems or webhooks. Until you add one, every lead goes where the last rule sends it."
                  >
                    {add}
                  </EmptyState>
                )}
              </RuleList>
            )
          }
        </Loaded>
      </div>
      {opened !== undefined && (
        <Suspense>
          <RuleDrawer key={opened} id={opened} onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
    </LeadRoutingFrame>
  )
}

/** "6 rules, tried in this order. 2 need attention." */
function sumUp(rules: number, problems: number): string {
  const many = rules === 1 ? '1 rule.' : `${rules.toLocaleString()} rules, checked in this order.`
  return problems === 0 ? many : `${many} ${problems === 1 ? '1 needs' : `${problems} need`} attention.`
}
