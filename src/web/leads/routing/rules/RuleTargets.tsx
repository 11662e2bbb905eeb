import { Select, TextInput } from '@mantine/core'
import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import type { LeadRoutingRule } from '#contract/leads/routing/lead-routing-rules.ts'
import { STRATEGIES, type Strategy } from '#contract/leads/routing/rule-choices.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { BLANK_TARGET, type RuleValues } from './rule-form.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const CHOICES = STRATEGIES.map(({ value, label }) => ({ value, label }))

/** What each strategy does, below its name. */
const HELP: Readonly<Record<Strategy, string>> = {
  all: 'Every destination gets the lead.',
  'round-robin': 'Destinations take turns. Each gets the same number of leads.',
  weighted: 'Destinations take turns by weight: with weights 1 and 2, the second gets two of three leads.',
  'least-recent': 'The destination that has waited longest for a lead from any rule gets it.',
  'least-open': 'The user with the fewest open leads gets it; among equals, the one that has waited longest.',
  failover: 'The first destination gets the lead. If the delivery fails, the next one gets it.',
}

type Props = {
  record: RecordFormState<RuleValues, LeadRoutingRule>
  destinations: readonly LeadDestination[]
}

/** Who gets the leads of a rule, and how one of several is chosen. */
export function RuleTargets({ record, destinations }: Props) {
  const { field, form, isReadOnly } = record
  const { strategy, targets } = form.values
  const isWeighted = strategy === 'weighted'
  const total = targets.reduce((sum, { weight }) => sum + (Number(weight) || 0), 0)
  const named = new Map(destinations.map((one) => [one.id, one]))
  const choices = destinations.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <section className="fc-wide fc-rule-section" aria-labelledby="rule-targets">
      <h3 id="rule-targets">Send to</h3>
      <Select
        {...field('strategy')}
        data={CHOICES}
        allowDeselect={false}
        description={<bdi>{HELP[strategy]}</bdi>}
      />
      {destinations.length === 0 && (
        <p className="fc-small fc-soft">
          There are no destinations yet.{' '}
          <Link to="/customers/lead-routing/destinations" search={{ destination: 'new' }} className="fc-link">
            Add a destination
          </Link>
        </p>
      )}
      <EditableList
        record={record}
        name="targets"
        rows={targets}
        blank={BLANK_TARGET}
        noun="destination"
        nameOf={({ destinationId }) => named.get(destinationId)?.name ?? ''}
        empty="No destination yet. Without one, the next rule gets the leads."
      >
        {({ destinationId, weight }, path) => (
          <>
            <Select
              label="Destination"
              {...form.getInputProps(`${path}.destinationId`)}
              value={destinationId || null}
              data={choices}
              searchable
              readOnly={isReadOnly}
              required
              nothingFoundMessage="No matching destination"
              description={<bdi>{describeLimits(named.get(destinationId))}</bdi>}
              className={isWeighted ? '' : 'fc-wide'}
            />
            {isWeighted && (
              <TextInput
                label="Weight"
                {...form.getInputProps(`${path}.weight`)}
                readOnly={isReadOnly}
                inputMode="numeric"
                autoComplete="off"
                className="fc-amount"
                description={
                  <bdi>{total > 0 && Number(weight) > 0 ? `${weight} of ${total} leads` : ''}</bdi>
                }
              />
            )}
          </>
        )}
      </EditableList>
    </section>
  )
}

/** What limits a destination now: paused, stopped, or leads per day. */
function describeLimits(destination: LeadDestination | undefined): string {
  if (destination === undefined) return ''
  const { isActive, stoppedAt, dailyCap } = destination
  if (!isActive) return "Paused: it doesn't receive leads until you resume it."
  if (stoppedAt !== null) return "Stopped after failures: it doesn't receive leads until you start it again."
  return dailyCap === null ? '' : `At most ${count(dailyCap, 'lead', 'leads')} a day.`
}
