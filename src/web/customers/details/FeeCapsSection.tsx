import { Select, TextInput } from '@mantine/core'
import { FEE_CLASSES } from '#contract/customers/details/fees.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { BLANK_CAP } from './details-form.ts'
import type { DetailsRecord } from './details-record.ts'

/** The highest fees that laws allow, as the customer entered them. */
export function FeeCapsSection({ record }: { record: DetailsRecord }) {
  const { form, isReadOnly } = record
  const { feeCaps, currency } = form.values
  return (
    <FormSection
      title="Highest fees"
      text="Limits set by law, with their source. A higher fee is reported with the price. It is never changed."
    >
      <div className="fc-wide fc-fees">
        <EditableList
          record={record}
          name="feeCaps"
          rows={feeCaps}
          blank={BLANK_CAP}
          noun="limit"
          nameOf={({ region, source }) => [region, source].filter(Boolean).join(', ')}
          empty="No limits yet. Amounts of fees aren't checked."
        >
          {(_cap, path) => (
            <>
              <Select
                label="Fee"
                {...form.getInputProps(`${path}.class`)}
                readOnly={isReadOnly}
                data={FEE_CLASSES}
                allowDeselect={false}
              />
              <TextInput
                label="Highest amount"
                {...form.getInputProps(`${path}.cents`)}
                readOnly={isReadOnly}
                required
                inputMode="decimal"
                autoComplete="off"
                className="fc-amount"
                rightSection={<bdi className="fc-small fc-faint">{currency}</bdi>}
                rightSectionWidth={44}
              />
              <TextInput
                label="State or province"
                {...form.getInputProps(`${path}.region`)}
                readOnly={isReadOnly}
                required
                maxLength={60}
                autoComplete="off"
              />
              <TextInput
                label="Source"
                {...form.getInputProps(`${path}.source`)}
                readOnly={isReadOnly}
                required
                maxLength={200}
                autoComplete="off"
                className="fc-cap-source"
              />
              <TextInput
                label="Valid from"
                {...form.getInputProps(`${path}.from`)}
                readOnly={isReadOnly}
                required
                type="date"
                max="2100-12-31"
              />
            </>
          )}
        </EditableList>
      </div>
    </FormSection>
  )
}
