import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { type BulkPricePreview, KEPT_PRICE_REASONS } from '#contract/vehicles/vehicles/bulk-prices.ts'
import { labelOf } from '#contract/record.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { FactList } from '#web/ui/record/Facts.tsx'
import type { usePricePreview } from './price-preview.ts'
import { formatPrice } from './vehicle-labels.ts'
import '@mantine/core/styles/Table.layer.css'

/** What the change would do now: below the fields, so that its size never moves the one that the user types in. */
export function PriceEffect({
  preview: { data, error, isFetching, retry },
}: {
  preview: ReturnType<typeof usePricePreview>
}) {
  if (error !== null) {
    return (
      <Group role="alert" gap="sm" className="fc-form-alert">
        <bdi>{error.message}</bdi>
        <Button size="compact-sm" variant="default" onClick={retry}>
          Try again
        </Button>
      </Group>
    )
  }
  if (data === undefined) return <Text size="sm">Enter an amount to see the effect.</Text>
  return (
    <section aria-label="Effect" aria-busy={isFetching}>
      <Stack gap="sm">
        <Figures effect={data} />
        {data.opposite.vehicles > 0 && <Opposite effect={data} />}
        {data.kept.length > 0 && <Kept effect={data} />}
        {data.largest.length > 0 && (
          <details className="fc-small">
            <summary>Largest changes</summary>
            <Changes named={data.largest} currency={data.currency} />
          </details>
        )}
      </Stack>
    </section>
  )
}

type Props = { effect: BulkPricePreview }

function Figures({ effect: { currency, selected, lowered, raised, prices, totals } }: Props) {
  const changed = lowered + raised
  const moved = ({ beforeCents, afterCents }: BulkPricePreview['prices']) =>
    changed > 0 && (
      <>
        <bdi>{`${formatPrice(beforeCents, currency)} to ${formatPrice(afterCents, currency)}`}</bdi>
        <span className="fc-second">{signed(afterCents - beforeCents, currency)}</span>
      </>
    )
  return (
    <div aria-live="polite">
      <FactList
        facts={[
          [
            'Prices that change',
            <>
              <bdi>{`${changed.toLocaleString()} of ${count(selected, 'vehicle', 'vehicles')}`}</bdi>
              <span className="fc-second">{splitText(lowered, raised)}</span>
            </>,
          ],
          ['Sum of these prices', moved(prices)],
          ['Buyers pay in total', moved(totals)],
        ]}
      />
    </div>
  )
}

function splitText(lowered: number, raised: number): string {
  if (lowered > 0 && raised > 0) return `${lowered.toLocaleString()} lower, ${raised.toLocaleString()} higher`
  if (lowered > 0) return 'All lower'
  return raised > 0 ? 'All higher' : ''
}

/** "−$20,000". */
function signed(cents: number, currency: string): string {
  if (cents === 0) return 'No difference'
  return `${cents < 0 ? '−' : '+'}${formatPrice(Math.abs(cents), currency)}`
}

/** Vehicles whose total for buyers moves the other way than their price. */
function Opposite({ effect: { opposite, currency } }: Props) {
  const title = `What buyers pay for ${count(opposite.vehicles, 'vehicle', 'vehicles')} moves the other way`
  return (
    <div role="note">
      <Text size="sm" fw={500} c="var(--fc-warn)">
        <bdi>{title}, because other price rules then apply.</bdi>
      </Text>
      <Changes named={opposite.named} currency={currency} />
      <More all={opposite.vehicles} named={opposite.named.length} />
    </div>
  )
}

/** The vehicles that stay as they are, by reason. */
function Kept({ effect: { kept } }: Props) {
  const all = kept.reduce((sum, { vehicles: some }) => sum + some, 0)
  return (
    <details className="fc-small">
      <summary>
        <bdi>{count(all, 'price stays as it is', 'prices stay as they are')}</bdi>
      </summary>
      <FactList
        facts={kept.map(({ reason, vehicles: some, titles }) => [
          labelOf(KEPT_PRICE_REASONS, reason),
          <>
            <bdi>{some.toLocaleString()}</bdi>
            <span className="fc-second">
              {titles.join('; ')}
              {titles.length > 0 && some > titles.length && '; and others'}
            </span>
          </>,
        ])}
      />
    </details>
  )
}

function More({ all, named }: { all: number; named: number }) {
  if (all <= named) return null
  return <Text size="xs">{`The ${named} largest of ${all.toLocaleString()}.`}</Text>
}

/** Each vehicle with its price and what buyers pay, before and after. */
function Changes({ named, currency }: { named: BulkPricePreview['largest']; currency: string }) {
  // A price that no one has entered yet is 0 in sums.
  const money = (cents: number) => (cents === 0 ? 'No price' : formatPrice(cents, currency))
  return (
    <Table aria-label="Vehicles with their prices">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Vehicle</Table.Th>
          <Table.Th ta="end">Now</Table.Th>
          <Table.Th ta="end">After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {named.map((one) => (
          <Table.Tr key={one.vehicleId}>
            <Table.Td>
              <bdi>{one.title}</bdi>
              <span className="fc-second">Buyers pay</span>
            </Table.Td>
            <Table.Td ta="end" className="fc-number">
              <bdi>{money(one.beforeCents)}</bdi>
              <span className="fc-second">{money(one.totalBeforeCents)}</span>
            </Table.Td>
            <Table.Td ta="end" className="fc-number">
              <bdi>{money(one.afterCents)}</bdi>
              <span className="fc-second">{money(one.totalAfterCents)}</span>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
