import { Button, Select } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import {
  leadRoutingRules,
  type LeadRoutingSimulation,
  SIMULATED_LEADS,
} from '#contract/leads/routing/lead-routing-rules.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { count, formatAgo, formatDay } from '#web/ui/layout/date-format.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Input = NonNullable<z.input<typeof leadRoutingRules.simulate.input>['rule']>
type Props = {
  /** Null for a new rule. */
  id: string | null
  /** Null while the form has errors. */
  input: Input | null
}

const simulate = send(leadRoutingRules.simulate)
const SIZES = SIMULATED_LEADS.map((leads) => ({
  value: String(leads),
  label: `Latest ${leads.toLocaleString()} leads`,
}))

/** Routes past leads again with the rule as it is in the form, and shows which ones would go elsewhere. Sends nothing. */
export function RuleTrial({ id, input }: Props) {
  const [leads, setLeads] = useState('200')
  const section = useRef<HTMLElement>(null)
  const trial = useMutation({
    onSuccess: () =>
      void requestAnimationFrame(() =>
        section.current?.scrollIntoView({ block: 'start', behavior: 'smooth' }),
      ),
    mutationFn: (rule: Input) =>
      simulate({
        id,
        rule: { ...rule, name: rule.name === '' ? 'New rule' : rule.name },
        leads: Number(leads),
      }),
  })
  const isStale = trial.isSuccess && JSON.stringify(trial.variables) !== JSON.stringify(input)
  return (
    <section ref={section} className="fc-rule-trial" aria-labelledby="rule-trial" aria-busy={trial.isPending}>
      <div className="fc-rule-trial-head">
        <h3 id="rule-trial">Test with past leads</h3>
        <Select
          aria-label="Past leads"
          data={SIZES}
          value={leads}
          allowDeselect={false}
          onChange={(value) => setLeads(value ?? '200')}
        />
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
          loading={trial.isPending}
          {...(input === null && {
            'data-disabled': true,
            'aria-disabled': true,
            'aria-description': 'Complete the fields first.',
          })}
          onClick={() => input !== null && trial.mutate(input)}
        >
          Try it
        </Button>
      </div>
      {input === null && (
        <p className="fc-small fc-soft">
          Complete the fields above to see which leads would be routed differently.
        </p>
      )}
      {trial.isIdle && input !== null && (
        <p className="fc-small fc-soft">Applies this rule to leads you already have. Nothing is sent.</p>
      )}
      {trial.error && (
        <FailureState
          failure={trial.error}
          endpoint={leadRoutingRules.simulate}
          what="the result"
          onRetry={() => input !== null && trial.mutate(input)}
        />
      )}
      {trial.data && (
        <div aria-live="polite">
          {isStale && (
            <p className="fc-small">
              <Status tone="warn" mark="alert">
                The rule has changed since. Test it again.
              </Status>
            </p>
          )}
          <TrialResult result={trial.data} />
        </div>
      )}
    </section>
  )
}

/** How many leads would go elsewhere, by destination, and which ones. */
export function TrialResult({ result }: { result: LeadRoutingSimulation }) {
  const { leads, since, matched, moved, destinations, examples, warning } = result
  if (leads === 0) return <p className="fc-small fc-soft">There are no leads to test it with yet.</p>
  return (
    <div className="fc-rule-result">
      <p>
        <bdi>
          <b>{moved === 0 ? 'No lead' : count(moved, 'lead', 'leads')}</b> of {leads.toLocaleString()} would
          go elsewhere{since === null ? '' : `, received since ${formatDay(since)}`}.
          {matched !== null && ` This rule would send ${count(matched, 'lead', 'leads')}.`}
        </bdi>
      </p>
      {warning !== null && (
        <p className="fc-small">
          <Status tone="warn" mark="alert">
            <bdi>{warning}</bdi>
          </Status>
        </p>
      )}
      {destinations.length > 0 && (
        <table className="fc-rule-table">
          <caption className="fc-hidden">Leads by destination</caption>
          <thead>
            <tr>
              <th scope="col">Destination</th>
              <th scope="col" className="fc-end">
                Now
              </th>
              <th scope="col" className="fc-end">
                With this rule
              </th>
              <th scope="col" className="fc-end">
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            {destinations.map(({ destinationId, name, before, after }) => (
              <tr key={destinationId}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td className="fc-end fc-number">{before.toLocaleString()}</td>
                <td className="fc-end fc-number">{after.toLocaleString()}</td>
                <td className="fc-end fc-number">{formatChange(after - before)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {examples.length > 0 && (
        <>
          <h4>
            {examples.length < moved
              ? `Latest ${examples.length} of ${moved}`
              : 'Leads that would be routed differently'}
          </h4>
          <ul className="fc-rule-examples">
            {examples.map(({ leadId, name, receivedAt, before, after }) => (
              <li key={leadId}>
                <span className="fc-row">
                  <Link to="/customers/leads" search={{ lead: leadId }} className="fc-link">
                    <bdi>{name}</bdi>
                  </Link>
                  <time className="fc-small fc-faint" dateTime={receivedAt}>
                    {formatAgo(receivedAt)}
                  </time>
                </span>
                <span className="fc-second">
                  <bdi>
                    {placesOf(before)} → <b>{placesOf(after)}</b>
                  </bdi>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** "+3", "−2", "0". */
function formatChange(change: number): string {
  if (change === 0) return '0'
  return `${change > 0 ? '+' : '\u2212'}${Math.abs(change).toLocaleString()}`
}

const placesOf = (names: readonly string[]): string =>
  names.length === 0 ? 'Unassigned in the inbox' : names.join(', ')
