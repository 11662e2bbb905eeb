import { Checkbox, TextInput } from '@mantine/core'
import type { Facility } from '#contract/organizations/facilities/facilities.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { BLANK_CONTROL, type FacilityValues } from './facility-form.ts'

type Props = { record: RecordFormState<FacilityValues, Facility> }

/** Ownership and control over time. A row applies until the next one starts, so there is no end date to enter. */
export function ControlRows({ record }: Props) {
  const { form, isReadOnly } = record
  return (
    <>
      <p className="fc-small fc-faint">
        <bdi>Each row applies until the next one starts.</bdi>
      </p>
      <EditableList
        record={record}
        name="control"
        rows={form.values.control}
        blank={BLANK_CONTROL}
        noun="row"
        nameOf={({ validFrom }) => (validFrom === '' ? '' : `row from ${validFrom}`)}
        empty="Add at least one row of ownership and control."
      >
        {(_row, path) => (
          <>
            <TextInput
              label="From"
              {...form.getInputProps(`${path}.validFrom`)}
              readOnly={isReadOnly}
              required
              type="date"
              min="1800-01-01"
              max="2200-12-31"
            />
            <NumberField
              takesText
              isText
              label="Ownership, %"
              {...form.getInputProps(`${path}.ownership`)}
              readOnly={isReadOnly}
              required
              decimals={4}
              description={<bdi>Share of the parent.</bdi>}
            />
            <Checkbox
              {...form.getInputProps(`${path}.operationalControl`, { type: 'checkbox' })}
              size="xs"
              label="Operational control"
              disabled={isReadOnly}
            />
            <Checkbox
              {...form.getInputProps(`${path}.financialControl`, { type: 'checkbox' })}
              size="xs"
              label="Financial control"
              disabled={isReadOnly}
            />
          </>
        )}
      </EditableList>
    </>
  )
}
