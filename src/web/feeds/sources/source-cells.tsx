import type { ReactNode } from 'react'
import { type FEED_SOURCE_LIST, isFetched } from '#contract/feeds/sources/feed-source-list.ts'
import type { FeedSource } from '#contract/feeds/sources/feed-sources.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { NextRun } from '#web/ui/remote-servers/NextRun.tsx'
import { formatSchedule } from '#web/ui/remote-servers/schedule.ts'
import { kindName } from './source-kinds.ts'

/** Columns with custom cells. */
export const CELLS: Cells<FeedSource, keyof typeof FEED_SOURCE_LIST.fields> = {
  kind: (source) => (
    <>
      {kindName(source.kind)}
      {isFetched(source.kind) && <span className="fc-second">{formatSchedule(source)}</span>}
    </>
  ),
  isActive: (source) => <Active source={source} />,
  mappingName: ({ mappingName }) =>
    mappingName === null ? <span className="fc-faint">Auto-select</span> : <bdi>{mappingName}</bdi>,
  lastRunAt: ({ lastRunAt }) => (lastRunAt === null ? '' : formatAgo(lastRunAt)),
  nextRunAt: ({ kind, nextRunAt }) => isFetched(kind) && <NextRun at={nextRunAt} isOutgoing />,
  lastProblem: ({ lastProblem }) => <bdi>{lastProblem}</bdi>,
}

export const WIDTHS = { name: 240, isActive: 110, mappingName: 180, lastProblem: 280 }

/** A row on a narrow screen. */
export function showBlock(source: FeedSource, link: ReactNode) {
  return (
    <>
      <div className="fc-block-head">
        {link}
        <span className="fc-small fc-soft">{kindName(source.kind)}</span>
      </div>
      <div className="fc-small fc-faint">
        <bdi>{source.mappingName ?? 'Auto-select mapping'}</bdi> · <bdi>{describeLots(source)}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <Active source={source} />
        <span className="fc-soft">
          {source.lastRunAt === null ? 'Never applied' : `Applied ${formatAgo(source.lastRunAt)}`}
        </span>
      </div>
      {isFetched(source.kind) && (
        <div className="fc-small fc-faint">
          {formatSchedule(source)} · <NextRun at={source.nextRunAt} isOutgoing />
        </div>
      )}
      {source.lastProblem !== null && (
        <div className="fc-small fc-soft">
          <bdi>{source.lastProblem}</bdi>
        </div>
      )}
    </>
  )
}

function Active({ source: { isActive, lastProblem } }: { source: FeedSource }) {
  if (!isActive) {
    return (
      <Status tone="mute" mark="dash">
        Off
      </Status>
    )
  }
  if (lastProblem !== null) {
    return (
      <Status tone="bad" mark="cross">
        Problem
      </Status>
    )
  }
  return (
    <Status tone="good" mark="check">
      On
    </Status>
  )
}

/** "All lots", or how many. */
export function describeLots({ lotIds }: FeedSource): string {
  if (lotIds.length === 0) return 'All lots'
  return lotIds.length === 1 ? '1 lot' : `${lotIds.length.toLocaleString()} lots`
}
