import { PAGE_STATUSES, type PromoPage } from '#contract/marketing/pages/promo-pages.ts'
import { labelOf } from '#contract/record.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const LOOKS = {
  draft: { tone: 'mute', mark: 'wait' },
  published: { tone: 'good', mark: 'check' },
  scheduled: { tone: 'info', mark: 'wait' },
  ended: { tone: 'mute', mark: 'dash' },
  unpublished: { tone: 'mute', mark: 'pause' },
} as const

/** What visitors get of a page. */
export function PageStatus({ status, isPill = false }: Pick<PromoPage, 'status'> & { isPill?: boolean }) {
  return (
    <Status {...LOOKS[status]} isPill={isPill}>
      {labelOf(PAGE_STATUSES, status)}
    </Status>
  )
}
