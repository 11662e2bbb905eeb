import { Stack, Text } from '@mantine/core'
import {
  type AdvertisedPrice,
  advertisedPrices,
  type ShownBeside,
} from '#contract/pricing/advertised/advertised-prices.ts'
import { send } from '#web/api/query.ts'
import { FrozenFile } from '#web/ui/frozen-files/FrozenFile.tsx'
import { VerifyForm } from '#web/ui/frozen-files/VerifyForm.tsx'
import { showNotice } from '#web/ui/overlay/dialogs.tsx'
import { Facts } from '#web/ui/record/Facts.tsx'
import { formatPrice } from '#web/vehicles/index.ts'

const verifyRecord = send(advertisedPrices.verify)

/** Offers and disclaimers as buyers read them beside an advertised price, and the record to download and verify. */
export function ShownBesidePrice({ price }: { price: AdvertisedPrice }) {
  const { shown } = price
  if (shown === null)
    return (
      <Text fz={13} c="var(--fc-ink-soft)">
        Offers and disclaimers were not kept when this price was advertised.
      </Text>
    )
  return (
    <>
      <Beside shown={shown} price={price} />
      <PriceRecordFile shown={shown} price={price} />
    </>
  )
}

type Props = { shown: ShownBeside; price: AdvertisedPrice }

function Beside({ shown: { offers, disclaimers }, price: { channelId, currency } }: Props) {
  const none =
    channelId === null
      ? 'The page had no offers and no disclaimers beside this price.'
      : 'A file has no offers and no disclaimers. The page that it links to has them.'
  if (offers.length === 0 && disclaimers.length === 0)
    return (
      <Text fz={13} c="var(--fc-ink-soft)">
        {none}
      </Text>
    )
  return (
    <>
      <Facts
        title="Offers, not in the price"
        facts={offers.map(({ name, cents, about, disclaimer }) => [
          name,
          formatPrice(cents, currency),
          [about, disclaimer].filter(Boolean).join('. ') || undefined,
        ])}
      />
      {disclaimers.length > 0 && (
        <Facts title="Disclaimers" facts={[]}>
          <Stack gap={8}>
            {disclaimers.map((text) => (
              <Text key={text} fz={13} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                <bdi>{text}</bdi>
              </Text>
            ))}
          </Stack>
        </Facts>
      )}
    </>
  )
}

function PriceRecordFile({ shown: { record, sha256 }, price: { id, title, fromAt } }: Props) {
  const name = 'the record of this price'
  const verify = () =>
    showNotice(
      'Verify record',
      <VerifyForm id={id} name={name} nameOf={() => 'the record of another price'} check={verifyRecord} />,
    )
  return (
    <FrozenFile
      file={{ sha256, size: new Blob([record]).size, madeBy: null, madeAt: fromAt }}
      title="Record of what buyers saw"
      name={`Record of the price of ${title}`}
      download={advertisedPrices.record}
      input={{ id }}
      verify={advertisedPrices.verify}
      onVerify={verify}
    >
      <Text fz={13} c="var(--fc-ink-soft)">
        To verify, download the record: it is unchanged if its SHA-256, as sha256sum or Get-FileHash prints
        it, is the one below.
      </Text>
    </FrozenFile>
  )
}
