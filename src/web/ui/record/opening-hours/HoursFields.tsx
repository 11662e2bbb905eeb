import { Button, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { WEEKDAYS } from '#contract/opening-hours.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { BLANK_HOLIDAY, formatHours, type HoursValues, readHours } from './hours-form.ts'
import { OpenNow, type OpeningTimes } from './OpenNow.tsx'
import './hours.css'

type Props<Values extends HoursValues, Saved> = {
  record: RecordFormState<Values, Saved>
  /** The saved hours; null for a new record. */
  saved: OpeningTimes | null
  /** "lot": what is open. */
  noun: string
}

/** Opening hours: one line for each day of the week, and holidays. */
export function HoursFields<Values extends HoursValues, Saved>(props: Props<Values, Saved>) {
  const { record, saved, noun } = props
  const { field, form, change, isReadOnly } = record
  const { mon, holidays } = form.values
  /** Replaces the input with its normalized form. */
  const tidy = (name: string, text: string): void => {
    const read = readHours(text)
    if (read !== null && formatHours(read) !== text) form.getInputProps(name).onChange(formatHours(read))
  }
  return (
    <fieldset className="fc-wide fc-hours" aria-label="Opening hours">
      <div className="fc-row">
        <h3 className="fc-grow">Opening hours</h3>
        {saved !== null && <OpenNow times={saved} />}
      </div>
      <p className="fc-small fc-faint">
        <bdi>
          For example, 9:00-12:30, 13:30-18:00 or 9 am-6 pm, in the {noun}'s time zone
          {saved === null ? '' : ` (${saved.zone})`}. Past midnight is fine (6 pm-1 am). Leave blank if
          closed.
        </bdi>
      </p>
      <div className="fc-hours-days">
        {WEEKDAYS.map((day) => (
          <TextInput
            key={day}
            {...field(day)}
            placeholder="Closed"
            autoComplete="off"
            maxLength={80}
            onBlur={({ currentTarget }) => tidy(day, currentTarget.value)}
          />
        ))}
      </div>
      {!isReadOnly && (
        <div className="fc-row">
          <Button
            variant="default"
            leftSection={<IconCopy size={16} aria-hidden="true" />}
            onClick={() => change({ tue: mon, wed: mon, thu: mon, fri: mon })}
          >
            Copy Monday to weekdays
          </Button>
        </div>
      )}
      <h3>Holidays</h3>
      <EditableList
        record={record}
        name="holidays"
        rows={holidays}
        blank={BLANK_HOLIDAY}
        noun="holiday"
        nameOf={(holiday) => holiday.name || holiday.on}
        empty="No holidays yet."
      >
        {(_holiday, path) => (
          <>
            <TextInput
              label="Date"
              {...form.getInputProps(`${path}.on`)}
              type="date"
              min="2000-01-01"
              max="2100-12-31"
              required
              readOnly={isReadOnly}
            />
            <TextInput
              label="Holiday name"
              {...form.getInputProps(`${path}.name`)}
              required
              maxLength={80}
              autoComplete="off"
              readOnly={isReadOnly}
            />
            <TextInput
              label="Hours"
              {...form.getInputProps(`${path}.hours`)}
              placeholder="Closed all day"
              maxLength={80}
              autoComplete="off"
              readOnly={isReadOnly}
              onBlur={({ currentTarget }) => tidy(`${path}.hours`, currentTarget.value)}
            />
          </>
        )}
      </EditableList>
    </fieldset>
  )
}
