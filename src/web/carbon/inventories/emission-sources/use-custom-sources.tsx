import { useQuery } from '@tanstack/react-query'
import { type CustomSource, customSources } from '#contract/carbon/inventories/custom-sources.ts'
import type { InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import { CallFailure } from '#web/api/failure.ts'
import { query, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { CustomSourceForm } from './CustomSourceForm.tsx'

const removeSource = send(customSources.remove)
const restoreSource = send(customSources.restore)

type Scope = { inventoryId: string; facilities: readonly InventoryFacility[] }

/** The custom sources of an inventory's organization, and the dialogs that add, change and remove them. */
export function useCustomSources({ inventoryId, facilities }: Scope) {
  const { data, error, refetch } = useQuery(query(customSources.list, { inventory: inventoryId }))

  async function openForm(source: CustomSource | null): Promise<void> {
    const saved = await askFor<CustomSource>(
      source === null ? 'New source' : `Edit ${source.name}`,
      (onAnswer) => (
        <CustomSourceForm
          source={source}
          inventoryId={inventoryId}
          facilities={facilities}
          onAnswer={onAnswer}
        />
      ),
    )
    if (saved === null) return
    toast(source === null ? 'Source added' : 'Source saved', saved.name)
  }

  async function remove({ id, name }: CustomSource): Promise<void> {
    try {
      await removeSource({ id })
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      return showError(failure)
    }
    offerUndo({
      text: `${name} removed`,
      undo: async () => {
        await restoreSource({ id })
      },
    })
  }

  return {
    customs: data ?? NONE,
    isLoading: data === undefined && error === null,
    error: data === undefined ? error : null,
    refetch,
    add: () => openForm(null),
    edit: (source: CustomSource) => openForm(source),
    remove,
  }
}

const NONE: readonly CustomSource[] = []
