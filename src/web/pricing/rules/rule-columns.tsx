import { useMayCall } from '#web/ui/controls/use-may-call.ts'
import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { capitalize } from '#contract/capitalize.ts'
import { useQuery } from '@tanstack/react-query'
import { SKIP_REASONS } from '#contract/pricing/rules/price-rule.ts'
import {
  type PRICING_RULE_LIST,
  type PricingRule,
  pricingRules,
  type RuleEffect,
} from '#contract/pricing/rules/pricing-rules.ts'
import { CONDITION_VARIABLES } from '#contract/pricing/rules/rule-conditions.ts'
import { hasLimits } from '#contract/pricing/rules/reduction-limits.ts'
import { RULE_KINDS } from '#contract/pricing/rules/rule-kinds.ts'
import { labelOf } from '#contract/record.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { RuleSummary } from '#web/ui/filter/rules/RuleSummary.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { formatEnd, formatMinute } from '../totals/format-minute.ts'
import { describeAmount, describeLimits } from './rule-form.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of the list. */
export const CELLS: Cells<PricingRule, keyof typeof PRICING_RULE_LIST.fields> = {
  name: (rule) => <RuleLink rule={rule} />,
  kind: (rule) => <Kind rule={rule} />,
  condition: (rule) => <Matches rule={rule} />,
  isActive: (rule) => <Effect rule={rule} />,
  fromMinute: ({ fromMinute }) => (fromMinute === null ? null : formatMinute(fromMinute)),
  untilMinute: ({ untilMinute }) => (untilMinute === null ? null : formatEnd(untilMinute)),
}

export const WIDTHS = { name: 240, kind: 168, condition: 300, isActive: 260, untilMinute: 180 }

/** What amounts are in; nothing for users who may not read vehicles. */
function useAmountSettings() {
  const enabled = useMayCall(vehicles.settings)
  return useQuery({ ...query(vehicles.settings, {}), enabled }).data
}

/** A row on a narrow screen, or beside the open rule: what it does, and to how many vehicles. */
export function RuleBlock({ rule }: { rule: PricingRule }) {
  const settings = useAmountSettings()
  const effect = useEffectOf(rule)
  return (
    <div className="fc-rule-block">
      <RuleLink rule={rule} />
      <span className="fc-number">
        <bdi>{settings && describeAmount(rule, settings.currency)}</bdi>
      </span>
      <span className="fc-number" title="Vehicles in stock with a price that match">
        <b>{effect?.matched.toLocaleString()}</b>
      </span>
      <span className="fc-second">
        {labelOf(RULE_KINDS, rule.kind)} ·{' '}
        <RuleSummary filter={rule.condition} variables={CONDITION_VARIABLES} empty="Every vehicle" />
      </span>
      {settings && hasLimits(rule) && (
        <span className="fc-second">
          <bdi>{describeLimits(rule, settings.currency)}</bdi>
        </span>
      )}
      <span className="fc-small">
        <Effect rule={rule} />
      </span>
    </div>
  )
}

/** Whether an active rule changes no price. A limit that no price crosses does its work. */
export const isIdle = ({ matched, applied, reason }: RuleEffect): boolean =>
  matched === 0 || (applied === 0 && reason !== null)

function RuleLink({ rule }: { rule: PricingRule }) {
  return (
    <MayOpen for={pricingRules.get}>
      <Link
        from="/inventory/pricing-rules"
        to="/inventory/pricing-rules"
        search={(before) => ({ ...before, rule: rule.id })}
        className="fc-name"
      >
        <bdi>{rule.name}</bdi>
      </Link>
    </MayOpen>
  )
}

