import { customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { GridState } from '#web/ui/grid/grid-state.ts'
import type { KnownRow } from './grid-save.ts'
import { changedKeys } from './vehicle-rows.ts'

/**
 * The names of the custom fields edited since the last save, including edits that can be undone or redone. Their columns
 * must not be hidden, because the user would not see what is saved or restored.
 */
export function editedFields(
  { rows, past, future }: Pick<GridState, 'rows' | 'past' | 'future'>,
  { own, saved }: KnownRow,
): ReadonlySet<string> {
  const names = new Set(own.map(customFieldName).map(String))
  // Undo steps share most of their rows.
  const each = new Set([rows, ...past, ...future].flat())
  const edited = new Set<string>()
  for (const row of each) {
    const vehicle = saved.get(row.key)
    if (vehicle === undefined) continue
    for (const key of changedKeys(row, vehicle, own)) if (names.has(key)) edited.add(key)
  }
  return edited
}
