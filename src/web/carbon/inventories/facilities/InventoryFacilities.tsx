import { IconBuildingWarehouse, IconChecks } from '@tabler/icons-react'
import { carbonAssignments, type InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { frozenBecause } from '../inventory-labels.ts'
import { reloadInventory } from '../wizard/invalidate-inventories.ts'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import { FacilityChoice } from './FacilityChoice.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const chooseFacilities = send(carbonAssignments.choose)
type Choices = Parameters<typeof chooseFacilities>[0]['choices']

/** The facilities of the organization: which are included in the inventory, at what percentage and why. */
export function InventoryFacilities({ inventory }: { inventory: Inventory }) {
  const { id: inventoryId } = inventory
  const frozen = frozenBecause(inventory)
  const { include, exclude, isPending: isChoosing } = useFacilityChoices(inventoryId)

  return (
    <Loaded
      query={query(carbonAssignments.facilities, { inventory: inventoryId })}
      what="the facilities"
      shape="spinner"
    >
      {(data) => {
        if (data.length === 0) {
          return (
            <EmptyState
              tone="brand"
              icon={<IconBuildingWarehouse size={18} />}
              title="No facilities yet"
              text="Facilities belong to the organization. Add them there with their location, ownership and control."
            >
              <Link to="/organizations/facility" search={{ organization: inventory.organizationId }}>
                Go to organization
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
                  {data.filter(({ choice }) => choice === 'included').length.toLocaleString()} of{' '}
                  {count(data.length, 'facility', 'facilities')} included
                </bdi>
              </span>
              {undecided.length > 0 && (
                <Action
                  for={carbonAssignments.choose}
                  lock={frozen}
                  loading={isChoosing}
                  leftSection={<IconChecks size={16} aria-hidden="true" />}
                  onClick={() => void include(undecided).catch(ignoreShown)}
                >
                  Include all in boundary ({undecided.length})
                </Action>
              )}
            </div>
            <div className="fc-carbon-frame">
              <table className="fc-carbon-table" aria-label="Facilities">
                <thead>
                  <tr>
                    <th scope="col">Facility</th>
                    <th scope="col">Inclusion</th>
                    <th scope="col">Status</th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((facility) => (
                    <FacilityChoice
                      key={facility.id}
                      facility={facility}
                      lock={frozen}
                      onInclude={() => void include([facility]).catch(ignoreShown)}
                      onExclude={() => void exclude(facility).catch(ignoreShown)}
                    />
                  ))}
                </tbody>
              </table>
            </div>
            {inventory.facilities > 0 && (
              <p className="fc-wizard-next fc-small">
                <Link to="/carbon/emission" search={{ inventory: inventoryId }}>
                  Continue to Emission
                </Link>
              </p>
            )}
          </section>
        )
      }}
    </Loaded>
  )
}

/** Includes and excludes facilities. Rejected calls are shown and thrown. */
function useFacilityChoices(inventoryId: string) {
  const choose = useMutation({
    mutationFn: (choices: Choices) => chooseFacilities({ inventoryId, choices }),
    onError: (failure) => {
      showError(failure)
      void reloadInventory()
    },
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
    const excluded = await askFor<object>('Exclude facility', (answer) => (
      <ReasonForm
        max={500}
        missing="Enter a reason."
        text={`${name} won't count in this inventory. The reason is shown in reports. Its assignments are kept in case you include it again.`}
        confirm="Exclude facility"
        endpoint={carbonAssignments.choose}
        about={`${inventoryId}/${id}`}
        send={(reason) =>
          chooseFacilities({
            inventoryId,
            choices: [{ facilityId: id, choice: 'excluded', reason, ...(version !== null && { version }) }],
          })
        }
        onRefused={() => void reloadInventory()}
        onAnswer={answer}
      />
    ))
    if (excluded === null) return undefined
    if (choice !== 'included') return toast('Excluded', name)
    offerUndo({
      text: `${name} excluded`,
      undo: () => choose.mutateAsync([{ facilityId: id, choice: 'included' }]),
    })
  }

  return { include, exclude, isPending: choose.isPending }
}

/** The mutation's `onError` has already shown the failure. */
const ignoreShown = () => {}

const counts = ({ percent }: InventoryFacility['spans'][number]) => percent === null || Number(percent) > 0
