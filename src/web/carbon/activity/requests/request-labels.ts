import type { DataRequest, RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'

const DAY_MS = 86_400_000
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** "2 hr. ago" within a day, then "yesterday", "3 days ago". */
export function formatAge(instant: string, now = new Date()): string {
  const days = Math.floor((now.getTime() - Date.parse(instant)) / DAY_MS)
  return days < 1 ? formatAgo(instant, now) : relative.format(-days, 'day')
}

/** "Electricity at Auburn Boulevard". */
export const describeSource = (
  cell: Pick<RequestCell, 'sourceType' | 'sourceName' | 'sourceLabel' | 'facilityName'>,
): string => `${sourceTitle(cell)} at ${cell.facilityName}`

/** The data request status of a matrix cell; null if nothing was requested yet and a request is possible. */
export function requestStatus({ asked, problem, dataOwnerId }: RequestCell, now = new Date()): string | null {
  if (asked === null) return problem === null || dataOwnerId === null ? null : "Can't request data"
  if (asked.answeredAt !== null) return `Answered ${formatAge(asked.answeredAt, now)}`
  const last =
    asked.remindedAt === null
      ? `Requested ${formatAge(asked.requestedAt, now)}`
      : `Reminded ${formatAge(asked.remindedAt, now)}`
  return `${last}, ${asked.mailState === 'failed' ? 'email failed' : 'not answered yet'}`
}

/** Data was requested, and none has been entered since. */
export const isUnanswered = ({ asked }: RequestCell): boolean => asked !== null && asked.answeredAt === null

/** "Requested from you: 3 sources, due Dec 12, 2026". */
export function requestTitle({ isMine, dataOwnerName, cells }: DataRequest): string {
  const [due] = cells.flatMap(({ dueOn }) => dueOn ?? []).toSorted()
  const rows = count(cells.length, 'source', 'sources')
  return `Requested from ${isMine ? 'you' : dataOwnerName}: ${rows}${due === undefined ? '' : `, due ${writeDay(due)}`}`
}

/** A key for one press of Send, so that a request that arrives twice is sent only once. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
