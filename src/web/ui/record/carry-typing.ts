import { useLayoutEffect, useRef } from 'react'
import { toast } from '#web/ui/feedback/toast.tsx'
import { collectKeys, enterKeys, giveUpKeys, isCollecting, keysGoTo } from '../overlay/typed-keys.ts'
import { fieldsIn } from './focus-form.ts'
import type { KeptTyping } from '#web/session/kept-forms.ts'

/** The focused field of a form, by its path or, in an editor whose fields have none, its place, its text, and what is selected in it. */
type Focused = Readonly<{ path: string; text: string; start: number | null; end: number | null }>
type Carried = Partial<Pick<KeptTyping, 'values' | 'loaded'>> &
  Readonly<{
    key: string
    focused: Focused | null
    /** Ends keeping it on this device. */
    drop: () => void
    at: number
  }>
let carried: Carried | null = null
/** How long the form of a saved record may take to open. Later, the text is offered instead. */
const CARRIED_MS = 10_000
const OPENING_MS = 500

/**
 * Gives what was typed into the form of a new record while it was added, and where, to the form of the record. What is typed
 * until that opens goes with it. `read`: what there is at the moment.
 */
export function useCarrying<Saved>(read: (saved: Saved) => Omit<Carried, 'at'>): (saved: Saved) => void {
  const added = useRef<Saved | null>(null)
  const latest = useRef(read)
  useLayoutEffect(() => {
    latest.current = read
  })
  useLayoutEffect(
    // The fields are still there when this runs.
    () => () => {
      if (added.current === null) return
      const typed = latest.current(added.current)
      // Unless it was taken before.
      if (carried?.key === typed.key) carried = { ...typed, at: Date.now() }
    },
    [],
  )
  return (saved) => {
    added.current = saved
    carried = { ...read(saved), at: Date.now() }
    if (carried.focused?.start != null) collectKeys()
  }
}

/** What was typed while a form was saved isn't saved. */
export function saySavedMeanwhile(): void {
  toast(
    'Not everything is saved',
    'What you typed meanwhile is still in the form, or is offered when you open it again.',
    { isWarning: true },
  )
}

const fieldsOf = (formId: string): HTMLElement[] => fieldsIn(document.getElementById(formId))

/** Where the user is in the form with this ID; null if the focus is elsewhere. */
export function readFocus(formId: string): Focused | null {
  const field = document.activeElement
  const place = fieldsOf(formId).findIndex((one) => one === field)
  if (field === null || place === -1) return null
  const path = field.getAttribute('data-path') ?? String(place)
  const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
  if (!isText) return { path, text: '', start: null, end: null }
  return { path, text: field.value, start: field.selectionStart, end: field.selectionEnd }
}

/**
 * Puts the focus back to the same field of another form, with the keys that were pressed in between, unless the user is in another
 * field. Returns false if there is no such field.
 */
export function restoreFocus(formId: string, { path, text, start, end }: Focused): boolean {
  const fields = fieldsOf(formId)
  if (fields.some((one) => one === document.activeElement)) {
    giveUpKeys()
    return true
  }
  const field = fields.find((one) => one.dataset['path'] === path) ?? fields[Number(path)]
  if (field === undefined) return false
  field.focus()
  // A drawer that opens with the form focuses this field, and not its Close button.
  field.dataset['autofocus'] = ''
  setTimeout(() => delete field.dataset['autofocus'], OPENING_MS)
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) || start === null)
    return true
  keysGoTo(field)
  // After its text is there, and unless more was typed.
  requestAnimationFrame(() => {
    if (field.value === text) field.setSelectionRange(start, end)
    enterKeys(field)
  })
  return true
}

/** The same when a form opens, whose part with the field may still be loading. */
export function restoreFocusSoon(formId: string, focused: Focused): void {
  const until = Date.now() + CARRIED_MS
  const look = () => {
    if (!restoreFocus(formId, focused) && isCollecting() && Date.now() < until) requestAnimationFrame(look)
  }
  look()
}

/** Takes what was typed while this record was saved; null if there is nothing. */
export function takeCarried(key: string): Carried | null {
  const taken = carried?.key === key && Date.now() - carried.at < CARRIED_MS ? carried : null
  if (taken !== null) carried = null
  return taken
}
