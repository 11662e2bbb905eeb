import { useSyncExternalStore } from 'react'

/** The panels of the shell. One is open at a time; each loads when it is first opened. */
export type Panel = 'palette' | 'shortcuts' | 'customizer' | 'change-password'

/** The props of each panel. */
export type PanelProps = { isOpen: boolean; onClose: () => void }

/** `seen`: panels opened before. They stay mounted, so that closing can be animated. */
type State = { open: Panel | null; seen: readonly Panel[] }

const NONE: State = { open: null, seen: [] }
let state = NONE
const viewers = new Set<() => void>()

function show(next: State): void {
  state = next
  for (const viewer of viewers) viewer()
}

/** Opens a panel, and closes the open one. */
export function openPanel(panel: Panel): void {
  show({ open: panel, seen: [...new Set([...state.seen, panel])] })
}

/** Closes the panel if it is the open one: a replaced panel must not close its successor. */
export function closePanel(panel: Panel): void {
  if (state.open === panel) show({ ...state, open: null })
}

/** Resets all panels when the shell unmounts, before the next user signs in. */
export function resetPanels(): void {
  show(NONE)
}

export function usePanels(): State {
  return useSyncExternalStore(subscribe, () => state)
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}
