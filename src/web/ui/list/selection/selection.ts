import { MAX_CHOSEN, type Selection } from '#contract/lists/selection.ts'

/**
 * Which rows of a list are chosen, over all its pages: these, or all that match but these. It belongs to one search and
 * one filter: with another, it is empty again.
 */
export type Selected =
  | Readonly<{ kind: 'some'; ids: ReadonlySet<string> }>
  | Readonly<{ kind: 'all'; except: ReadonlySet<string> }>

export const NOTHING: Selected = { kind: 'some', ids: new Set() }
export const EVERYTHING: Selected = { kind: 'all', except: new Set() }

export function isSelected(selected: Selected, id: string): boolean {
  return selected.kind === 'some' ? selected.ids.has(id) : !selected.except.has(id)
}

/** How many rows that is, where so many match the search and the filter. */
export function countSelected(selected: Selected, matching: number): number {
  return selected.kind === 'some' ? selected.ids.size : Math.max(0, matching - selected.except.size)
}

/** The selection with these rows chosen, or without them. */
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

/** Whether more rows are named one by one than a call takes. */
export function isTooMany(selected: Selected): boolean {
  return (selected.kind === 'some' ? selected.ids : selected.except).size > MAX_CHOSEN
}

/** As the calls on many rows take it. */
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
