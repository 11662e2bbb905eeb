import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { DISCLAIMER_CONDITIONS } from '#contract/customers/details/details.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import { BLANK_DISCLAIMER } from './details-form.ts'
import type { DetailsRecord } from './details-record.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'

/** Text that must appear with prices and offers. */
export function DisclaimersSection({ record }: { record: DetailsRecord }) {
  const { form, isReadOnly } = record
  return (
    <FormSection title="Disclaimers" text="Shown to buyers with prices and offers, in this order.">
      <div className="fc-wide">
        <EditableList
          record={record}
          name="disclaimers"
          rows={form.values.disclaimers}
          blank={BLANK_DISCLAIMER}
          noun="disclaimer"
          nameOf={(disclaimer) => disclaimer.name}
          empty="No disclaimers yet."
        >
          {(_disclaimer, path) => (
            <>
              <TextInput
                label="Name"
                {...form.getInputProps(`${path}.name`)}
                readOnly={isReadOnly}
                required
                maxLength={80}
                autoComplete="off"
                className="fc-wide"
              />
              <NativeSelect
                label="Shown with"
                data={DISCLAIMER_CONDITIONS}
                {...form.getInputProps(`${path}.appliesTo`)}
                disabled={isReadOnly}
                className="fc-wide"
              />
              <Textarea
                label="Text"
                {...form.getInputProps(`${path}.text`)}
                readOnly={isReadOnly}
                required
                rows={3}
                maxLength={4000}
                className="fc-wide"
              />
            </>
          )}
        </EditableList>
      </div>
    </FormSection>
  )
}
