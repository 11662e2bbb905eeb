import { Select, TextInput } from '@mantine/core'
import { DENOMINATOR_KINDS } from '#contract/carbon/inventories/inventory-schema.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { BLANK_DENOMINATOR, DENOMINATOR_NAMES } from './start-form.ts'
import type { StartRecord } from './start-record.ts'

const KINDS = DENOMINATOR_KINDS.map((value) => ({ value, label: DENOMINATOR_NAMES[value] }))

/** The denominators of the emission intensities. */
export function IntensitySection({ record }: { record: StartRecord }) {
  const { form, isReadOnly } = record
  return (
    <FormSection
      title="Intensity"
      text="Denominators for emissions, to compare years and rooftops of different sizes."
    >
      <div className="fc-wide">
        <EditableList
          record={record}
          name="denominators"
          rows={form.values.denominators}
          blank={BLANK_DENOMINATOR}
          noun="denominator"
          nameOf={({ kind, name }) => (kind === 'own' ? name : DENOMINATOR_NAMES[kind])}
          empty="None yet. Common denominators are revenue, floor area and employees."
        >
          {({ kind }, path) => (
            <>
              <Select
                label="Denominator"
                data={KINDS}
                {...form.getInputProps(`${path}.kind`)}
                allowDeselect={false}
                readOnly={isReadOnly}
              />
              {kind === 'own' && (
                <TextInput
                  label="Name"
                  {...form.getInputProps(`${path}.name`)}
                  readOnly={isReadOnly}
                  required
                  maxLength={80}
                  autoComplete="off"
                />
              )}
              <NumberField
                takesText
                isText
                label="Amount"
                {...form.getInputProps(`${path}.amount`)}
                decimals={10}
                readOnly={isReadOnly}
                required
              />
              <TextInput
                label="Unit"
                {...form.getInputProps(`${path}.unit`)}
                readOnly={isReadOnly}
                required
                maxLength={40}
                placeholder="million USD"
                autoComplete="off"
              />
            </>
          )}
        </EditableList>
      </div>
    </FormSection>
  )
}
