import {
  CHANNEL_KIND_CHOICES,
  DESTINATION_CHOICES,
  RUN_STATE_CHOICES,
} from '#contract/inventory/channel-list.ts'
import type { ChannelRow, ChannelRun } from '#contract/inventory/channels.ts'
import type { Destination } from '#contract/inventory/channel-fields.ts'
import { HOLD_REASON_KEYS, HOLD_REASONS, type ChannelKind } from '#contract/inventory/offers/hold-back.ts'
import { count } from '#web/ui/moment.ts'

type State = ChannelRun['state']

const labelOf = (choices: readonly { value: string; label: string }[], value: string): string =>
  choices.find((one) => one.value === value)?.label ?? value

export const kindName = (kind: ChannelKind): string => labelOf(CHANNEL_KIND_CHOICES, kind)
export const destinationName = (one: Destination): string => labelOf(DESTINATION_CHOICES, one)
export const stateName = (state: State): string => labelOf(RUN_STATE_CHOICES, state)

export const STATE_LOOKS = {
  running: { tone: 'info', mark: 'half' },
  sent: { tone: 'good', mark: 'check' },
  unchanged: { tone: 'mute', mark: 'dash' },
  stopped: { tone: 'warn', mark: 'pause' },
  failed: { tone: 'bad', mark: 'cross' },
} as const satisfies Record<State, { tone: string; mark: string }>

const moment = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})
/** When a channel runs next, "22 Nov, 5:30"; one whose time has come waits for no more than a minute. */
export function nextWords(nextRunAt: string | null, now = new Date()): string {
  if (nextRunAt === null) return 'Not planned'
  const at = new Date(nextRunAt)
  return at <= now ? 'Now' : moment.format(at)
}

/** "Every 6 hours", "Daily at 06:30", "When asked". */
export function scheduleWords({ everyHours, dailyAt }: Pick<ChannelRow, 'everyHours' | 'dailyAt'>): string {
  if (dailyAt !== null) return `Daily at ${dailyAt}`
  if (everyHours === null) return 'When asked'
  return everyHours === 1 ? 'Every hour' : `Every ${everyHours} hours`
}

/** "412 sent, 9 held back: no price (5), not live (4)". The most frequent reason first. */
export function runWords({ state, offered, held, reasons }: ChannelRun): string {
  const verb = state === 'sent' ? 'sent' : 'ready'
  const out = `${count(offered, 'vehicle', 'vehicles')} ${verb}`
  if (held === 0) return `${out}, none held back`
  const why = HOLD_REASON_KEYS.map((key) => [HOLD_REASONS[key], reasons[key] ?? 0] as const)
    .filter(([, times]) => times > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([words, times]) => `${words.charAt(0).toLowerCase()}${words.slice(1)} (${times})`)
  return `${out}, ${held.toLocaleString()} held back: ${why.join(', ')}`
}
