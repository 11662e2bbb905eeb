/** The statuses that a feed can give a vehicle. Only `live` puts it up for sale. */
export const FEED_STATUSES = ['live', 'incoming', 'hold', 'pending', 'sold', 'wholesale', 'archived'] as const
export type FeedStatus = (typeof FEED_STATUSES)[number]

/** The statuses of vehicles that are gone: a feed never adds such a vehicle. */
export const GONE_STATUSES: readonly FeedStatus[] = ['sold', 'wholesale', 'archived']

/** The reason stored with a status that a feed gave. Only a feed's status is changed by a feed again. */
export const FEED_STATUS_REASON = 'Status in the feed'

/** Common spellings, and the words of our own exports, so that a file that we wrote puts nothing on sale again. The first match wins, so "Sale pending" is checked before "Sale". */
const SPELLINGS: readonly (readonly [FeedStatus, RegExp])[] = [
  [
    'live',
    /^(live|active|available|stock|in[ -]?stock|instock|on (the )?lot|at dealer|front ?line.*|retail|for sale|listed|published|ready( for sale)?|not sold|unsold|current|a)$/,
  ],
  ['wholesale', /whole ?sale|^auction|^to auction|^ws$|^w$/],
  ['pending', /pending|deposit|reserved|under contract|contract in|^deal|spoken for|^p$/],
  ['sold', /^(sold.*|retailed|delivered|s|out of stock|verkauft|vendu|vendido)$/],
  [
    'hold',
    /hold|^preparing|unavailable|not available|in ?(service|recon)|reconditioning|do not (sell|list)|^h$/,
  ],
  [
    'incoming',
    /transit|incoming|inbound|on order|ordered|allocat|to port|to dealer|at port|in production|scheduled|coming soon/,
  ],
  ['archived', /^(archived?|deleted|removed( by feed)?|inactive|expired)$/],
]

/** How a column named `sold` is read: it has a flag, and its values mean nothing elsewhere. */
export const SOLD_FLAGS = ['1', 'y', 'yes', 't', 'true', 'x']
  .map((from) => ({ from, to: 'sold' }))
  .concat(['0', 'n', 'no', 'f', 'false'].map((from) => ({ from, to: 'live' })))

/** The status that a feed's text means; null if it is none that we know. */
export function readFeedStatus(text: string): FeedStatus | null {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
  return SPELLINGS.find(([, spelling]) => spelling.test(words))?.[0] ?? null
}
