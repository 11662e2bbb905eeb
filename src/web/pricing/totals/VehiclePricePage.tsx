import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { IconFileDownload, IconReceipt } from '@tabler/icons-react'
import { feeFindings, type PriceLine, priceLines } from '#contract/pricing/advertised/price-lines.ts'
import { type VehiclePrice, vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { SKIP_REASONS } from '#contract/pricing/rules/price-rule.ts'
import { count, formatDate } from '#web/ui/layout/date-format.ts'
import { joinNames } from '#web/ui/layout/join-names.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { askForBuyerDocuments, PriceHistory, describeSource, formatPrice } from '#web/vehicles/index.ts'
import { formatMinute } from './format-minute.ts'
import { MinuteInput } from './MinuteInput.tsx'
import { OffersCard } from './OffersCard.tsx'
import { PricePlaces } from './PricePlaces.tsx'
import { RuleName } from './RuleName.tsx'
import { signedAmount } from './signed-amount.ts'
import { SpecialPriceCard } from './SpecialPriceCard.tsx'
import { TotalCard } from './TotalCard.tsx'
import './vehicle-price.css'

/** The Price tab of a vehicle: how its total price is made, line by line. */
export function VehiclePricePage({ vehicle }: { vehicle: VehicleRecord }) {
  const [minute, setMinute] = useState('')

  return (
    <Loaded
      query={{
        ...query(vehiclePrices.get, { id: vehicle.id, ...(minute !== '' && { minute }) }),
        placeholderData: keepPreviousData,
        // Fees, laws and lots change outside of this page.
        staleTime: 0,
      }}
      what="the price"
      shape="spinner"
    >
      {(data) => (
        <div className="fc-vehicle-body fc-price-page">
          <div className="fc-vehicle-main">
            <MinuteInput value={minute} onChange={setMinute} />
            {data.simulatedMinute !== null && (
              <output className="fc-tint-warn fc-simulated">
                <bdi>
                  Simulated for {formatMinute(data.simulatedMinute)} lot time, with today's rules, fees and
                  values. This isn't the current price.
                </bdi>
              </output>
            )}
            {data.totalCents === null ? (
              <EmptyState
                icon={<IconReceipt size={18} />}
                title="No price yet"
                text="The vehicle has neither a price nor an MSRP. Enter a price, or wait for the next feed."
              />
            ) : (
              <Explanation price={data} vehicleId={vehicle.id} />
            )}
            <PricePlaces vehicle={vehicle} />
          </div>
          <div className="fc-vehicle-aside">
            {data.totalCents !== null && <TotalCard price={data} vehicle={vehicle} />}
            {data.base?.field === 'price' && data.simulatedMinute === null && (
              <SpecialPriceCard key={vehicle.id} vehicle={vehicle} price={data} />
            )}
            {data.offers.length > 0 && <OffersCard price={data} />}
            <PriceHistory vehicle={vehicle} />
          </div>
        </div>
      )}
    </Loaded>
  )
}

function Explanation({ price, vehicleId }: { price: VehiclePrice; vehicleId: string }) {
  const money = (cents: number) => formatPrice(cents, price.currency)
  const texts = { money, day: formatDate, source: describeSource }
  const lines = priceLines(price, texts)
  const scale = priceScale(lines)
  const findings = [
    ...feeFindings(price, texts),
    ...price.textFindings.map(
      ({ words, message, source }) => `Description, “${words}”: ${message} Source: ${source}.`,
    ),
  ]
  return (
    <section aria-labelledby="price-lines" className="fc-price-lines">
      <div className="fc-side-head">
        <h2 id="price-lines">How the total price is calculated</h2>
        <Button
          variant="default"
          leftSection={<IconFileDownload size={16} aria-hidden="true" />}
          onClick={() => void askForBuyerDocuments({ ids: [vehicleId] })}
        >
          Documents for buyers
        </Button>
      </div>
      {findings.length > 0 && (
        <ul className="fc-price-findings" aria-label="Problems">
          {findings.map((finding) => (
            <li key={finding} className="fc-tint-warn">
              <bdi>{finding}</bdi>
            </li>
          ))}
        </ul>
      )}
      <div className="fc-price-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col" className="fc-price-kind">
                Kind
              </th>
              <th scope="col" className="fc-price-bars" aria-label="Scale">
                <span>{money(scale.start)}</span>
                <span>{money(scale.end)}</span>
              </th>
              <th scope="col" className="fc-end">
                Change
              </th>
              <th scope="col" className="fc-end">
                Price
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line key={line.key} line={line} scale={scale} money={money} />
            ))}
          </tbody>
        </table>
      </div>
      <Extra price={price} money={money} />
      <SkippedRules price={price} />
    </section>
  )
}

