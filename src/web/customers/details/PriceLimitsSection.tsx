import { TextInput } from '@mantine/core'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import type { DetailsRecord } from './details-record.ts'

/** The limits beyond which a price needs a user's confirmation. */
export function PriceLimitsSection({ record }: { record: DetailsRecord }) {
  const { field, form, isReadOnly } = record
  const unit = <bdi className="fc-small fc-faint">{form.values.currency}</bdi>
  return (
    <FormSection
      title="Price protection"
      text="Unusual prices need confirmation. Changes by hand and uploaded feeds ask first. In automatic feeds vehicles keep their price until someone decides, and a feed with many unusual prices is held for review."
    >
      <TextInput
        {...field('priceChangePercent')}
        description={isReadOnly ? null : 'A price that rises or falls by more than this.'}
        inputMode="numeric"
        required
        autoComplete="off"
      />
      <TextInput
        {...field('priceStockPercent')}
        description={
          isReadOnly
            ? null
            : 'Hold an automatic feed if more of the vehicles change that much, and ask about a rule that changes more of the prices.'
        }
        inputMode="numeric"
        required
        autoComplete="off"
      />
      <TextInput
        {...field('lowestPrice')}
        inputMode="decimal"
        required
        autoComplete="off"
        rightSection={unit}
        rightSectionWidth={48}
      />
      <TextInput
        {...field('highestPrice')}
        inputMode="decimal"
        required
        autoComplete="off"
        rightSection={unit}
        rightSectionWidth={48}
      />
      <TextInput
        {...field('totalChange')}
        description={
          isReadOnly
            ? null
            : 'A change to price rules, fees, price laws or lots asks if it moves all prices together by more than this, or more of the stock than the share above.'
        }
        inputMode="decimal"
        required
        autoComplete="off"
        rightSection={unit}
        rightSectionWidth={48}
      />
      <TextInput
        {...field('approvalAbove')}
        description={
          isReadOnly
            ? null
            : 'Changes to price rules, fees, price laws and lots that change more prices than this must be approved by a second user, and so must a higher limit. Leave blank to require no approval.'
        }
        inputMode="numeric"
        autoComplete="off"
      />
    </FormSection>
  )
}
