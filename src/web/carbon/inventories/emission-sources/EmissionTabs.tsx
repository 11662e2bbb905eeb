import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { activities } from '#contract/carbon/activity/activity.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { isFrozen } from '#contract/carbon/inventories/inventory-schema.ts'
import { OPEN_ITEM_KINDS } from '#contract/carbon/results/open-items.ts'
import type { Permission } from '#contract/permissions.ts'
import { query } from '#web/api/query.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { OpenRequests } from '#web/carbon/activity/requests/OpenRequests.tsx'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { ActivityTab } from './ActivityTab.tsx'
import { AssignmentsTab } from './AssignmentsTab.tsx'
import { OpenItemList } from './OpenItemList.tsx'
import { useAssignmentDraft } from './use-assignment-draft.ts'
import '#web/ui/record/record-page.css'
import { ReviewBoard } from '#web/carbon/review/ReviewBoard.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/carbon/emission')

/** The review of submitted records. The filter, all or flagged, is in the URL. */
function ReviewTab({ inventory }: { inventory: Inventory }) {
  const { show } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <ReviewBoard
      inventoryId={inventory.id}
      isFrozen={isFrozen(inventory.status)}
      isUnusualOnly={show === 'unusual'}
      onUnusualOnly={(isOnly) =>
        void navigate({
          search: (before) => ({ ...before, show: isOnly ? ('unusual' as const) : undefined }),
          ignoreBlocker: true,
        })
      }
    />
  )
}

const ImportedBoard = lazy(async () => ({
  default: (await import('#web/carbon/activity/imported/ImportedBoard.tsx')).ImportedBoard,
}))

type EmissionTab = 'assignments' | 'activity' | 'review' | 'imported'

type Props = { inventory: Inventory; tab: EmissionTab }

/** A tab is offered to those who may read what it shows. */
const TABS: readonly { value: EmissionTab; label: string; needs: Permission | null }[] = [
  { value: 'assignments', label: 'Assignments', needs: null },
  { value: 'activity', label: 'Activity data', needs: activities.list.allow },
  { value: 'review', label: 'Review', needs: activities.list.allow },
  { value: 'imported', label: 'Imported totals', needs: importedTotals.list.allow },
]

/** The tabs of the step. They share one draft of assignments. */
export function EmissionTabs({ inventory, tab }: Props) {
  const { show, facility } = route.useSearch()
  const kind = OPEN_ITEM_KINDS.find((one) => one === show)
  const { claims } = useSession()
  const holds = useHolds()
  const draft = useAssignmentDraft(claims?.userId ?? '', inventory.id, !isFrozen(inventory.status))
  const sources = useLoad(query(carbonAssignments.sources, { inventory: inventory.id }))
  const facilities = useLoad(query(carbonAssignments.facilities, { inventory: inventory.id }))
  return (
    <div className="fc-emission">
      <nav className="fc-tabs" aria-label="Emission step sections">
        {TABS.filter(({ needs }) => needs === null || holds(needs) !== false).map(({ value, label }) => (
          <Link
            key={value}
            from="/carbon/emission"
            to="/carbon/emission"
            search={(before) => ({ ...before, tab: value, show: undefined, facility: undefined })}
            ignoreBlocker
            {...(value === tab && { 'aria-current': 'page' as const })}
          >
            {label}
          </Link>
        ))}
      </nav>
      {kind !== undefined && <OpenItemList inventoryId={inventory.id} kind={kind} facilityId={facility} />}
      {tab !== 'activity' && <OpenRequests inventoryId={inventory.id} />}
      {tab === 'assignments' && (
        <Loaded query={both(sources, facilities)} what="the assignments" shape="spinner">
          {([assigned, places]) => (
            <AssignmentsTab
              inventory={inventory}
              facilities={places.filter(({ choice }) => choice === 'included')}
              sources={assigned}
              draft={draft}
            />
          )}
        </Loaded>
      )}
      {tab === 'activity' && <ActivityTab inventory={inventory} />}
      {tab === 'review' && <ReviewTab inventory={inventory} />}
      <Suspense fallback={<Spinner label="Loading the imported totals" />}>
        {tab === 'imported' && <ImportedBoard inventory={inventory} />}
      </Suspense>
    </div>
  )
}
