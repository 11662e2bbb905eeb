import type { Lead } from '#contract/leads/inbox/lead-list.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { clockOf, type ClockTone } from './lead-clock.ts'
import { useNow } from '../use-now.ts'

const MARKS = {
  bad: 'alert',
  warn: 'alert',
  mute: 'wait',
  good: 'check',
  info: 'half',
} as const satisfies Readonly<Record<ClockTone, string>>

/** How much time is left to respond; it ticks. */
export function LeadClock({ lead, isPill = false }: { lead: Lead; isPill?: boolean }) {
  const { tone, text } = clockOf(lead, useNow())
  return (
    <Status tone={tone} mark={MARKS[tone]} isPill={isPill}>
      {text}
    </Status>
  )
}
