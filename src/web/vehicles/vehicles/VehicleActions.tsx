import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { useMutation } from '#web/api/mutation.ts'
import { queryClient, keyOf, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { nameVehicle } from './vehicle-labels.ts'

const route = getRouteApi('/shell/inventory/vehicle-data/$id')
const removeVehicle = send(vehicles.remove)
const readUses = send(vehicles.uses)
const restoreVehicle = send(vehicles.restore)

/** Edit and delete. Deleting is only asked about if pages or short URLs lead to the vehicle: it can be undone. */
export function VehicleActions({ vehicle }: { vehicle: VehicleRecord }) {
  const navigate = route.useNavigate()
  const { state } = useLocation()
  const { id } = vehicle
  const name = nameVehicle(vehicle)
  const removal = useMutation({ mutationFn: removeVehicle })
  async function remove() {
    const uses = await readUses({ selection: { ids: [id] } }).then(
      (found) => found.uses,
      () => null,
    )
    const text = uses === null ? '' : `Buyers find it by ${uses}. `
    const done = await askToRemove({
      read: vehicles.get,
      shown: vehicle,
      thing: 'this vehicle',
      isQuiet: uses === null,
      question: { title: `Delete ${name}?`, text: `${text}You can undo this.`, confirm: 'Delete vehicle' },
      run: ({ version }) => removal.mutateAsync({ id, version }),
      onRefused: (failure) => {
        showError(failure, `${name} was not deleted`)
        void queryClient.invalidateQueries({ queryKey: [...keyOf(vehicles.get), { id }] })
      },
    })
    if (done === null) return
    await navigate({ to: '/inventory/vehicle-data', search: state.vehiclesSearch ?? {} })
    queryClient.removeQueries({ queryKey: [...keyOf(vehicles.get), { id }] })
    if (done === 'gone') return
    offerUndo({
      text: `${name} deleted`,
      undo: async () => {
        await restoreVehicle({ id })
        await navigate({ to: '/inventory/vehicle-data/$id', params: { id }, search: {} })
      },
    })
  }
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={`More for ${name}`} loading={removal.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItem
            for={vehicles.remove}
            isDestructive
            leftSection={<IconTrash size={16} aria-hidden="true" />}
            onClick={() => void remove()}
          >
            Delete vehicle
          </ActionItem>
        </Menu.Dropdown>
      </Menu>
      <Action
        for={vehicles.update}
        leftSection={<IconPencil size={16} aria-hidden="true" />}
        onClick={() =>
          void navigate({ search: (before) => ({ ...before, drawer: 'edit' as const }), state: true })
        }
      >
        Edit
      </Action>
    </>
  )
}
