import type { GridAction } from './grid-state.ts'
import type { Step } from './grid-positions.ts'

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

const PLAIN: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  Home: 'rowStart',
  End: 'rowEnd',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
}
const FAR: Readonly<Record<string, Step>> = {
  ArrowUp: 'edgeUp',
  ArrowDown: 'edgeDown',
  ArrowLeft: 'edgePrevious',
  ArrowRight: 'edgeNext',
  Home: 'start',
  End: 'end',
}
const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** The action of a key while no cell is being edited; null if there is none. Copy and paste are separate events. */
export function actionOf(
  event: Key,
  { page, isMirrored }: { page: number; isMirrored: boolean },
): GridAction | null {
  const isFar = event.ctrlKey || event.metaKey
  const key = isMirrored ? (MIRRORED[event.key] ?? event.key) : event.key
  const step = (isFar ? FAR : PLAIN)[key]
  if (step !== undefined && !event.altKey) {
    return { type: 'step', step, isExtending: event.shiftKey, page }
  }
  if (isFar) return farAction(event)
  if (event.key === 'Enter') return { type: 'edit', text: null }
  if (event.key === 'F2') return { type: 'edit', text: null }
  if (event.key === 'Delete' || event.key === 'Backspace') return { type: 'clear' }
  if (event.key === 'Tab') return { type: 'tab', by: event.shiftKey ? -1 : 1 }
  const isSign = Array.from(event.key).length === 1 && event.key !== ' '
  return isSign && !event.altKey ? { type: 'edit', text: event.key } : null
}

function farAction({ key, shiftKey }: Key): GridAction | null {
  const letter = key.toLowerCase()
  if (letter === 'z') return { type: shiftKey ? 'redo' : 'undo' }
  if (letter === 'y') return { type: 'redo' }
  if (letter === 'd') return { type: 'fill' }
  if (letter === 'a') {
    const end = Number.MAX_SAFE_INTEGER
    return { type: 'choose', range: { top: 0, first: 0, bottom: end, last: end } }
  }
  return null
}
