import { valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { send } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'

const removeMany = send(valueMappings.removeMany)

/** Confirms new mappings with an undo that deletes them, which puts the values back in the queue. */
export function confirmMappings(
  what: string,
  { mappingIds, already }: { mappingIds: string[]; already: number },
) {
  const late =
    already === 0 ? '' : ` ${count(already, 'value was', 'values were')} already mapped by other users.`
  offerUndo({
    text: `${what}${late}`,
    undo: async () => {
      await removeMany({ ids: mappingIds })
    },
  })
}
