/** A feed of the demo world, as its customer set it up. */
export type DemoFeed = Readonly<{
  /** Of the source. */
  name: string
  /** Sent to an address of the product by a machine, or attached to a mail. */
  kind: 'api' | 'mail'
  senders?: readonly string[]
  /** By its name among the customer's provider mappings. */
  mapping: string
  shape: 'homenet' | 'vauto' | 'marketcheck' | 'edealer'
  /** `{day}` is the day it was made. */
  fileName: string
  /** The lots that it brings vehicles of, by their codes. */
  lots: readonly string[]
  /** The provider's number of a dealer who is none of the customer's, and whose vehicles came along. */
  stranger?: string
}>

const HOUR = 3_600_000

/** When the three files of each feed came, in hours before now, and what the nights are told apart by. */
const NIGHTS = [541, 205, 13] as const
export const LAST_NIGHT = NIGHTS.length - 1

/** The three nights, the oldest first. `minutes`: providers do not come all at once. */
export function nightsBefore(now: Date, minutes: number): Date[] {
  return NIGHTS.map((hours) => new Date(now.getTime() - hours * HOUR + minutes * 60_000))
}
