/** How long no key must be pressed in a field before a dialog may open over it. */
const PAUSE_MS = 1_000
/** Keys that are pressed so soon after a dialog has opened aren't meant for it. */
const FIRST_MS = 700

const FIELDS =
  'textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), [contenteditable="true"], [role="grid"]'

/** What is in the focus, and what is selected in it. */
export type Place = Readonly<{ element: HTMLElement | null; restore: () => void }>

/** The user's own press that is being handled: `typing` for a key in a field, such as Ctrl+S; null if there is none. */
type Press = 'typing' | 'other' | null

let typedAt = -Infinity
let press: Press = null

/** Whether keys that are typed in an element change its text. */
export const isField = (element: Element | null): boolean => element?.matches(FIELDS) ?? false

/** Observes keys and presses, for the other functions here. For an effect. */
export function watchTyping(): () => void {
  const note = (next: Press) => {
    press = next
    // What a handler does in the same moment is the user's own doing; what an answer does later isn't.
    setTimeout(() => (press = null))
  }
  const onKey = (event: KeyboardEvent) => {
    const isTyped = isField(document.activeElement)
    if (isTyped) typedAt = performance.now()
    note(isTyped && !['Escape', 'Tab'].includes(event.key) ? 'typing' : 'other')
  }
  const onClick = () => note('other')
  // The hands are no longer at the keyboard.
  const onPointer = () => {
    typedAt = -Infinity
  }
  const capture = { capture: true } as const
  addEventListener('keydown', onKey, capture)
  addEventListener('click', onClick, capture)
  addEventListener('pointerdown', onPointer, capture)
  return () => {
    removeEventListener('keydown', onKey, capture)
    removeEventListener('click', onClick, capture)
    removeEventListener('pointerdown', onPointer, capture)
  }
}

/**
 * Letters of someone who types on after their field is gone, such as that of a dialog that was saved, press no button and aren't
 * shortcuts of the page. For an effect.
 */
export function guardLetters(): () => void {
  let letterAt = -Infinity
  const leave = () => {
    letterAt = -Infinity
  }
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    // Ctrl+Enter sends: what follows at once, such as `j`, is meant as a key of the page.
    const isSent = key === 'Enter' && (ctrlKey || metaKey)
    if (isSent || ['Tab', 'Escape'].includes(key) || key.startsWith('Arrow')) return leave()
    if (ctrlKey || metaKey || altKey || !/^.$/u.test(key)) return
    const now = performance.now()
    const isText = isField(document.activeElement)
    if (!isText && now - letterAt >= PAUSE_MS) return
    letterAt = now
    if (isText) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  // After those on the window, which give keys to a field.
  document.addEventListener('keydown', onKey, { capture: true })
  addEventListener('pointerdown', leave, { capture: true })
  return () => {
    document.removeEventListener('keydown', onKey, { capture: true })
    removeEventListener('pointerdown', leave, { capture: true })
  }
}

/** What the user presses at this moment. */
export const currentPress = (): Press => press

/** Whether a key was pressed in the focused field a moment ago. */
export const isTyping = (): boolean =>
  performance.now() - typedAt < PAUSE_MS && isField(document.activeElement)

/** Whether a key was pressed in the focused field after a moment of `performance.now()`. */
export const hasTypedSince = (moment: number): boolean => typedAt > moment && isField(document.activeElement)

/** Calls back once no one is typing, which may be at once. Returns a function that stops waiting. */
export function whenTypingPauses(go: () => void): () => void {
  if (!isTyping()) {
    go()
    return () => {}
  }
  let timer = setTimeout(look, left())
  function left(): number {
    return Math.max(0, typedAt + PAUSE_MS - performance.now())
  }
  function look(): void {
    if (isTyping()) timer = setTimeout(look, left())
    else go()
  }
  return () => clearTimeout(timer)
}

/** Where the user is on the page, with the cursor. `restore` goes back there, if it still exists. */
export function readPlace(): Place {
  const { activeElement: active, body } = document
  const element = active instanceof HTMLElement && active !== body ? active : null
  const selection = element?.isContentEditable === true ? document.getSelection() : null
  const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0).cloneRange() : null
  return {
    element,
    restore: () => {
      if (element?.isConnected !== true) return
      // An input keeps its own selection.
      element.focus({ preventScroll: true })
      if (range === null) return
      selection?.removeAllRanges()
      selection?.addRange(range)
    },
  }
}

/** Whether a dialog would open over a field that someone may go on typing in. */
export const isInField = ({ element }: Place): boolean => isField(element)

/** Focuses a field that needs attention. The next keys of someone who goes on typing in another one still go there. */
export function turnTo(field: HTMLElement): void {
  const place = readPlace()
  field.focus()
  if (place.element === field) return
  const end = yieldToTyping(place, () => {})
  const onKey = ({ key }: KeyboardEvent) => {
    if (['Tab', 'Escape'].includes(key)) end()
  }
  field.addEventListener('keydown', onKey)
  setTimeout(() => {
    end()
    field.removeEventListener('keydown', onKey)
  }, FIRST_MS)
}

/** The element of a dialog that has the focus first, so that no key presses a button: `<div {...FIRST_FOCUS}>`. */
export const FIRST_FOCUS = {
  tabIndex: -1,
  'data-autofocus': true,
  'data-first-focus': true,
  style: { outline: 'none' },
} as const

/**
 * While a dialog is open that the user didn't ask for: keys of someone who goes on typing reach their field. `putOff` closes
 * the dialog then. The user has turned to the dialog when something in it is focused or clicked. Returns a function that ends it.
 */
export function yieldToTyping(place: Place, putOff: () => void): () => void {
  if (!isInField(place)) return () => {}
  const openedAt = performance.now()
  let isTurned = false
  const turn = () => {
    isTurned = true
  }
  const onKey = (event: KeyboardEvent) => {
    const isFirst = performance.now() - openedAt < FIRST_MS
    const isAtStart = document.activeElement?.hasAttribute('data-first-focus') ?? false
    if (isTurned || !(isFirst || isAtStart) || !isTypedKey(event, place)) return
    end()
    // Before the browser enters the character, which then goes to the field.
    place.restore()
    event.stopImmediatePropagation()
    // For what handles keys itself, such as a grid.
    const { key, code, shiftKey } = event
    const again = { key, code, shiftKey, bubbles: true, cancelable: true }
    if (place.element?.dispatchEvent(new KeyboardEvent('keydown', again)) === false) event.preventDefault()
    putOff()
  }
  const end = () => {
    removeEventListener('keydown', onKey, { capture: true })
    removeEventListener('pointerdown', turn, { capture: true })
  }
  addEventListener('keydown', onKey, { capture: true })
  addEventListener('pointerdown', turn, { capture: true })
  return end
}

/** Whether a key changes the text of the field. Enter does only where it starts a line. */
function isTypedKey(event: KeyboardEvent, { element }: Place): boolean {
  const { key, ctrlKey, metaKey, altKey, repeat } = event
  const isCommand = (ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph')
  if (isCommand) return false
  if (key === 'Enter') return !repeat && element instanceof HTMLTextAreaElement
  return /^.$/u.test(key) || ['Backspace', 'Delete', 'Dead', 'Process', 'Unidentified'].includes(key)
}
