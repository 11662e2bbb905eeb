import { z } from 'zod'
import { FEED_STATUSES } from './feed-status.ts'

/** What can be answered to each kind of question, first the answer that changes nothing. */
export const FEED_ANSWERS = {
  /** A word of the status column that isn't known: the status it means, or none. */
  status: ['none', ...FEED_STATUSES],
  /** The status column has more unknown words than can be asked about. */
  statusColumn: ['ignore'],
  /** A column with dates that may be two days each, and none that is clear. */
  date: ['us', 'eu'],
  /** The only column with amounts has a name that may mean the MSRP. */
  price: ['price', 'msrp', 'both'],
  /** A column has the prices that buyers see today: prices before rules and fees, or those total prices. */
  total: ['base', 'total'],
  /** Vehicles are in stock on another lot than the one of their row: they stay there, or move. */
  otherLot: ['leave', 'move'],
  /** Stock numbers of rows without a VIN are those of vehicles on another lot: the same vehicles, or other ones. */
  otherStock: ['leave', 'move', 'add'],
  /** A stock number is in stock on the lot with another year, make or VIN. */
  sameStock: ['leave', 'same', 'add'],
  /** Rows give vehicles the stock numbers of other vehicles in stock on their lot. */
  takenStock: ['leave', 'take'],
  /** Rows with a stock number that isn't known, and with nothing else that names a vehicle: a list of prices has a typing error. */
  newStock: ['leave', 'add'],
  /** Vehicles that were removed are in a file that has no status, and that isn't from the source that removed them. */
  comeBack: ['leave', 'back'],
  /** A file that a person brings has another status for vehicles than they have here, which its rows don't change by themselves. */
  keptStatus: ['leave', 'takeStatus'],
  /** A source has its vehicles on another of its lots than the one that they are on. */
  feedLot: ['leave', 'toLot'],
} as const
export type FeedQuestionKind = keyof typeof FEED_ANSWERS

/** What is asked about vehicles: the key is the kind of the question. */
export const VEHICLE_KEYS = [
  'otherLot',
  'otherStock',
  'sameStock',
  'takenStock',
  'newStock',
  'comeBack',
  'keptStatus',
  'feedLot',
] as const satisfies readonly FeedQuestionKind[]

const KINDS = ['status', 'statusColumn', 'date', 'price', 'total', ...VEHICLE_KEYS] as const

/** Something that only a person knows about a file. It is asked once; the answer is used for the next files of the same source. */
export const FeedQuestion = z.object({
  key: z.string(),
  kind: z.enum(KINDS),
  /** The columns that it is about. */
  column: z.string(),
  /** The unknown word, the first date that may be two days, or the first vehicle. */
  value: z.string(),
  rows: z.number().int(),
})
export type FeedQuestion = z.infer<typeof FeedQuestion>

/** Answers by the key of their question. */
export const FeedAnswers = z.record(z.string().max(450), z.string().max(20))
export type FeedAnswers = z.infer<typeof FeedAnswers>

/** Why a run can't be applied yet. */
export const ASKS_FIRST = 'Answer the questions about this file first.'
