import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core'
import { FEE_CLASSES, FEE_VEHICLES } from '#contract/customers/details/fees.ts'
import {
  type OwnProfile,
  type PriceLaw,
  PRICE_LAWS,
  profileOf,
} from '#contract/customers/details/price-laws.ts'
import { labelOf } from '#contract/record.ts'
import { useToday } from '#web/session/use-today.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { BLANK_FEE, type FeeRow } from './details-form.ts'
import type { DetailsRecord } from './details-record.ts'
import { formatMoney, parseMoney } from './money.ts'

/** Mandatory fees and their effect on the total price. */
export function FeesSection({ record }: { record: DetailsRecord }) {
  const { isReadOnly } = record
  const { fees, currency, priceLaw, priceProfiles } = record.form.values
  const today = useToday()
  return (
    <FormSection
      title="Mandatory fees"
      text="Fees every buyer pays. The price rules of each lot decide which of them are part of its total prices."
    >
      <div className="fc-wide fc-fees">
        <EditableList
          record={record}
          name="fees"
          rows={fees}
          blank={BLANK_FEE}
          noun="fee"
          nameOf={(fee) => fee.name}
          empty="No fees yet. Until you enter them, buyers don’t read that prices include all dealer fees. If there are none, enter a fee of 0."
        >
          {(fee, path) => <FeeFields record={record} path={path} lotIds={fee.lotIds} />}
        </EditableList>
        {fees.length > 0 && !isReadOnly && (
          <p className="fc-small fc-soft fc-sum">
            <bdi>{summarize(fees, { currency, priceLaw, priceProfiles, today })}</bdi>
          </p>
        )}
      </div>
    </FormSection>
  )
}

type FeeProps = { record: DetailsRecord; path: string; lotIds: readonly string[] }

function FeeFields({ record, path, lotIds }: FeeProps) {
  const { form, isReadOnly } = record
  const lots = useLotNames(lotIds)
  return (
    <>
      <TextInput
        label="Name"
        {...form.getInputProps(`${path}.name`)}
        readOnly={isReadOnly}
        required
        maxLength={80}
        autoComplete="off"
      />
      <TextInput
        label="Amount"
        {...form.getInputProps(`${path}.cents`)}
        readOnly={isReadOnly}
        required
        inputMode="decimal"
        autoComplete="off"
        className="fc-amount"
        rightSection={<bdi className="fc-small fc-faint">{form.values.currency}</bdi>}
        rightSectionWidth={44}
      />
      <Select
        label="Pays for"
        {...form.getInputProps(`${path}.class`)}
        readOnly={isReadOnly}
        data={FEE_CLASSES}
        allowDeselect={false}
      />
      <Select
        label="Vehicles"
        {...form.getInputProps(`${path}.vehicles`)}
        readOnly={isReadOnly}
        data={FEE_VEHICLES}
        allowDeselect={false}
      />
      <TextInput
        label="Max. % of price"
        {...form.getInputProps(`${path}.percent`)}
        readOnly={isReadOnly}
        inputMode="decimal"
        autoComplete="off"
        className="fc-amount"
      />
      <TextInput
        label="Valid from"
        {...form.getInputProps(`${path}.from`)}
        readOnly={isReadOnly}
        type="date"
        max="2100-12-31"
      />
      <MultiSelect
        label="Lots"
        {...form.getInputProps(`${path}.lotIds`)}
        readOnly={isReadOnly}
        data={lots.choices}
        onSearchChange={lots.search}
        searchable
        clearable
        placeholder="All lots"
        nothingFoundMessage="No matching lot"
        className="fc-fee-lots"
      />
      <Checkbox
        {...form.getInputProps(`${path}.isInPrice`, { type: 'checkbox' })}
        disabled={isReadOnly}
        size="sm"
        label="Prices already contain it"
      />
    </>
  )
}

/** What the fees add by the customer's own rules, today and if every fee applies. */
function summarize(
  fees: readonly FeeRow[],
  {
    currency,
    priceLaw,
    priceProfiles,
    today,
  }: { currency: string; priceLaw: PriceLaw; priceProfiles: readonly OwnProfile[]; today: string },
): string {
  const { includes } = profileOf(priceLaw, today, priceProfiles)
  const sum = (isIncluded: boolean) =>
    fees
      .filter((fee) => !fee.isInPrice && includes.includes(fee.class) === isIncluded)
      .reduce((total, fee) => total + (parseMoney(fee.cents, currency) || 0), 0)
  const [included, extra] = [sum(true), sum(false)]
  const rules =
    priceLaw === 'none' ? 'Without price rules' : `By the rules of ${labelOf(PRICE_LAWS, priceLaw)}`
  const more = extra > 0 ? ` ${formatMoney(extra, currency)} is paid on top.` : ''
  return `${rules}, total prices include up to ${formatMoney(included, currency)} in fees.${more}`
}
