/** The settings of a demo feed. */
export type DemoFeed = Readonly<{
  /** The name of the feed source. */
  name: string
  /** Uploaded by API or attached to an email. */
  kind: 'api' | 'mail'
  senders?: readonly string[]
  /** The name of the provider mapping. */
  mapping: string
  shape: 'homenet' | 'vauto' | 'marketcheck' | 'edealer'
  /** `{day}` is the date of the file. */
  fileName: string
  /** The codes of the lots in the feed. */
  lots: readonly string[]
  /** A dealer ID in the feed that isn't linked to a lot of the customer. */
  stranger?: string
}>

const HOUR = 3_600_000

/** The times of the three files of each feed, in hours before now. Their indexes identify the nights. */
const NIGHTS = [541, 205, 13] as const
export const LAST_NIGHT = NIGHTS.length - 1

/** The three nights, oldest first. `minutes`: an offset, because providers don't all deliver at the same time. */
export function nightsBefore(now: Date, minutes: number): Date[] {
  return NIGHTS.map((hours) => new Date(now.getTime() - hours * HOUR + minutes * 60_000))
}