/** The kind, and the amount below it. */
function Kind({ rule }: { rule: PricingRule }) {
  const data = useAmountSettings()
  return (
    <>
      {labelOf(RULE_KINDS, rule.kind)}
      {data && (
        <span className="fc-second">
          <bdi>
            {[describeAmount(rule, data.currency), describeLimits(rule, data.currency)]
              .filter(Boolean)
              .join(', ')}
          </bdi>
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
      <RuleSummary filter={rule.condition} variables={CONDITION_VARIABLES} empty="Every vehicle" />
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
  const { matched, applied, covered, limited, raised, reason, by } = effect
  if (matched === 0) {
    return (
      <Status tone="warn" mark="alert">
        Matches no vehicle
      </Status>
    )
  }
  const why = by === null ? reason && SKIP_REASONS[reason] : `${by.name} gives a better price`
  // Who doesn't see costs isn't told what a rule does beside one on costs.
  if (applied === 0 && covered > 0) {
    return (
      <>
        <Status tone="mute" mark="dash">
          Effect not shown
        </Status>
        <span className="fc-second">
          <bdi>{count(covered, 'vehicle has', 'vehicles have')} a rule on costs</bdi>
        </span>
      </>
    )
  }
  // A limit that no price crosses does its work.
  if (applied === 0 && (rule.kind === 'floor' || rule.kind === 'ceiling') && reason === null) {
    return (
      <Status tone="mute" mark="check">
        No price goes {rule.kind === 'floor' ? 'below' : 'above'} it
      </Status>
    )
  }
  if (applied === 0) {
    return (
      <>
        <Status tone="warn" mark="alert">
          Changes nothing
        </Status>
        {why !== null && (
          <span className="fc-second">
            <bdi>{capitalize(why)}</bdi>
          </span>
        )}
        <Missing effect={effect} />
      </>
    )
  }
  return (
    <>
      <Status tone="good" mark="check">
        Applies to {count(applied, 'vehicle', 'vehicles')}
      </Status>
      {raised > 0 && (
        <span className="fc-second">
          <bdi>Raises {count(raised, 'price', 'prices')}</bdi>
        </span>
      )}
      {limited > 0 && (
        <span className="fc-second">
          <bdi>{limited.toLocaleString()} limited</bdi>
        </span>
      )}
      <Missing effect={effect} />
      {covered > 0 && (
        <span className="fc-second">
          <bdi>{count(covered, 'vehicle has', 'vehicles have')} a rule on costs, and aren’t counted</bdi>
        </span>
      )}
      {applied + covered < matched && why !== null && (
        <span className="fc-second">
          <bdi>Not the others: {why}</bdi>
        </span>
      )}
      <Conflict effect={effect} />
    </>
  )
}

/** The rule that acts on the same vehicles, with a link to it. */
function Conflict({ effect: { conflict } }: { effect: RuleEffect }) {
  if (conflict === null) return null
  const { how, ruleId, name, vehicles: both } = conflict
  const where = `for ${count(both, 'vehicle', 'vehicles')}${how === 'adds' ? '' : ': the minimum price holds'}`
  return (
    <span className="fc-second">
      {how === 'adds' ? 'Adds up with ' : 'Contradicts '}
      <Link
        from="/inventory/pricing-rules"
        to="/inventory/pricing-rules"
        search={(before) => ({ ...before, rule: ruleId })}
        className="fc-link"
      >
        <bdi>{name}</bdi>
      </Link>{' '}
      {where}
    </span>
  )
}

/** How many vehicles lack an amount that the rule needs, with the list of exactly these. */
function Missing({ effect: { missing } }: { effect: RuleEffect }) {
  if (missing.count === 0) return null
  const text = `${count(missing.count, 'vehicle lacks', 'vehicles lack')} an amount it needs`
  return (
    <span className="fc-second">
      {missing.url === null ? (
        <bdi>{text}</bdi>
      ) : (
        <Link to={missing.url} className="fc-link">
          <bdi>{text}</bdi>
        </Link>
      )}
    </span>
  )
}

function useEffectOf({ id }: PricingRule) {
  const { data } = useQuery(query(pricingRules.effects, {}))
  return data?.find(({ ruleId }) => ruleId === id)
}
