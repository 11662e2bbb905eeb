import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { dataRequests } from '#contract/carbon/activity/data-requests.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { query } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './requests.css'

/** The signed-in user's open data requests, each with a link to its sources. Renders nothing if there are none. */
export function OpenRequests({ inventoryId }: { inventoryId?: string }) {
  const { data = [] } = useQuery(query(dataRequests.mine, {}))
  const shown = data.filter((one) => inventoryId === undefined || one.inventoryId === inventoryId)
  if (shown.length === 0) return null
  return (
    <ul className="fc-asked-lines" aria-label="Requested from you">
      {shown.map(({ requestId, inventoryId: inventory, inventoryName, unanswered, dueOn }) => (
        <li key={requestId}>
          <IconMail size={16} aria-hidden="true" />
          <Link
            to="/carbon/emission"
            search={{ inventory, tab: 'activity', request: requestId }}
            ignoreBlocker={inventoryId !== undefined}
          >
            <bdi>
              Requested from you: {count(unanswered, 'source', 'sources')} without data in {inventoryName}
              {dueOn !== null && `, due ${writeDay(dueOn)}`}
            </bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
