import { useQuery } from '@tanstack/react-query'
import { type CustomSource, customSources } from '#contract/carbon/inventories/custom-sources.ts'
import type { InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import { query, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { CustomSourceForm } from './CustomSourceForm.tsx'

const readSources = send(customSources.list)
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

  async function remove(source: CustomSource): Promise<void> {
    const { id, name } = source
    const done = await askToRemove({
      read: async () =>
        (await readSources({ inventory: inventoryId })).find((one) => one.id === id) ?? source,
      shown: source,
      thing: 'this source',
      isQuiet: true,
      question: { title: `Remove ${name}?`, text: 'You can undo this.', confirm: 'Remove source' },
      run: ({ version }) => removeSource({ id, version }),
    })
    if (done === null || done === 'gone') return
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
