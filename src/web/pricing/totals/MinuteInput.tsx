import { Button, TextInput } from '@mantine/core'
import './minute-input.css'

const WHOLE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

type Props = {
  /** A minute in the time zone of the lot; empty: now. */
  value: string
  onChange: (minute: string) => void
}

/** Chooses a date and time for a simulation. */
export function MinuteInput({ value, onChange }: Props) {
  return (
    <div className="fc-minute-input">
      <TextInput
        label="Simulate on"
        aria-description="In the lot's time zone"
        type="datetime-local"
        min="2020-01-01T00:00"
        max="2100-12-31T00:00"
        defaultValue={value}
        key={value === '' ? 'now' : 'set'}
        onChange={({ currentTarget }) => {
          if (WHOLE.test(currentTarget.value)) onChange(currentTarget.value)
        }}
      />
      <span className="fc-small fc-soft">lot time</span>
      {value !== '' && (
        <Button variant="subtle" onClick={() => onChange('')}>
          Back to now
        </Button>
      )}
    </div>
  )
}
