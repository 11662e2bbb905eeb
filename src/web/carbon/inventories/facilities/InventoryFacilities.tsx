import { IconBuildingWarehouse, IconChecks } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { carbonAssignments, type InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { frozenBecause } from '../inventory-labels.ts'
import { invalidateInventory } from '../wizard/invalidate-inventories.ts'
import { ReasonForm } from '../wizard/ReasonForm.tsx'
import { FacilityChoice } from './FacilityChoice.tsx'

const chooseFacilities = send(carbonAssignments.choose)
type Choices = Parameters<typeof chooseFacilities>[0]['choices']

/** Which facilities count, how much of each and why, in the period and boundary of the inventory. */
export function InventoryFacilities({ inventory }: { inventory: Inventory }) {
  const { id: inventoryId } = inventory
  const { data, error, isPending, refetch } = useQuery(
    query(carbonAssignments.facilities, { inventory: inventoryId }),
  )
  const frozen = frozenBecause(inventory)
  const choose = useMutation({
    mutationFn: (choices: Choices) => chooseFacilities({ inventoryId, choices }),
    onError: (failure) => {
      showError(failure)
      void invalidateInventory()
    },
    onSuccess: invalidateInventory,
  })

  async function include(facilities: readonly InventoryFacility[]) {
    await choose.mutateAsync(
      facilities.map(({ id, version }) => ({
        facilityId: id,
        choice: 'included',
        ...(version !== null && { version }),
      })),
    )
    const [first] = facilities
    toast(
      'Included',
      facilities.length === 1 ? first?.name : count(facilities.length, 'facility', 'facilities'),
    )
  }

  async function exclude({ id, name, version, choice }: InventoryFacility) {
    const reason = await askFor<string>('Exclude facility', (answer) => (
      <ReasonForm
        text={`${name} does not count in this inventory. The reason is printed with it; what is assigned there waits.`}
        confirm="Exclude facility"
        onAnswer={answer}
      />
    ))
    if (reason === null) return
    await choose.mutateAsync([
      { facilityId: id, choice: 'excluded', reason, ...(version !== null && { version }) },
    ])
    if (choice !== 'included') return toast('Excluded', name)
    offerUndo({
      text: `${name} is excluded`,
      undo: () => choose.mutateAsync([{ facilityId: id, choice: 'included' }]),
    })
  }

  if (error && !data) {
    return (
      <FailureState
        failure={error}
        endpoint={carbonAssignments.facilities}
        what="the facilities"
        onRetry={() => void refetch()}
      />
    )
  }
  if (isPending) return <Spinner label="Loading the facilities" />
  if (data.length === 0) {
    return (
      <EmptyState
        tone="brand"
        icon={<IconBuildingWarehouse size={18} />}
        title="No facilities yet"
        text="Facilities are kept with the organization: what consumes energy, where, and who owned and controlled it when."
      >
        <Link to="/organizations/facility" search={{ organization: inventory.organizationId }}>
          Go to the organization
        </Link>
      </EmptyState>
    )
  }
  const undecided = data.filter(({ choice, spans }) => choice === null && spans.some(counts))
  return (
    <section className="fc-carbon-section" aria-label="Facilities of the inventory">
      {frozen && <Notice>{frozen}</Notice>}
      <div className="fc-toolbar">
        <span className="fc-grow fc-small fc-soft">
          <bdi>
            {count(data.filter(({ choice }) => choice === 'included').length, 'facility', 'facilities')} of{' '}
            {data.length.toLocaleString()} in it
          </bdi>
        </span>
        {undecided.length > 0 && (
          <Action
            for={carbonAssignments.choose}
            lock={frozen}
            loading={choose.isPending}
            leftSection={<IconChecks size={16} aria-hidden="true" />}
            onClick={() => void include(undecided).catch(ignoreTold)}
          >
            Include all that count ({undecided.length})
          </Action>
        )}
      </div>
      <div className="fc-carbon-frame">
        <table className="fc-carbon-table" aria-label="Facilities">
          <thead>
            <tr>
              <th scope="col">Facility</th>
              <th scope="col">Counts</th>
              <th scope="col">In this inventory</th>
            </tr>
          </thead>
          <tbody>
            {data.map((facility) => (
              <FacilityChoice
                key={facility.id}
                facility={facility}
                lock={frozen}
                onInclude={() => void include([facility]).catch(ignoreTold)}
                onExclude={() => void exclude(facility).catch(ignoreTold)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {inventory.facilities > 0 && (
        <p className="fc-wizard-next fc-small">
          <Link to="/carbon/emission" search={{ inventory: inventoryId }}>
            Continue with emission
          </Link>
        </p>
      )}
    </section>
  )
}

/** `onError` of the mutation has said it already. */
const ignoreTold = () => {}

const counts = ({ percent }: InventoryFacility['spans'][number]) => percent === null || Number(percent) > 0
