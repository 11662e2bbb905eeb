import { FEED_RUN_LIST } from '#contract/feeds/runs/feed-run-list.ts'
import type { FeedRunRow } from '#contract/feeds/runs/feed-runs.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const NAMES = new Map<string, string>(
  FEED_RUN_LIST.fields.status.choices?.map(({ value, label }) => [value, label]),
)

const LOOKS = {
  waiting: { tone: 'warn', mark: 'quarter' },
  reading: { tone: 'info', mark: 'half' },
  ready: { tone: 'info', mark: 'quarter' },
  review: { tone: 'warn', mark: 'pause' },
  applying: { tone: 'info', mark: 'half' },
  applied: { tone: 'good', mark: 'check' },
  canceled: { tone: 'mute', mark: 'dash' },
  failed: { tone: 'bad', mark: 'cross' },
  undoing: { tone: 'info', mark: 'half' },
  undone: { tone: 'mute', mark: 'dash' },
} as const satisfies Record<FeedRunRow['status'], unknown>

/** The status of a run. */
export function FeedStatus({ of, isPill = false }: { of: FeedRunRow['status']; isPill?: boolean }) {
  return (
    <Status {...LOOKS[of]} isPill={isPill}>
      {NAMES.get(of) ?? of}
    </Status>
  )
}
