import {
  CHANNEL_KIND_CHOICES,
  DESTINATION_CHOICES,
  RUN_STATE_CHOICES,
} from '#contract/channels/channels/channel-list.ts'
import type { ChannelInclusion, ChannelRun } from '#contract/channels/channels/channels.ts'
import type { Destination } from '#contract/channels/channels/channel-schema.ts'
import { EXCLUSION_REASON_KEYS, EXCLUSION_REASONS } from '#contract/channels/listings/exclusion-reasons.ts'
import { type ChannelKind } from '#contract/pricing/totals/price-meanings.ts'
import { count, formatDuration, formatMoment } from '#web/ui/layout/date-format.ts'

type State = ChannelRun['state']

const labelOf = (choices: readonly { value: string; label: string }[], value: string): string =>
  choices.find((one) => one.value === value)?.label ?? value

export const kindName = (kind: ChannelKind): string => labelOf(CHANNEL_KIND_CHOICES, kind)
export const destinationName = (one: Destination): string => labelOf(DESTINATION_CHOICES, one)
export const stateName = (state: State): string => labelOf(RUN_STATE_CHOICES, state)

export const STATE_LOOKS = {
  running: { tone: 'info', mark: 'half' },
  sent: { tone: 'good', mark: 'check' },
  available: { tone: 'good', mark: 'check' },
  unchanged: { tone: 'mute', mark: 'dash' },
  stopped: { tone: 'warn', mark: 'pause' },
  failed: { tone: 'bad', mark: 'cross' },
} as const satisfies Record<State, { tone: string; mark: string }>

/** Whether a channel includes a vehicle and its receiver has it, and why not. One that is off includes nothing, as on the price tab. */
export function describeInclusion({ isActive, reasons, listedSince, nextRunAt }: ChannelInclusion) {
  const why = reasons.map((reason) => EXCLUSION_REASONS[reason]).join(', ')
  const nextFile = nextRunAt === null ? '' : `. Next file: ${formatMoment(nextRunAt)}`
  if (listedSince !== null && (!isActive || why !== '')) {
    const about = `: ${isActive ? why : 'the channel is off'}. Listed since ${formatMoment(listedSince)}${nextFile}`
    return { tone: 'warn', mark: 'alert', label: 'Still listed', about } as const
  }
  if (!isActive) {
    const about = why === '' ? ': would be included' : `: would be excluded (${why})`
    return { tone: 'mute', mark: 'pause', label: 'Off', about } as const
  }
  if (why === '' && listedSince === null) {
    return { tone: 'mute', mark: 'wait', label: 'In the next file', about: nextFile } as const
  }
  if (why === '') return { tone: 'good', mark: 'check', label: 'Included', about: '' } as const
  return { tone: 'warn', mark: 'pause', label: 'Excluded', about: `: ${why}` } as const
}

/** How long a file took to follow a sale, hold or new price: "4 s after a sale, hold or new price"; null if it didn't have to. */
export function describeFollowing({ state, changedAt, endedAt }: ChannelRun): string | null {
  if (changedAt === null || endedAt === null || (state !== 'sent' && state !== 'available')) return null
  return `${formatDuration(Date.parse(endedAt) - Date.parse(changedAt))} after a sale, hold or new price`
}

const VERBS: Readonly<Partial<Record<State, string>>> = { sent: 'sent', available: 'ready to download' }

/** "412 vehicles sent, 9 excluded: no price (6), not for sale (4)", the most frequent reason first. */
export function describeRun({ state, listed, excluded, reasons }: ChannelRun): string {
  const verb = VERBS[state] ?? 'ready'
  const out = `${count(listed, 'vehicle', 'vehicles')} ${verb}`
  if (excluded === 0) return `${out}, none excluded`
  const why = EXCLUSION_REASON_KEYS.map((key) => [EXCLUSION_REASONS[key], reasons[key] ?? 0] as const)
    .filter(([, times]) => times > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([words, times]) => `${words.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())} (${times})`)
  return `${out}, ${excluded.toLocaleString()} excluded: ${why.join(', ')}`
}
