import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import type { FEED_RUN_LIST } from '#contract/feeds/runs/feed-run-list.ts'
import { AUTO_MAPPING, type FeedRunRow } from '#contract/feeds/runs/feed-runs.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { describeCounts } from './feed-labels.ts'
import { FeedStatus } from './FeedStatus.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Columns with custom cells. */
export const CELLS: Cells<FeedRunRow, keyof typeof FEED_RUN_LIST.fields> = {
  fileName: (run) => (
    <>
      <RunLink run={run} />
      <span className="fc-second">
        <bdi>{run.mappingName ?? AUTO_MAPPING}</bdi>
      </span>
    </>
  ),
  status: ({ status }) => <FeedStatus of={status} />,
  new: (run) => number(run.new),
  changed: (run) => (
    <>
      {number(run.changed)}
      {run.prices > 0 && (
        <span className="fc-second">
          {run.prices.toLocaleString()} {run.prices === 1 ? 'price' : 'prices'}
        </span>
      )}
    </>
  ),
  missing: (run) => number(run.missing),
  refused: (run) => number(run.refused),
  createdAt: ({ createdAt }) => formatAgo(createdAt),
  createdBy: ({ createdBy }) => <bdi>{createdBy ?? 'Automatic'}</bdi>,
  appliedAt: ({ appliedAt }) => (appliedAt === null ? '' : formatAgo(appliedAt)),
}

export const WIDTHS = { fileName: 320, status: 144, new: 72, changed: 88, missing: 80, refused: 80 }

/** A row on a narrow screen. */
export function RunBlock({ run }: { run: FeedRunRow }) {
  return (
    <>
      <div className="fc-block-head">
        <RunLink run={run} />
        <span className="fc-small fc-soft fc-number">{formatAgo(run.createdAt)}</span>
      </div>
      <div className="fc-small fc-faint">
        <bdi>{describeRow(run)}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <FeedStatus of={run.status} />
        <bdi className="fc-soft">{run.createdBy ?? 'Automatic'}</bdi>
      </div>
    </>
  )
}

function RunLink({ run: { id, fileName } }: { run: FeedRunRow }) {
  return (
    <MayOpen for={feedRuns.get}>
      <Link to="/inventory/feeds/$id" params={{ id }} className="fc-name">
        <bdi>{fileName}</bdi>
      </Link>
    </MayOpen>
  )
}

function describeRow(run: FeedRunRow): string {
  const where = [run.sourceName, run.mappingName].find((name) => name !== null) ?? AUTO_MAPPING
  const isRead = !['waiting', 'reading', 'failed'].includes(run.status)
  return isRead ? `${where}: ${describeCounts(run)}` : where
}

function number(value: number): string {
  return value === 0 ? '' : value.toLocaleString()
}
