import type { DataRequest, RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { findSourceType } from '#contract/carbon/inventories/source-types.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'

const DAY_MS = 86_400_000
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** "2 hr. ago" within a day, then "yesterday", "3 days ago". */
export function agoWords(instant: string, now = new Date()): string {
  const days = Math.floor((now.getTime() - Date.parse(instant)) / DAY_MS)
  return days < 1 ? formatAgo(instant, now) : relative.format(-days, 'day')
}

/** "Electricity at Auburn Boulevard". */
export const placeWords = ({
  sourceType,
  facilityName,
}: Pick<RequestCell, 'sourceType' | 'facilityName'>): string =>
  `${findSourceType(sourceType)?.title ?? sourceType} at ${facilityName}`

/** What stands in a cell of the matrix of who was asked; null where nobody was, and somebody can be. */
export function askedWords({ asked, problem, personId }: RequestCell, now = new Date()): string | null {
  if (asked === null) return problem === null || personId === null ? null : 'Cannot be asked'
  if (asked.answeredAt !== null) return `Answered ${agoWords(asked.answeredAt, now)}`
  const last =
    asked.remindedAt === null
      ? `Asked ${agoWords(asked.askedAt, now)}`
      : `Reminded ${agoWords(asked.remindedAt, now)}`
  return `${last}, ${asked.mailState === 'failed' ? 'its mail failed' : 'no data yet'}`
}

/** They were asked, and entered nothing since. */
export const isOverdueForReminder = ({ asked }: RequestCell): boolean =>
  asked !== null && asked.answeredAt === null

/** "Asked of you: 3 sources, due 12 Dec 2026". */
export function requestTitle({ isMine, personName, cells }: DataRequest): string {
  const [due] = cells.flatMap(({ dueOn }) => dueOn ?? []).toSorted()
  const rows = count(cells.length, 'source', 'sources')
  return `Asked of ${isMine ? 'you' : personName}: ${rows}${due === undefined ? '' : `, due ${writeDay(due)}`}`
}

/** Names a press, so that one that arrives twice is heard once. */
export const newBatchKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
