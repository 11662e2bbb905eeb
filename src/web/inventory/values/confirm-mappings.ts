import { unmappedValues } from '#contract/inventory/values/unmapped-values.ts'
import { valueMappings } from '#contract/inventory/values/value-mappings.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'

const removeMany = send(valueMappings.removeMany)

/** Confirms new mappings with an undo that deletes them, which puts the values back in the queue. */
export async function confirmMappings(
  what: string,
  { mappingIds, already }: { mappingIds: string[]; already: number },
) {
  await invalidateValues()
  const late =
    already === 0 ? '' : ` ${count(already, 'value was', 'values were')} already mapped by other users.`
  offerUndo({
    text: `${what}${late}`,
    undo: async () => {
      await removeMany({ ids: mappingIds })
      await invalidateValues()
    },
  })
}

/** Reloads what depends on data mappings: both lists and the preview of applying them. */
export async function invalidateValues(): Promise<void> {
  await Promise.all(
    [valueMappings.list, valueMappings.preview, unmappedValues.list].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  )
}
