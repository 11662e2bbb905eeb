import { unmappedValues } from '#contract/inventory/values/unmapped-values.ts'
import { valueMappings } from '#contract/inventory/values/value-mappings.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'

const removeMany = send(valueMappings.removeMany)

/** What was decided, with the way back: the mappings go, and the values wait again. */
export async function describeDecision(
  what: string,
  { mappingIds, already }: { mappingIds: string[]; already: number },
) {
  await invalidateValues()
  const late = already === 0 ? '' : ` ${count(already, 'was', 'were')} decided on by others.`
  offerUndo({
    text: `${what}${late}`,
    undo: async () => {
      await removeMany({ ids: mappingIds })
      await invalidateValues()
    },
  })
}

/** What a change of a data mapping shows in: both lists, and what applying them would do. */
export async function invalidateValues(): Promise<void> {
  await Promise.all(
    [valueMappings.list, valueMappings.preview, unmappedValues.list].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  )
}
