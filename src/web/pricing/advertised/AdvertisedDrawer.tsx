import { Button, Stack } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import { PRICE_MEANINGS } from '#contract/pricing/totals/price-meanings.ts'
import { type AdvertisedPrice, advertisedPrices } from '#contract/pricing/advertised/advertised-prices.ts'
import { advertisedLines, type PriceLine } from '#contract/pricing/advertised/price-lines.ts'
import { labelOf } from '#contract/record.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { type Fact, FactList } from '#web/ui/record/Facts.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import { formatInstant } from '../totals/instant.ts'
import { RuleName } from '../totals/RuleName.tsx'
import { signedAmount } from '../totals/signed-amount.ts'
import { ShownBesidePrice } from './ShownBesidePrice.tsx'
import '../totals/vehicle-price.css'

/** One advertised price: where and when, and what it included. */
export function AdvertisedDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const load = useLoad(query(advertisedPrices.get, { id }))
  const { data } = load
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
      <Loaded query={load} what="this price" shape="facts">
        {(loaded) => (
          <div className="fc-form">
            <div className="fc-form-fields fc-price-proof">
              <div className="fc-wide">
                <FactList facts={factsOf(loaded)} />
              </div>
              <Lines price={loaded} />
              <Stack gap={16} className="fc-wide">
                <ShownBesidePrice price={loaded} />
              </Stack>
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
      </Loaded>
    </FormDrawer>
  )
}

/** How the advertised price was calculated, with the rules of that day. */
function Lines({ price }: { price: AdvertisedPrice }) {
  const money = (cents: number) => formatPrice(cents, price.currency)
  return (
    <section aria-labelledby="proof-lines" className="fc-price-lines fc-wide">
      <h3 id="proof-lines">How the total price was calculated</h3>
      <div className="fc-price-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col" className="fc-end">
                Change
              </th>
              <th scope="col" className="fc-end">
                Price
              </th>
            </tr>
          </thead>
          <tbody>
            {advertisedLines(price, money).map((line) => (
              <Line key={line.key} line={line} money={money} />
            ))}
          </tbody>
        </table>
      </div>
      {price.baseCents === null && (
        <p className="fc-small fc-soft">
          The effect of the rules was not stored when this price was advertised.
        </p>
      )}
    </section>
  )
}

function Line({ line, money }: { line: PriceLine; money: (cents: number) => string }) {
  const { key, ruleId, name, about, kind, changeCents, priceCents, tone } = line
  return (
    <tr data-tone={tone} data-total={key === 'total' || undefined}>
      <th scope="row">
        {ruleId === undefined ? <bdi>{name}</bdi> : <RuleName id={ruleId} name={name} />}
        <span className="fc-second">
          <bdi>{about || kind}</bdi>
        </span>
      </th>
      <td className="fc-end fc-number">
        {changeCents !== null && <bdi>{signedAmount(changeCents, money)}</bdi>}
      </td>
      <td className="fc-end fc-number">
        <bdi>{money(priceCents)}</bdi>
      </td>
    </tr>
  )
}

function factsOf(price: AdvertisedPrice): Fact[] {
  const { channelName, currency, fromAt, untilAt, shown } = price
  return [
    ['Advertised price', formatPrice(price.priceCents, currency)],
    ['MSRP beside it', shown?.msrpCents == null ? null : formatPrice(shown.msrpCents, currency)],
    ['Channel', channelName],
    ['Page', shown?.page],
    ['File', shown?.file],
    ['From', formatInstant(fromAt)],
    ['Until', untilAt === null ? 'Still advertised' : formatInstant(untilAt)],
    ['Price field', labelOf(PRICE_MEANINGS, price.priceMeaning)],
    ['Price rules', labelOf(PRICE_LAWS, price.law)],
  ]
}
