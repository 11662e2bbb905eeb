/** The statuses that a feed can give a vehicle. Only `live` puts it up for sale. */
export const FEED_STATUSES = [
  'live',
  'incoming',
  'preparing',
  'hold',
  'pending',
  'sold',
  'wholesale',
  'archived',
] as const
export type FeedStatus = (typeof FEED_STATUSES)[number]

/** The statuses of vehicles that are gone: a feed never adds such a vehicle. */
export const GONE_STATUSES: readonly FeedStatus[] = ['sold', 'wholesale', 'archived']

/** The reason stored with a status that a feed gave. Only a feed's status is changed by a feed again. */
export const FEED_STATUS_REASON = 'Status in the feed'

/** What is said of a vehicle that keeps its status although its file has another one. */
export const KEPT_STATUS = 'which a person gave it. The file has'

/** Common spellings, and the words of our own exports, so that a file that we wrote puts nothing on sale again. The first match wins, so "Sale pending" is checked before "Sale". */
const SPELLINGS: readonly (readonly [FeedStatus, RegExp])[] = [
  [
    'live',
    /^(live|active|available|stock|in[ -]?stock|instock|on (the )?lot|at dealer|front ?line.*|retail|for sale|listed|published|ready( for sale)?|not sold|unsold|current|a)$/,
  ],
  ['wholesale', /whole ?sale|^auction|^to auction|^ws$|^w$/],
  ['pending', /pending|deposit|reserved|under contract|contract in|^deal|spoken for|^p$/],
  ['sold', /^(sold.*|retailed|delivered|s|out of stock|verkauft|vendu|vendido)$/],
  ['preparing', /^preparing$/],
  ['hold', /hold|unavailable|not available|in ?(service|recon)|reconditioning|do not (sell|list)|^h$/],
  [
    'incoming',
    /transit|incoming|inbound|on order|ordered|allocat|to port|to dealer|at port|in production|scheduled|coming soon/,
  ],
  ['archived', /^(archived?|deleted|removed( by feed)?|inactive|expired)$/],
]

/** The status that a feed's text means; null if it is none that we know. */
export function readFeedStatus(text: string): FeedStatus | null {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
  return SPELLINGS.find(([, spelling]) => spelling.test(words))?.[0] ?? null
}

/** Whether a column has a flag or a date of sale: `Sold`, `IsSold`, `Pre-Sold`, `Sold Date`. */
export const isSoldColumn = (column: string): boolean =>
  /(^|vehicle|unit)(is|pre|has|date)?sold(flag|yn|status|date|on|at|ind|indicator)?$/.test(
    column.toLowerCase().replaceAll(/[^a-z]/g, ''),
  )

const YES = /^(1|y|yes|t|true|x)$/i
const NO = /^(0|n|no|f|false)$/i
const NOTHING = /^(-+|n\/?a|none|null|undefined|\.+|0{1,4}[-/.]0{1,2}[-/.]0{1,4}.*)$/i

/** The status that a text of a column means: a flag of a column named `sold`, or a word. `blank`: it says nothing. Null: not known. */
export function readStatusOf(column: string, text: string): FeedStatus | 'blank' | null {
  const trimmed = text.trim()
  if (isSoldColumn(column)) {
    if (NO.test(trimmed)) return 'live'
    // A day on which it was sold says that it is.
    if (!NOTHING.test(trimmed) && (YES.test(trimmed) || /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(trimmed)))
      return 'sold'
  }
  return readFeedStatus(trimmed) ?? (NOTHING.test(trimmed) ? 'blank' : null)
}

/** From the one that keeps a vehicle from sale most, to the one that puts it on sale. */
const STRICTEST: readonly FeedStatus[] = [
  'sold',
  'wholesale',
  'archived',
  'hold',
  'pending',
  'preparing',
  'incoming',
  'live',
]

/** Of the statuses of several columns, the one that keeps a vehicle from sale most. */
export const strictestOf = (one: FeedStatus | null, other: FeedStatus): FeedStatus =>
  one === null || STRICTEST.indexOf(other) < STRICTEST.indexOf(one) ? other : one
