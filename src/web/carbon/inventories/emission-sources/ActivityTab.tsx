import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { dataRequests } from '#contract/carbon/activity/data-requests.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { isFrozen } from '#contract/carbon/inventories/inventory-schema.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { ActivityBoard } from '#web/carbon/activity/records/ActivityBoard.tsx'
import { RequestedSources } from '#web/carbon/activity/requests/RequestedSources.tsx'
import { OpenRequests } from '#web/carbon/activity/requests/OpenRequests.tsx'

const route = getRouteApi('/shell/carbon/emission')

/** The activity data of the sources. The open source and data request are in the URL. */
export function ActivityTab({ inventory }: { inventory: Inventory }) {
  const { source, drawer, request: requestId } = route.useSearch()
  const navigate = route.useNavigate()
  const request = useQuery({
    ...query(dataRequests.get, { id: requestId ?? '0' }),
    enabled: requestId !== undefined,
  })
  const asked = requestId === undefined ? null : (request.data ?? null)
  const openSource = (id: string) =>
    void navigate({ search: (before) => ({ ...before, source: id }), ignoreBlocker: true })
  const showAll = () =>
    void navigate({ search: (before) => ({ ...before, request: undefined }), ignoreBlocker: true })
  if (requestId !== undefined && request.isPending) return <Spinner label="Loading the data request" />
  return (
    <>
      {requestId === undefined && <OpenRequests inventoryId={inventory.id} />}
      {request.error && (
        <FailureState
          failure={request.error}
          endpoint={dataRequests.get}
          what="this request"
          onRetry={() => void request.refetch()}
        />
      )}
      {asked && (
        <RequestedSources
          request={asked}
          current={source ?? asked.cells[0]?.sourceId}
          onSource={openSource}
          onShowAll={showAll}
        />
      )}
      <ActivityBoard
        inventoryId={inventory.id}
        isFrozen={isFrozen(inventory.status)}
        only={asked && new Set(asked.cells.map(({ sourceId }) => sourceId))}
        // Opens the first requested source by default.
        source={source ?? asked?.cells[0]?.sourceId}
        // Unsaved changes of a source stay in the browser storage, so navigation isn't blocked.
        isImporting={drawer === 'import'}
        onImport={(isOpen) =>
          void navigate({
            search: (before) => ({ ...before, drawer: isOpen ? ('import' as const) : undefined }),
            ignoreBlocker: true,
          })
        }
        onSource={openSource}
      />
    </>
  )
}
