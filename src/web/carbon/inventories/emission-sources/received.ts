import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'

/** How far the data points of a source are. */
export type Received = keyof typeof RECEIVED

/** In the order of the legend: the word, and the mark that stands for it in a cell. */
export const RECEIVED = {
  received: { word: 'received', tone: 'good', mark: 'check' },
  partly: { word: 'partly', tone: 'info', mark: 'half' },
  waiting: { word: 'waiting', tone: 'mute', mark: 'wait' },
  overdue: { word: 'overdue', tone: 'bad', mark: 'alert' },
} as const

/**
 * How far a source is on a day; null where nothing is expected of it, its facility being closed all year.
 * @param today `2026-11-22`
 */
export function receivedOf(
  { expected, there, dueOn }: Pick<EmissionSource, 'expected' | 'there' | 'dueOn'>,
  today: string,
): Received | null {
  if (expected === 0) return null
  if (there >= expected) return 'received'
  if (dueOn !== null && dueOn < today) return 'overdue'
  return there > 0 ? 'partly' : 'waiting'
}

/** "Partly, 7 of 12 data points". */
export const receivedWords = (
  received: Received,
  { expected, there }: Pick<EmissionSource, 'expected' | 'there'>,
): string => {
  const { word } = RECEIVED[received]
  const points = expected === 1 ? 'data point' : 'data points'
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}, ${there} of ${expected.toLocaleString()} ${points}`
}
