import { isField } from './typing.ts'

/** How long keys are collected at most. */
const WAIT_MS = 10_000

/** The keys that are pressed after the fields of one form are gone and before that of the other has the focus. `field`: where they go. */
type Between = { keys: Pressed[]; field: HTMLElement | null; end: () => void }
/** `isDone`: its letter is in a field, so it isn't entered again. */
type Pressed = { key: string; isDone: boolean }
let between: Between | null = null

/**
 * Collects keys that no field receives, until they are put into one, the user turns to something else, or no form opens. Returns a
 * function that gives them up.
 */
export function collectKeys(): () => void {
  between?.end()
  const own: Between = { keys: [], field: null, end }
  const onKey = (event: KeyboardEvent) => {
    const { key, target } = event
    const isElsewhere = target instanceof Element && target !== own.field && isField(target)
    if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return
    // With Tab, Escape or an arrow, the user goes somewhere else.
    if (['Shift', 'CapsLock', 'Dead', 'Process'].includes(key)) return
    if (!/^(?:.|Backspace|Enter)$/u.test(key)) return end()
    event.preventDefault()
    event.stopPropagation()
    own.keys.push({ key, isDone: false })
  }
  const onLetter = (event: KeyboardEvent) => {
    const { key, target } = event
    if (!/^.$/u.test(key)) return
    const isElsewhere = target instanceof HTMLElement && target !== own.field && isField(target)
    const pressed = { key, isDone: false }
    // In the order of the keys: the next one may come before it is known what became of this letter.
    own.keys.push(pressed)
    if (isElsewhere) watchLetter(target, pressed)
    else event.preventDefault()
  }
  const timer = setTimeout(end, WAIT_MS)
  function end(): void {
    clearTimeout(timer)
    removeEventListener('keydown', onKey, { capture: true })
    removeEventListener('keypress', onLetter, { capture: true })
    removeEventListener('pointerdown', end, { capture: true })
    if (between === own) between = null
  }
  addEventListener('keydown', onKey, { capture: true })
  addEventListener('keypress', onLetter, { capture: true })
  addEventListener('pointerdown', end, { capture: true })
  between = own
  return end
}

/** What the collected keys enter. */
export function collectedText(): string {
  let text = ''
  for (const { key, isDone } of between?.keys ?? []) {
    if (isDone) continue
    if (key === 'Backspace') text = text.slice(0, -1)
    else text += key === 'Enter' ? ' ' : key
  }
  return text
}

/** A field may go away between a key that is pressed in it and its letter, which is lost then. */
function watchLetter(field: HTMLElement, pressed: Pressed): void {
  const note = () => {
    pressed.isDone = true
  }
  field.addEventListener('input', note, { once: true })
  // Browsers enter the letter in the same task.
  setTimeout(() => {
    field.removeEventListener('input', note)
    if (document.activeElement === field) note()
  })
}

/** Enters the keys that were collected at the cursor of a field, as if they were pressed now. */
export function enterKeys(field: HTMLTextAreaElement | HTMLInputElement): void {
  const { keys: pressed, end } = between ?? { keys: [], end: () => {} }
  end()
  const keys = pressed.flatMap(({ key, isDone }) => (isDone ? [] : [key]))
  for (const key of keys) {
    const [from, to] = [field.selectionStart ?? 0, field.selectionEnd ?? 0]
    if (key === 'Backspace') field.setRangeText('', from === to ? Math.max(0, from - 1) : from, to, 'end')
    else if (key !== 'Enter') field.setRangeText(key, from, to, 'end')
    else if (field instanceof HTMLTextAreaElement) field.setRangeText('\n', from, to, 'end')
  }
  if (keys.length > 0) field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Whether keys are collected. */
export const isCollecting = (): boolean => between !== null

/** The field that the collected keys go to: what is typed in it meanwhile is collected, too. */
export function keysGoTo(field: HTMLElement): void {
  if (between !== null) between.field = field
}

/** Forgets the keys that were collected: the user is in another field. */
export const giveUpKeys = (): void => between?.end()
