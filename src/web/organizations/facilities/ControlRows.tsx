import { Checkbox, TextInput } from '@mantine/core'
import type { Facility } from '#contract/organizations/facilities/facilities.ts'
import { EditableList } from '#web/ui/form/EditableList.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { BLANK_CONTROL, type FacilityValues } from './facility-form.ts'

type Props = { record: RecordFormState<FacilityValues, Facility> }

/** Who owns and controls it since when. A row holds until the next one's day, so there is no end to type. */
export function ControlRows({ record }: Props) {
  const { form, isReadOnly } = record
  return (
    <>
      <p className="fc-small fc-faint">
        <bdi>Each row holds from its day until the next one begins.</bdi>
      </p>
      <EditableList
        record={record}
        name="control"
        rows={form.values.control}
        blank={BLANK_CONTROL}
        noun="row"
        nameOf={({ validFrom }) => (validFrom === '' ? '' : `row from ${validFrom}`)}
        empty="Say who owns and controls it: at least one row."
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
            <TextInput
              label="Ownership, %"
              {...form.getInputProps(`${path}.ownership`)}
              readOnly={isReadOnly}
              required
              inputMode="decimal"
              autoComplete="off"
              description={<bdi>Of what it stands in.</bdi>}
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
