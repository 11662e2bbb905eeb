import { useSyncExternalStore } from 'react'

/** What the shell can lay over the page. One at a time; each comes when it is first asked for. */
export type Panel = 'palette' | 'shortcuts' | 'customizer' | 'change-password'

/** What each panel is given. */
export type PanelProps = { isOpen: boolean; onClose: () => void }

/** `seen`: those that were open before. They stay, so that they can leave slowly. */
type State = { open: Panel | null; seen: readonly Panel[] }

const NONE: State = { open: null, seen: [] }
let state = NONE
const viewers = new Set<() => void>()

function show(next: State): void {
  state = next
  for (const viewer of viewers) viewer()
}

/** Opens a panel from anywhere in the shell; the one that is open gives way. */
export function openPanel(panel: Panel): void {
  show({ open: panel, seen: [...new Set([...state.seen, panel])] })
}

/** Closes the panel if it is the open one: one that gave way must not close its successor. */
export function closePanel(panel: Panel): void {
  if (state.open === panel) show({ ...state, open: null })
}

/** The shell goes, and nothing may be open when the next person's comes. */
export function forgetPanels(): void {
  show(NONE)
}

export function usePanels(): State {
  return useSyncExternalStore(subscribe, () => state)
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}
