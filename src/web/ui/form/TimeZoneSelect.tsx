import { Select, type SelectProps } from '@mantine/core'

const ZONES = Intl.supportedValuesOf('timeZone')

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  /** Empty for none. */
  value: string
  onChange: (zone: string) => void
}

/** A zone by name, found by typing a part of it: `<TimeZoneSelect {...record.field('timeZone')} />`. */
export function TimeZoneSelect({ value, onChange, ...select }: Props) {
  // What is stored stays choosable, also where this browser does not list it.
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
      nothingFoundMessage="No such zone"
    />
  )
}

/** The zone of the person at the screen. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
