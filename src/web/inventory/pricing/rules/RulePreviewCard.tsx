import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { z } from 'zod'
import { pricingRules, type RulePreview } from '#contract/inventory/pricing/rules/pricing-rules.ts'
import { send } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { MinuteInput } from '../MinuteInput.tsx'
import { formatMinute } from '../format-minute.ts'
import { formatPrice } from '../../vehicles/vehicle-labels.ts'

const DEBOUNCE_MS = 300

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

/** The effect in words, with the largest changes. */
export function Effect({ effect, isSimulated }: { effect: RulePreview; isSimulated: boolean }) {
  const { currency, stock, isPartial, matched, lowered, raised, totalCents, largest } = effect
  const money = (cents: number) => formatPrice(cents, currency)
  const changed = lowered + raised
  return (
    <>
      <p className="fc-small" aria-live="polite">
        <bdi>
          Matches {isPartial && 'more than '}
          {matched.toLocaleString()} of {count(stock, 'vehicle', 'vehicles')} in stock.{' '}
          {changed === 0
            ? 'No price changes.'
            : `${[lowered > 0 && `${lowered.toLocaleString()} lowered`, raised > 0 && `${raised.toLocaleString()} raised`].filter(Boolean).join(', ')}, ${money(totalCents)} in total.`}
        </bdi>
      </p>
      {largest.length > 0 && (
        <table className="fc-price-table">
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
            </tr>
          </thead>
          <tbody>
            {largest.map(({ vehicleId, title, beforeCents, afterCents }) => (
              <tr key={vehicleId}>
                <th scope="row" aria-label={title}>
                  <Link
                    to="/inventory/vehicle-data/$id"
                    params={{ id: vehicleId }}
                    search={{ tab: 'price' }}
                    className="fc-link"
                  >
                    <bdi>{title}</bdi>
                  </Link>
                </th>
                <td className="fc-end fc-number">
                  <bdi>{money(beforeCents)}</bdi>
                </td>
                <td className="fc-end fc-number">
                  <bdi>{money(afterCents)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