type LineProps = {
  line: PriceLine
  scale: { start: number; end: number }
  money: (cents: number) => string
}

function Line({ line, scale, money }: LineProps) {
  const { key, ruleId, name, about, kind, changeCents, priceCents, tone } = line
  const bar = barOf(line, scale)
  return (
    <tr data-tone={tone} data-total={key === 'total' || undefined}>
      <th scope="row">
        {ruleId === undefined ? <bdi>{name}</bdi> : <RuleName id={ruleId} name={name} />}
        <span className="fc-second">
          <bdi>{about}</bdi>
        </span>
      </th>
      <td className="fc-price-kind">{kind}</td>
      <td className="fc-price-bars" aria-label={money(priceCents)}>
        <span
          className="fc-price-bar"
          style={{ insetInlineStart: `${bar.from}%`, inlineSize: `max(2px, ${bar.to - bar.from}%)` }}
        />
      </td>
      <td className="fc-end fc-number">
        {changeCents !== null && <bdi>{signedAmount(changeCents, money)}</bdi>}
      </td>
      <td className="fc-end fc-number">
        <bdi>{money(priceCents)}</bdi>
      </td>
    </tr>
  )
}

/** What buyers pay on top of the total price. */
function Extra({ price, money }: { price: VehiclePrice; money: (cents: number) => string }) {
  const extra = price.fees.filter(({ treatment }) => treatment === 'extra')
  if (extra.length === 0) return null
  const named = extra.map(({ name, chargedCents }) => `${name} ${money(chargedCents)}`)
  return (
    <p className="fc-small fc-soft">
      <bdi>Paid on top of the total price: {new Intl.ListFormat(undefined).format(named)}.</bdi>
    </p>
  )
}

/** The rules that match the vehicle but change nothing, each with the reason. */
function SkippedRules({ price: { skippedRules } }: { price: VehiclePrice }) {
  if (skippedRules.length === 0) return null
  return (
    <details className="fc-small">
      <summary>
        <bdi>
          {count(skippedRules.length, 'rule', 'rules')} did not apply:{' '}
          {joinNames(
            skippedRules.map(({ name }) => name),
            'and',
          )}
        </bdi>
      </summary>
      <ul className="fc-lines">
        {skippedRules.map(({ ruleId, name, reason, by }) => (
          <li key={ruleId}>
            <RuleName id={ruleId} name={name} />: {SKIP_REASONS[reason]}
            {by && (
              <>
                {' '}
                (<RuleName id={by.ruleId} name={by.name} />)
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The scale of the bars: it starts below the lowest price, so that changes can be seen. */
function priceScale(lines: readonly PriceLine[]): { start: number; end: number } {
  const prices = lines.map(({ priceCents }) => priceCents)
  const [least, most] = [Math.min(...prices), Math.max(...prices)]
  const span = Math.max(most - least, most * 0.01, 1)
  return { start: Math.max(0, Math.floor((least - span) / 10_000) * 10_000), end: most }
}

/** The bar of a line in percent of the scale: an anchor from the start, a change from the price before it. */
function barOf(
  { tone, priceCents, changeCents }: PriceLine,
  { start, end }: { start: number; end: number },
): { from: number; to: number } {
  const at = (cents: number) => ((cents - start) / Math.max(1, end - start)) * 100
  if (tone === 'anchor') return { from: 0, to: at(priceCents) }
  const before = priceCents - (changeCents ?? 0)
  return { from: at(Math.min(before, priceCents)), to: at(Math.max(before, priceCents)) }
}
