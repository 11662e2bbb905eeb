import { z } from 'zod'
import { carbonAssignments, EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { setInventoryInCache } from '../wizard/invalidate-inventories.ts'
import { type Draft, findStale, rebase, sourcesByKey, toChanges } from './assignment-draft.ts'
import type { AssignmentDraft } from './use-assignment-draft.ts'

const saveAssignments = send(carbonAssignments.save)
/** The current sources in a 409 response. */
const Current = z.object({ sources: z.array(EmissionSource) })

/** Saves a draft in one call. If others have changed some of its cells, asks whether to overwrite them. */
export function useSaveAssignments(inventoryId: string, { clear, change }: AssignmentDraft) {
  const keep = (sources: readonly EmissionSource[]) =>
    queryClient.setQueryData([...keyOf(carbonAssignments.sources), { inventory: inventoryId }], sources)
  const saving = useMutation({
    mutationFn: (draft: Draft) => saveAssignments({ inventoryId, changes: toChanges(draft) }),
    onSuccess: ({ sources, inventory }, draft) => {
      keep(sources)
      clear()
      toast('Assignments saved', count(Object.keys(draft).length, 'change', 'changes'))
      setInventoryInCache(inventory)
    },
    onError: (failure, draft) => void refuse(failure, draft),
  })

  async function refuse(failure: CallFailure, draft: Draft): Promise<void> {
    const current = Current.safeParse(failure.current)
    if (failure.status !== 409 || !current.success) return showError(failure)
    const sources = sourcesByKey(current.data.sources)
    const stale = findStale(sources, draft)
    keep(current.data.sources)
    const overwrites = await ask({
      title: 'Someone else changed assignments',
      text: `Someone else changed ${count(stale.length, 'cell', 'cells')} that you edited. Overwrite them with your changes, or keep theirs and save the rest later.`,
      confirm: 'Save mine',
      cancel: 'Keep theirs',
    })
    if (overwrites) return saving.mutate(rebase(sources, draft))
    const rest = Object.fromEntries(Object.entries(draft).filter(([key]) => !stale.includes(key)))
    change(rest)
  }

  return { save: (draft: Draft) => saving.mutate(draft), isSaving: saving.isPending }
}
