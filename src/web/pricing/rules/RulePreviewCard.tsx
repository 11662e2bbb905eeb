import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { SKIP_REASONS } from '#contract/pricing/rules/price-rule.ts'
import { pricingRules, type RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import { query, send } from '#web/api/query.ts'
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

/** What a rule does to the whole stock, and what saving it would change. `input`: null while the form has errors. */
export function useRulePreview(id: string | null, input: Input | null) {
  const [minute, setMinute] = useState('')
  const [together, setTogether] = useState<string[]>([])
  const [text] = useDebouncedValue(JSON.stringify(input), DEBOUNCE_MS)
  const { data, error, isFetching, refetch } = useQuery({
    queryFn: () =>
      preview({
        id,
        minute: minute || null,
        together,
        rule: { ...input, ...(input?.name === '' && { name: 'New rule' }) },
      }),
    queryKey: ['preview of a price rule', id, text, minute, together],
    enabled: input !== null && text === JSON.stringify(input),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  const retry = () => void refetch()
  return { id, input, minute, setMinute, together, setTogether, data, error, isFetching, retry }
}

type Preview = ReturnType<typeof useRulePreview>

/** "41 prices change, -$37,720 in total": beside the button that saves. */
export function PreviewLine({ preview: { input, data } }: { preview: Preview }) {
  if (input === null || data === undefined) return null
  const changed = data.lowered + data.raised
  const raised = data.raised === 0 ? '' : `, ${data.raised.toLocaleString()} of them higher`
  return (
    <span className="fc-small">
      <bdi>
        {changed === 0
          ? 'Saving changes no price'
          : `Saving changes ${count(changed, 'price', 'prices')}, ${formatPrice(data.totalCents, data.currency)} in total${raised}`}
      </bdi>
    </span>
  )
}

/** The preview below the form, so that its size never moves the field that the user types in. */
export function RulePreviewCard({ preview: shown }: { preview: Preview }) {
  const { id, input, minute, setMinute, data, error, isFetching, retry } = shown
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
      <TogetherField id={id} preview={shown} />
      {input === null && <p className="fc-small fc-soft">Complete the fields to see the effect.</p>}
      {input !== null && error && (
        <FailureState failure={error} endpoint={pricingRules.preview} what="the effect" onRetry={retry} />
      )}
      {input !== null && data && (
        <Effect effect={data} isSimulated={minute !== ''} hasOwn={id !== null || shown.together.length > 0} />
      )}
    </section>
  )
}

/** Other rules whose effect is shown together with that of this one. */
function TogetherField({ id, preview: { together, setTogether } }: { id: string | null; preview: Preview }) {
  const { data } = useQuery(query(pricingRules.list, { pageSize: 200, sort: 'name' }))
  const choices = data?.results.flatMap((rule) =>
    rule.id === id || !rule.isActive ? [] : [{ value: rule.id, label: rule.name }],
  )
  return (
    <MultiSelect
      label="Together with"
      data={choices ?? []}
      value={together}
      onChange={setTogether}
      maxValues={20}
      searchable
      clearable
      placeholder={together.length === 0 ? 'Only this rule' : ''}
      nothingFoundMessage="No matching rule"
    />
  )
}

type EffectProps = {
  effect: RulePreview
  isSimulated: boolean
  /** What the rule does differs from what saving changes. */
  hasOwn?: boolean
}

/** The effect in figures, with the largest changes. */
export function Effect({ effect, isSimulated, hasOwn = false }: EffectProps) {
  const { currency, stock, isPartial, matched, skipped } = effect
  const changed = effect.lowered + effect.raised
  return (
    <>
      <p className="fc-small" aria-live="polite">
        <bdi>
          Matches {isPartial && 'more than '}
          {matched.toLocaleString()} of {count(stock, 'vehicle', 'vehicles')} in stock with a price.
          {changed === 0 && (hasOwn ? ' Saving changes no price.' : ' No price changes.')}
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
      {hasOwn && <OwnFigures effect={effect} isSimulated={isSimulated} />}
      {hasOwn && changed > 0 && <h4 className="fc-small">What saving changes</h4>}
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

/** What the rules do: prices with them against prices without them. */
function OwnFigures({ effect: { own, currency }, isSimulated }: EffectProps) {
  const changed = own.lowered + own.raised
  const figures = [
    ['Prices they change', changed.toLocaleString(), changed === 0 ? '' : split(own.lowered, own.raised)],
    ['Average change', changed === 0 ? '' : formatPrice(Math.round(own.totalCents / changed), currency), ''],
    ['Total', formatPrice(own.totalCents, currency), ''],
    ...(own.offered === 0 ? [] : [['Vehicles with the offer', own.offered.toLocaleString(), ''] as const]),
  ] as const
  return (
    <>
      <h4 className="fc-small">
        {isSimulated ? 'What these rules do on that date' : 'What these rules do now'}, against prices without
        them
      </h4>
      <FigureList figures={figures} />
    </>
  )
}

/** How many prices change, and by how much. Limits are those of rules. */
export function Figures({ effect, hasLimits = true }: { effect: RulePreview; hasLimits?: boolean }) {
  const { currency, lowered, raised, limited, atLimit, totalCents, largest } = effect
  const changed = lowered + raised
  const [most] = largest
  const figures = [
    ['Prices that change', changed.toLocaleString(), split(lowered, raised)],
    ['Average change', formatPrice(Math.round(totalCents / changed), currency), ''],
    ['Total', formatPrice(totalCents, currency), ''],
    ...(hasLimits
      ? ([
          ['Limited by this rule', atLimit.toLocaleString(), ''],
          ['At the minimum price', limited.toLocaleString(), ''],
        ] as const)
      : []),
    [
      'Largest change',
      most ? formatPrice(most.afterCents - most.beforeCents, currency) : '',
      most?.title ?? '',
    ],
  ] as const
  return <FigureList figures={figures} />
}

function FigureList({ figures }: { figures: readonly (readonly [string, string, string])[] }) {
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

/** The largest changes, vehicle by vehicle. */
export function Changes({ effect: { largest }, changed, currency, isSimulated }: ChangesProps) {
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
