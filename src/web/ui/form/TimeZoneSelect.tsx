import { Select, type SelectProps } from '@mantine/core'

const ZONES = Intl.supportedValuesOf('timeZone')

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  /** Empty for none. */
  value: string
  onChange: (zone: string) => void
}

/** Selects a time zone by name, with search: `<TimeZoneSelect {...record.field('timeZone')} />`. */
export function TimeZoneSelect({ value, onChange, ...select }: Props) {
  // Keep the stored value selectable even if this browser doesn't list it.
  const data = value === '' || ZONES.includes(value) ? ZONES : [value, ...ZONES]
  return (
    <Select
      {...select}
      value={value === '' ? null : value}
      onChange={(zone) => onChange(zone ?? '')}
      data={data}
      limit={60}
      searchable
      clearButtonProps={{ 'aria-label': 'Clear time zone' }}
      nothingFoundMessage="No matching time zone"
    />
  )
}

/** The user's time zone, from the browser. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
