import { Button } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { FEE_CLASSES } from '#contract/customers/details/fees.ts'
import { PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import { PRICE_MEANINGS } from '#contract/inventory/channels/listings/price-meaning.ts'
import { type AdvertisedPrice, advertisedPrices } from '#contract/inventory/pricing/advertised-prices.ts'
import { labelOf } from '#contract/record.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { formatPrice } from '../vehicles/vehicle-labels.ts'
import { formatInstant } from './instant.ts'
import './vehicle-price.css'

/** One advertised price: where and when, and what it included. */
export function AdvertisedDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending, refetch } = useQuery(query(advertisedPrices.get, { id }))
  const download = useMutation({
    mutationFn: () => fetchFile(advertisedPrices.proof, { id }, 'Proof of price'),
    onError: (failure) => showError(failure),
  })
  return (
    <FormDrawer
      title={data?.title ?? 'Advertised price'}
      about={data && <bdi>{[data.vin, data.stock].filter(Boolean).join(', ')}</bdi>}
      onClose={onClose}
    >
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={advertisedPrices.get}
          what="this price"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <RecordSkeleton label="Loading the price" shape="facts" />}
      {data && (
        <div className="fc-form">
          <div className="fc-form-fields fc-price-proof">
            <Facts price={data} />
            <Button
              variant="default"
              loading={download.isPending}
              leftSection={<IconFileDownload size={16} aria-hidden="true" />}
              onClick={() => download.mutate()}
            >
              Download proof
            </Button>
          </div>
        </div>
      )}
    </FormDrawer>
  )
}

function Facts({ price }: { price: AdvertisedPrice }) {
  const { channelName, currency, fees, sellingCents, totalCents, fromAt, untilAt } = price
  const money = (cents: number) => formatPrice(cents, currency)
  const rows: [title: string, value: string][] = [
    ['Advertised price', money(price.priceCents)],
    ['Channel', channelName],
    ['From', formatInstant(fromAt)],
    ['Until', untilAt === null ? 'Still advertised' : formatInstant(untilAt)],
    ['Selling price', money(sellingCents)],
    ...fees.map(({ name, class: of, cents }): [string, string] => [
      name === labelOf(FEE_CLASSES, of) ? name : `${name} (${labelOf(FEE_CLASSES, of)})`,
      `+${money(cents)}`,
    ]),
    ['Total price', money(totalCents)],
    ['Price field', labelOf(PRICE_MEANINGS, price.priceMeaning)],
    ['Price rules', labelOf(PRICE_LAWS, price.law)],
  ]
  return (
    <dl className="fc-wide">
      {rows.map(([title, value], at) => (
        <div key={at}>
          <dt>
            <bdi>{title}</bdi>
          </dt>
          <dd className="fc-number">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
