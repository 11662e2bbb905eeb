import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { SKIP_REASONS } from '#contract/pricing/rules/price-rule.ts'
import { pricingRules, type RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import { send } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { MinuteInput } from '../totals/MinuteInput.tsx'
import { formatMinute } from '../totals/format-minute.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { fieldText } from './rule-form.ts'
import './rule-preview.css'

/** Short, so that the effect follows the typing; a request that is overtaken is not shown. */
const DEBOUNCE_MS = 150

type Input = z.input<typeof pricingRules.preview.input>['rule']

const preview = send(pricingRules.preview)

/** What saving the rule would change, over the whole stock. `input`: null while the form has errors. */
export function RulePreviewCard({ id, input }: { id: string | null; input: Input | null }) {
  const [minute, setMinute] = useState('')
  const [text] = useDebouncedValue(JSON.stringify(input), DEBOUNCE_MS)
  const { data, error, isFetching, refetch } = useQuery({
    queryFn: () =>
      preview({
        id,
        minute: minute || null,
        rule: { ...input, ...(input?.name === '' && { name: 'New rule' }) },
      }),
    queryKey: ['preview of a price rule', id, text, minute],
    enabled: input !== null && text === JSON.stringify(input),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <section className="fc-rule-preview" aria-labelledby="rule-preview" aria-busy={isFetching}>
      <h3 id="rule-preview">
        <bdi>
          {minute === ''
            ? 'Effect on your stock now'
            : `Simulated effect on ${formatMinute(minute)} lot time`}
        </bdi>
      </h3>
      <MinuteInput value={minute} onChange={setMinute} />
      {input === null && <p className="fc-small fc-soft">Complete the fields to see the effect.</p>}
      {input !== null && error && (
        <FailureState
          failure={error}
          endpoint={pricingRules.preview}
          what="the effect"
          onRetry={() => void refetch()}
        />
      )}
      {input !== null && data && <Effect effect={data} isSimulated={minute !== ''} />}
    </section>
  )
}

/** The effect in figures, with the largest changes. */
export function Effect({ effect, isSimulated }: { effect: RulePreview; isSimulated: boolean }) {
  const { currency, stock, isPartial, matched, skipped } = effect
  const changed = effect.lowered + effect.raised
  return (
    <>
      <p className="fc-small" aria-live="polite">
        <bdi>
          Matches {isPartial && 'more than '}
          {matched.toLocaleString()} of {count(stock, 'vehicle', 'vehicles')} in stock with a price.
          {changed === 0 && ' No price changes.'}
        </bdi>
      </p>
      {effect.covered > 0 && (
        <p className="fc-small fc-soft">
          <bdi>
            {count(effect.covered, 'matching vehicle is', 'matching vehicles are')} left out: rules that
            depend on vehicle costs apply, and you don't have permission to see costs.
          </bdi>
        </p>
      )}
      {changed > 0 && <Figures effect={effect} />}
      {effect.missing.count > 0 && <MissingAmounts missing={effect.missing} />}
      {skipped.length > 0 && (
        <ul className="fc-rule-skipped fc-small fc-soft">
          {skipped.map(({ reason, vehicles }) => (
            <li key={reason}>
              <bdi>
                {count(vehicles, 'matching vehicle stays as it is', 'matching vehicles stay as they are')}:{' '}
                {SKIP_REASONS[reason]}.
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {effect.held.length > 0 && <Held effect={effect} />}
      {effect.largest.length > 0 && <Changes {...{ effect, changed, currency, isSimulated }} />}
    </>
  )
}

/** How many prices change, and by how much. */
function Figures({ effect }: { effect: RulePreview }) {
  const { currency, lowered, raised, limited, atLimit, totalCents, largest } = effect
  const changed = lowered + raised
  const [most] = largest
  const figures = [
    ['Prices that change', changed.toLocaleString(), split(lowered, raised)],
    ['Average change', formatPrice(Math.round(totalCents / changed), currency), ''],
    ['Total', formatPrice(totalCents, currency), ''],
    ['Limited by this rule', atLimit.toLocaleString(), ''],
    ['At the minimum price', limited.toLocaleString(), ''],
    [
      'Largest change',
      most ? formatPrice(most.afterCents - most.beforeCents, currency) : '',
      most?.title ?? '',
    ],
  ] as const
  return (
    <dl className="fc-rule-figures">
      {figures.map(([label, value, more]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi className="fc-number">{value}</bdi>
          </dd>
          {more !== '' && (
            <dd className="fc-small fc-soft">
              <bdi>{more}</bdi>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/** The vehicles that lack an amount which the rule needs, and the list of exactly these. */
function MissingAmounts({ missing: { count: all, url, vehicles } }: { missing: RulePreview['missing'] }) {
  const title = `${count(all, 'matching vehicle lacks', 'matching vehicles lack')} an amount that the rule needs`
  return (
    <details className="fc-small">
      <summary className="fc-rule-limited">
        <bdi>{title}</bdi>
      </summary>
      <ul className="fc-rule-skipped">
        {vehicles.map(({ vehicleId, title: vehicle, fields }) => (
          <li key={vehicleId}>
            <VehicleLink id={vehicleId} title={vehicle} />{' '}
            <bdi className="fc-soft">no {fields.map((name) => fieldText(name)).join(', no ')}</bdi>
          </li>
        ))}
      </ul>
      {url !== null && (
        <Link to={url} className="fc-link">
          Open {all === 1 ? 'this vehicle' : `these ${all.toLocaleString()} vehicles`} in the list
        </Link>
      )}
    </details>
  )
}

function VehicleLink({ id, title }: { id: string; title: string }) {
  return (
    <Link to="/inventory/vehicle-data/$id" params={{ id }} search={{ tab: 'price' }} className="fc-link">
      <bdi>{title}</bdi>
    </Link>
  )
}

/** The vehicles that end at the limit or at their minimum price, also those whose price stays the same. */
function Held({ effect: { held, hasMoreHeld, currency } }: { effect: RulePreview }) {
  const title = `Limited: ${hasMoreHeld ? 'more than ' : ''}${count(held.length, 'vehicle', 'vehicles')}`
  return (
    <details className="fc-small">
      <summary>
        <bdi>{title}</bdi>
      </summary>
      <ul className="fc-rule-skipped">
        {held.map((one) => (
          <li key={one.vehicleId}>
            <VehicleLink id={one.vehicleId} title={one.title} />{' '}
            <bdi className="fc-number">{formatPrice(one.sellingCents, currency)}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}

function split(lowered: number, raised: number): string {
  if (raised === 0) return 'all lower'
  return lowered === 0 ? 'all higher' : `${lowered.toLocaleString()} lower, ${raised.toLocaleString()} higher`
}

type ChangesProps = { effect: RulePreview; changed: number; currency: string; isSimulated: boolean }

function Changes({ effect: { largest }, changed, currency, isSimulated }: ChangesProps) {
  const money = (cents: number) => formatPrice(cents, currency)
  return (
    <div className="fc-rule-changes">
      <table>
        <caption className="fc-hidden">Largest changes</caption>
        <thead>
          <tr>
            <th scope="col">Vehicle</th>
            <th scope="col" className="fc-end">
              {isSimulated ? 'Without saving' : 'Now'}
            </th>
            <th scope="col" className="fc-end">
              After saving
            </th>
            <th scope="col" className="fc-end">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {largest.map(({ vehicleId, title, beforeCents, afterCents, isLimited }) => (
            <tr key={vehicleId}>
              <th scope="row" aria-label={title}>
                <VehicleLink id={vehicleId} title={title} />
                {isLimited && <span className="fc-rule-limited fc-small">At the minimum price</span>}
              </th>
              <td className="fc-end fc-number">
                <bdi>{money(beforeCents)}</bdi>
              </td>
              <td className="fc-end fc-number fc-rule-after">
                <bdi>{money(afterCents)}</bdi>
              </td>
              <td className="fc-end fc-number">
                <bdi>{money(afterCents - beforeCents)}</bdi>{' '}
                <bdi className="fc-soft">{shareOf(beforeCents, afterCents)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changed > largest.length && (
        <p className="fc-small fc-soft">
          The {largest.length} largest of {changed.toLocaleString()} changes.
        </p>
      )}
    </div>
  )
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

/** "-2.1%"; empty for a price that was zero. */
function shareOf(beforeCents: number, afterCents: number): string {
  return beforeCents === 0 ? '' : percent.format((afterCents - beforeCents) / beforeCents)
}
