import { MAX_CHOSEN, type Selection } from '#contract/lists/selection.ts'

/**
 * Which rows of a list are selected, across all its pages: these, or all matching except these. Belongs to one
 * search and filter; changing them clears it.
 */
export type Selected =
  | Readonly<{ kind: 'some'; ids: ReadonlySet<string> }>
  | Readonly<{ kind: 'all'; except: ReadonlySet<string> }>

export const NOTHING: Selected = { kind: 'some', ids: new Set() }
export const EVERYTHING: Selected = { kind: 'all', except: new Set() }

export function isSelected(selected: Selected, id: string): boolean {
  return selected.kind === 'some' ? selected.ids.has(id) : !selected.except.has(id)
}

/** The number of selected rows, given the number of matching rows. */
export function countSelected(selected: Selected, matching: number): number {
  return selected.kind === 'some' ? selected.ids.size : Math.max(0, matching - selected.except.size)
}

/** The selection with these rows selected or deselected. */
export function select(selected: Selected, ids: readonly string[], isOn: boolean): Selected {
  if (selected.kind === 'some') {
    return { kind: 'some', ids: isOn ? withIds(selected.ids, ids) : withoutIds(selected.ids, ids) }
  }
  const { except } = selected
  return { kind: 'all', except: isOn ? withoutIds(except, ids) : withIds(except, ids) }
}

function withIds(set: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  return new Set([...set, ...ids])
}

function withoutIds(set: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  return new Set([...set].filter((id) => !ids.includes(id)))
}

/** Whether more rows are selected one by one than a call accepts. */
export function isTooMany(selected: Selected): boolean {
  return (selected.kind === 'some' ? selected.ids : selected.except).size > MAX_CHOSEN
}

/** The selection as input for bulk calls. */
export function toSelection(
  selected: Selected,
  { search, filter }: { search: string; filter: string },
): Selection {
  if (selected.kind === 'some') return { ids: [...selected.ids] }
  return {
    all: true,
    ...(search !== '' && { search }),
    ...(filter !== '' && { filter }),
    ...(selected.except.size > 0 && { except: [...selected.except] }),
  }
}
