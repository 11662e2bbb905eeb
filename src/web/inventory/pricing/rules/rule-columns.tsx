import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SKIP_REASONS } from '#contract/inventory/pricing/rules/evaluate-price.ts'
import {
  type PRICING_RULE_LIST,
  type PricingRule,
  pricingRules,
} from '#contract/inventory/pricing/rules/pricing-rules.ts'
import { CONDITION_VARIABLES } from '#contract/inventory/pricing/rules/rule-conditions.ts'
import { RULE_KINDS } from '#contract/inventory/pricing/rules/rule-kinds.ts'
import { labelOf } from '#contract/record.ts'
import { vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { RuleWords } from '#web/ui/filter/rules/RuleWords.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { formatMinute } from '../format-minute.ts'
import { describeAmount } from './rule-form.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'

/** Custom cells of the list. */
export const CELLS: Cells<PricingRule, keyof typeof PRICING_RULE_LIST.fields> = {
  name: (rule) => <RuleLink rule={rule} />,
  kind: (rule) => <Kind rule={rule} />,
  condition: (rule) => <Matches rule={rule} />,
  isActive: (rule) => <Effect rule={rule} />,
  fromMinute: ({ fromMinute }) => (fromMinute === null ? null : formatMinute(fromMinute)),
  untilMinute: ({ untilMinute }) => (untilMinute === null ? null : formatMinute(untilMinute)),
}

export const WIDTHS = { name: 240, kind: 168, condition: 300, isActive: 260, untilMinute: 180 }

/** A row on a narrow screen. */
export function RuleBlock({ rule }: { rule: PricingRule }) {
  return (
    <>
      <div className="fc-block-head">
        <RuleLink rule={rule} />
      </div>
      <div className="fc-small fc-faint">
        <Kind rule={rule} />
      </div>
      <div className="fc-small">
        <Effect rule={rule} />
      </div>
    </>
  )
}

function RuleLink({ rule }: { rule: PricingRule }) {
  return (
    <Link
      from="/inventory/pricing-rules"
      to="/inventory/pricing-rules"
      search={(before) => ({ ...before, rule: rule.id })}
      className="fc-name"
    >
      <bdi>{rule.name}</bdi>
    </Link>
  )
}

/** The kind, and the amount below it. */
function Kind({ rule }: { rule: PricingRule }) {
  const { data } = useQuery(query(vehicles.settings, {}))
  return (
    <>
      {labelOf(RULE_KINDS, rule.kind)}
      {data && (
        <span className="fc-second">
          <bdi>{describeAmount(rule, data.currency)}</bdi>
        </span>
      )}
    </>
  )
}

/** The condition, and how many vehicles match it. */
function Matches({ rule }: { rule: PricingRule }) {
  const effect = useEffectOf(rule)
  return (
    <>
      <RuleWords filter={rule.condition} variables={CONDITION_VARIABLES} empty="Every vehicle" />
      <span className="fc-second">
        {rule.lotIds.length > 0 && `${count(rule.lotIds.length, 'lot', 'lots')}, `}
        {effect && count(effect.matched, 'match', 'matches')}
      </span>
    </>
  )
}

/** What the rule does now: changes prices, or why it doesn't. */
function Effect({ rule }: { rule: PricingRule }) {
  const effect = useEffectOf(rule)
  if (!rule.isActive) {
    return (
      <Status tone="mute" mark="pause">
        Paused
      </Status>
    )
  }
  if (!effect) return null
  const { matched, applied, reason } = effect
  if (matched === 0) {
    return (
      <Status tone="warn" mark="alert">
        Matches no vehicle
      </Status>
    )
  }
  const why = reason === null ? '' : SKIP_REASONS[reason]
  // A lowest price that no price goes below does its work.
  if (applied === 0 && rule.kind === 'floor' && reason === null) {
    return (
      <Status tone="mute" mark="check">
        No price goes below it
      </Status>
    )
  }
  if (applied === 0) {
    return (
      <>
        <Status tone="warn" mark="alert">
          Changes nothing
        </Status>
        {why !== '' && <span className="fc-second">{why.charAt(0).toUpperCase() + why.slice(1)}</span>}
      </>
    )
  }
  return (
    <>
      <Status tone="good" mark="check">
        Applies to {count(applied, 'vehicle', 'vehicles')}
      </Status>
      {applied < matched && why !== '' && <span className="fc-second">Not to the others: {why}</span>}
    </>
  )
}

function useEffectOf({ id }: PricingRule) {
  const { data } = useQuery(query(pricingRules.effects, {}))
  return data?.find(({ ruleId }) => ruleId === id)
}
