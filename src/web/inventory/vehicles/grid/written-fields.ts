import { customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { GridState } from '#web/ui/grid/grid-state.ts'
import type { KnownRow } from './grid-save.ts'
import { changedKeys } from './vehicle-rows.ts'

/**
 * The names of the customer's own fields that were written in since the last saving, steps that can be taken back or again
 * included: hidden, nobody would see what is saved or comes back there.
 */
export function writtenFields(
  { rows, past, future }: Pick<GridState, 'rows' | 'past' | 'future'>,
  { own, saved }: KnownRow,
): ReadonlySet<string> {
  const names = new Set(own.map(customFieldName).map(String))
  // Steps have most of their rows in common.
  const each = new Set([rows, ...past, ...future].flat())
  const written = new Set<string>()
  for (const row of each) {
    const vehicle = saved.get(row.key)
    if (vehicle === undefined) continue
    for (const key of changedKeys(row, vehicle, own)) if (names.has(key)) written.add(key)
  }
  return written
}
