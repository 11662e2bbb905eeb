import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core'
import { CUSTOM_FIELD_KINDS, MOST_CUSTOM_CHOICES } from '#contract/customers/custom-fields/custom-fields.ts'
import type { CustomerDetails } from '#contract/customers/details/details.ts'
import { EditableList } from '#web/ui/form/EditableList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { BLANK_CUSTOM_FIELD, CUSTOM_KIND_NAMES, keyFrom } from './custom-field-rows.ts'
import type { DetailsRecord } from './details-record.ts'

const KINDS = CUSTOM_FIELD_KINDS.map((value) => ({ value, label: CUSTOM_KIND_NAMES[value] }))

/** The fields of vehicles that the customer makes for itself: in the form, the list, mappings and exports from then on. */
export function CustomFieldsSection({
  record,
  details,
}: {
  record: DetailsRecord
  details: CustomerDetails
}) {
  const { form, isReadOnly } = record
  const { customFields } = form.values
  const kept = new Set(details.customFields.map(({ key }) => key))
  return (
    <FormSection
      title="Custom fields of vehicles"
      text="What you want to know of every vehicle and nobody else asks for. They stand in the form and on the page of a vehicle, may be columns and filters of the list, and are filled by feeds that have a column of their name."
    >
      <div className="fc-wide">
        <EditableList
          record={record}
          name="customFields"
          rows={customFields}
          blank={BLANK_CUSTOM_FIELD}
          noun="custom field"
          nameOf={(field) => field.name}
          empty="No fields of your own yet. A key board, a loaner, a stage of reconditioning would be some."
        >
          {(field, path) => (
            <>
              <TextInput
                label="Name"
                {...form.getInputProps(`${path}.name`)}
                readOnly={isReadOnly}
                required
                maxLength={60}
                autoComplete="off"
              />
              <TextInput
                label="Key"
                description={
                  kept.has(field.key) ? 'Stays: values are kept by it' : 'Stays as it is once it is saved'
                }
                {...form.getInputProps(`${path}.key`)}
                readOnly={isReadOnly || kept.has(field.key)}
                placeholder={keyFrom(field.name)}
                maxLength={40}
                autoComplete="off"
                spellCheck={false}
                dir="ltr"
              />
              <Select
                label="Kind"
                {...form.getInputProps(`${path}.kind`)}
                readOnly={isReadOnly || kept.has(field.key)}
                data={KINDS}
                allowDeselect={false}
              />
              {field.kind === 'number' && (
                <TextInput
                  label="Unit"
                  {...form.getInputProps(`${path}.unit`)}
                  readOnly={isReadOnly}
                  maxLength={12}
                  autoComplete="off"
                />
              )}
              {field.kind === 'choice' && (
                <TagsInput
                  label="Choices"
                  description={isReadOnly ? null : 'Press Enter after each.'}
                  {...form.getInputProps(`${path}.choices`)}
                  readOnly={isReadOnly}
                  required
                  maxTags={MOST_CUSTOM_CHOICES}
                />
              )}
              <Checkbox
                label="Archived"
                description="Its values stay, and nothing offers it any more."
                size="xs"
                {...form.getInputProps(`${path}.isArchived`, { type: 'checkbox' })}
                disabled={isReadOnly}
              />
            </>
          )}
        </EditableList>
      </div>
    </FormSection>
  )
}
