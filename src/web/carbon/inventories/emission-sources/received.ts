import { capitalize } from '#contract/capitalize.ts'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'

/** How complete the data points of a source are. */
export type Received = keyof typeof RECEIVED

/** In legend order: the word, and its mark in a cell. */
export const RECEIVED = {
  received: { word: 'received', tone: 'good', mark: 'check' },
  partial: { word: 'partial', tone: 'info', mark: 'half' },
  waiting: { word: 'waiting', tone: 'mute', mark: 'wait' },
  overdue: { word: 'overdue', tone: 'bad', mark: 'alert' },
} as const

/**
 * The status of a source on a day; null if no data is expected because its facility is closed all year.
 * @param today `2026-11-22`
 */
export function receivedOf(
  { expected, there, dueOn }: Pick<EmissionSource, 'expected' | 'there' | 'dueOn'>,
  today: string,
): Received | null {
  if (expected === 0) return null
  if (there >= expected) return 'received'
  if (dueOn !== null && dueOn < today) return 'overdue'
  return there > 0 ? 'partial' : 'waiting'
}

/** "Partial, 7 of 12 data points". */
export const receivedLabel = (
  received: Received,
  { expected, there }: Pick<EmissionSource, 'expected' | 'there'>,
): string => {
  const { word } = RECEIVED[received]
  const points = expected === 1 ? 'data point' : 'data points'
  return `${capitalize(word)}, ${there} of ${expected.toLocaleString()} ${points}`
}
