import { Select, TextInput } from '@mantine/core'
import type { Channel } from '#contract/channels/channels/channels.ts'
import { PRICE_MEANINGS } from '#contract/pricing/totals/price-meanings.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { ChannelValues } from './channel-form.ts'

/** What the price field of a custom file means to its receiver. */
export function ChannelPriceFields({ record }: { record: RecordFormState<ChannelValues, Channel> }) {
  const { field, form } = record
  return (
    <>
      <Select
        {...field('priceMeaning')}
        className="fc-wide"
        data={PRICE_MEANINGS}
        allowDeselect={false}
        description="What the receiver expects as the price. Most expect the total price."
      />
      {form.values.priceMeaning === 'without-fees' && (
        <TextInput
          {...field('priceNote')}
          className="fc-wide"
          required
          maxLength={300}
          autoComplete="off"
          placeholder="https://help.receiver.example/price-updates"
        />
      )}
    </>
  )
}
