import { Checkbox, Select, TextInput } from '@mantine/core'
import { CUSTOM_FIELD_KINDS, MAX_CUSTOM_CHOICES } from '#contract/customers/custom-fields/custom-fields.ts'
import type { CustomerDetails } from '#contract/customers/details/details.ts'
import { TagsField } from '#web/ui/form/TagsField.tsx'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { BLANK_CUSTOM_FIELD, CUSTOM_KIND_NAMES, keyFrom } from './custom-field-rows.ts'
import type { DetailsRecord } from '../details/details-record.ts'

const KINDS = CUSTOM_FIELD_KINDS.map((value) => ({ value, label: CUSTOM_KIND_NAMES[value] }))

/** The customer's own vehicle fields, available in the form, list, mappings and exports. */
export function CustomFieldsSection({
  record,
  details,
}: {
  record: DetailsRecord
  details: CustomerDetails
}) {
  const { form, isReadOnly } = record
  const { customFields } = form.values
  const savedKeys = new Set(details.customFields.map(({ key }) => key))
  return (
    <FormSection
      title="Custom vehicle fields"
      text="Extra information you want to record for each vehicle. Custom fields appear on the vehicle form and page, can be list columns and filters, and are filled from feed columns with the same name."
    >
      <div className="fc-wide">
        <EditableList
          record={record}
          name="customFields"
          rows={customFields}
          blank={BLANK_CUSTOM_FIELD}
          noun="custom field"
          nameOf={(field) => field.name}
          empty="No custom fields yet. Examples: key location, loaner, reconditioning stage."
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
                  savedKeys.has(field.key)
                    ? "Can't be changed: values are stored under it"
                    : "Can't be changed after saving"
                }
                {...form.getInputProps(`${path}.key`)}
                readOnly={isReadOnly || savedKeys.has(field.key)}
                placeholder={keyFrom(field.name)}
                maxLength={40}
                autoComplete="off"
                spellCheck={false}
                dir="ltr"
              />
              <Select
                label="Type"
                {...form.getInputProps(`${path}.kind`)}
                readOnly={isReadOnly || savedKeys.has(field.key)}
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
                <TagsField
                  label="Choices"
                  description={isReadOnly ? null : 'Press Enter after each.'}
                  {...form.getInputProps(`${path}.choices`)}
                  readOnly={isReadOnly}
                  required
                  maxTags={MAX_CUSTOM_CHOICES}
                />
              )}
              <Checkbox
                label="Archived"
                description="Keeps its values, but hides it from forms and lists."
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
