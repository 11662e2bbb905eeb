import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dataRequests } from '#contract/carbon/activity/data-requests.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { query } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import './requests.css'

/** What waits for the person who is signed in, each a way to just those sources. Nothing where nothing does. */
export function OpenRequests({ inventoryId }: { inventoryId?: string }) {
  const { data = [] } = useQuery(query(dataRequests.mine, {}))
  const shown = data.filter((one) => inventoryId === undefined || one.inventoryId === inventoryId)
  if (shown.length === 0) return null
  return (
    <ul className="fc-asked-lines" aria-label="Asked of you">
      {shown.map(({ requestId, inventoryId: inventory, inventoryName, silent, dueOn }) => (
        <li key={requestId}>
          <IconMail size={16} aria-hidden="true" />
          <Link
            to="/carbon/emission"
            search={{ inventory, tab: 'activity', request: requestId }}
            ignoreBlocker={inventoryId !== undefined}
          >
            <bdi>
              Asked of you: {count(silent, 'source', 'sources')} of {inventoryName}
              {dueOn !== null && `, due ${writeDay(dueOn)}`}
            </bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
