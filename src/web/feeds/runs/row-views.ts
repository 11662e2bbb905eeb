import type { FeedRow, FeedRun } from '#contract/feeds/runs/feed-runs.ts'

/** The values of the `rows` URL parameter. */
export const ROW_VIEWS = [
  'prices',
  'mileages',
  'lostPrices',
  'unknownStatuses',
  'keptStatuses',
  'new',
  'changed',
  'missing',
  'refused',
  'leftOut',
  'skipped',
  'notUndone',
] as const
type Key = (typeof ROW_VIEWS)[number]

type RowView = Readonly<{
  key: Key
  title: string
  total: number
  kind?: FeedRow['kind']
  state?: FeedRow['state']
  asks?: 'price' | 'mileage' | 'lostPrice' | 'status' | 'keptStatus'
}>

/** The tabs of a run. Prices to decide, left-out, skipped and not-undone rows have a tab only if there are any. */
export function viewsOf(run: FeedRun): [RowView, ...RowView[]] {
  const views: [RowView, ...RowView[]] = [
    { key: 'new', title: 'New', total: run.new, kind: 'new' },
    { key: 'changed', title: 'Changed', total: run.changed, kind: 'changed' },
    { key: 'missing', title: 'Missing', total: run.missing, kind: 'missing' },
    { key: 'refused', title: 'Rejected', total: run.refused, kind: 'refused' },
  ]
  const { total, open } = run.priceQuestions
  // After a later file it is not known that anyone decided.
  const none = run.appliedAt === null ? 'Prices decided' : 'Held prices'
  const title = open > 0 ? 'Prices to decide' : none
  if (total > 0) views.push({ key: 'prices', title, total, asks: 'price' })
  const { total: mileages } = run.mileageQuestions
  if (mileages > 0) views.push({ key: 'mileages', title: 'Lower mileage', total: mileages, asks: 'mileage' })
  const { lostPrices: lost } = run
  if (lost > 0) views.push({ key: 'lostPrices', title: 'Price lost', total: lost, asks: 'lostPrice' })
  const { unknownStatuses: words } = run
  if (words > 0) views.push({ key: 'unknownStatuses', title: 'Unknown status', total: words, asks: 'status' })
  const { keptStatuses: kept } = run
  if (kept > 0) views.push({ key: 'keptStatuses', title: 'Status kept', total: kept, asks: 'keptStatus' })
  if (run.leftOut > 0) {
    views.push({ key: 'leftOut', title: 'Left out', total: run.leftOut, kind: 'leftOut' })
  }
  if (run.skipped > 0) {
    views.push({ key: 'skipped', title: 'Skipped', total: run.skipped, state: 'skipped' })
  }
  if (run.notUndone > 0)
    views.push({ key: 'notUndone', title: 'Not undone', total: run.notUndone, state: 'notUndone' })
  return views
}
