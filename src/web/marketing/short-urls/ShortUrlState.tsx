import { SHORT_URL_STATUSES, type ShortUrlStatus } from '#contract/marketing/short-urls/short-urls.ts'
import { labelOf } from '#contract/record.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const LOOKS = {
  active: { tone: 'good', mark: 'check' },
  expired: { tone: 'mute', mark: 'dash' },
  usedUp: { tone: 'mute', mark: 'dash' },
  sold: { tone: 'info', mark: 'half' },
  unpublished: { tone: 'warn', mark: 'alert' },
  closed: { tone: 'warn', mark: 'alert' },
  notShown: { tone: 'warn', mark: 'alert' },
  missing: { tone: 'bad', mark: 'cross' },
} as const

/** Whether a short URL leads where it should, and if not, why. */
export function ShortUrlState({ status, isPill = false }: { status: ShortUrlStatus; isPill?: boolean }) {
  return (
    <Status {...LOOKS[status]} isPill={isPill}>
      {labelOf(SHORT_URL_STATUSES, status)}
    </Status>
  )
}
