import { Select, TextInput } from '@mantine/core'
import { FEE_KINDS } from '#contract/customers/details/details.ts'
import { EditableList } from '#web/ui/form/EditableList.tsx'
import { BLANK_FEE, FEE_KIND_NAMES, type FeeRow } from './details-form.ts'
import type { DetailsRecord } from './details-record.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { formatMoney, parseMoney } from './money.ts'

const KINDS = FEE_KINDS.map((value) => ({ value, label: FEE_KIND_NAMES[value] }))

/** Mandatory fees and their effect on the total price. */
export function FeesSection({ record }: { record: DetailsRecord }) {
  const { form, isReadOnly } = record
  const { fees, currency } = form.values
  return (
    <FormSection
      title="Mandatory fees"
      text="Fees every buyer pays. Dealer fees are included in the total price; government fees are not."
    >
      <div className="fc-wide fc-fees">
        <EditableList
          record={record}
          name="fees"
          rows={fees}
          blank={BLANK_FEE}
          noun="fee"
          nameOf={(fee) => fee.name}
          empty="No fees yet. Without fees, the total price is the selling price."
        >
          {(_fee, path) => (
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
                rightSection={<bdi className="fc-small fc-faint">{currency}</bdi>}
                rightSectionWidth={44}
              />
              <Select
                label="Charged by"
                {...form.getInputProps(`${path}.kind`)}
                readOnly={isReadOnly}
                data={KINDS}
                allowDeselect={false}
              />
            </>
          )}
        </EditableList>
        {fees.length > 0 && (
          <p className="fc-small fc-soft fc-sum">
            <bdi>{summarize(fees, currency)}</bdi>
          </p>
        )}
      </div>
    </FormSection>
  )
}

function summarize(fees: readonly FeeRow[], currency: string): string {
  const sum = (kind: FeeRow['kind']) =>
    fees
      .filter((fee) => fee.kind === kind)
      .reduce((total, fee) => total + (parseMoney(fee.cents, currency) || 0), 0)
  const [dealer, government] = [sum('dealer'), sum('government')]
  const excluded =
    government > 0 ? ` Government fees of ${formatMoney(government, currency)} are not included.` : ''
  return `Total prices include ${formatMoney(dealer, currency)} in dealer fees.${excluded}`
}
