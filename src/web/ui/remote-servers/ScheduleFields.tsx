import { Select, TextInput } from '@mantine/core'
import type { FieldOf } from './RemoteServerFields.tsx'
import { type Schedule, SCHEDULES } from './schedule.ts'

type Props = { field: FieldOf<'schedule' | 'everyHours' | 'dailyAt'>; schedule: Schedule }

/** The schedule, with the field that the chosen type needs. */
export function ScheduleFields({ field, schedule }: Props) {
  return (
    <>
      <Select {...field('schedule')} data={[...SCHEDULES]} allowDeselect={false} />
      {schedule === 'hours' && <TextInput {...field('everyHours')} required inputMode="numeric" dir="ltr" />}
      {schedule === 'daily' && <TextInput {...field('dailyAt')} required type="time" dir="ltr" />}
    </>
  )
}
