import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core'
import { FEE_CLASSES } from '#contract/customers/details/fees.ts'
import { PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import { labelOf } from '#contract/record.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { BLANK_PROFILE } from './details-form.ts'
import type { DetailsRecord } from './details-record.ts'

const LAWS = PRICE_LAWS.flatMap(({ value, label }) => (value === 'none' ? [] : [{ value, label }]))

/** The customer's own readings of the price laws. */
export function PriceProfilesSection({ record }: { record: DetailsRecord }) {
  const { form, isReadOnly } = record
  return (
    <FormSection
      title="Price profiles"
      text="What an advertised price must include, if your counsel reads the rules differently. From its start date, a profile replaces the built-in rules until those change again. This is guidance, not legal advice."
    >
      <div className="fc-wide fc-fees">
        <EditableList
          record={record}
          name="priceProfiles"
          rows={form.values.priceProfiles}
          blank={BLANK_PROFILE}
          noun="profile"
          nameOf={({ law, from }) => [labelOf(PRICE_LAWS, law), from].filter(Boolean).join(', ')}
          empty="No profiles. The built-in rules apply."
        >
          {(_profile, path) => (
            <>
              <Select
                label="Rules"
                {...form.getInputProps(`${path}.law`)}
                readOnly={isReadOnly}
                data={LAWS}
                allowDeselect={false}
              />
              <TextInput
                label="Valid from"
                {...form.getInputProps(`${path}.from`)}
                readOnly={isReadOnly}
                required
                type="date"
                max="2100-12-31"
              />
              <MultiSelect
                label="The total price includes"
                {...form.getInputProps(`${path}.includes`)}
                readOnly={isReadOnly}
                data={FEE_CLASSES}
                placeholder="No fees"
                className="fc-fee-lots"
              />
              <TextInput
                label="Text next to the price"
                {...form.getInputProps(`${path}.sentence`)}
                readOnly={isReadOnly}
                required
                maxLength={200}
                autoComplete="off"
                className="fc-cap-source"
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
              <Checkbox
                {...form.getInputProps(`${path}.deductsRebates`, { type: 'checkbox' })}
                disabled={isReadOnly}
                size="sm"
                label="Rebates for every buyer are deducted"
              />
            </>
          )}
        </EditableList>
      </div>
    </FormSection>
  )
}
