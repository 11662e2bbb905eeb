import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'

type Key = Readonly<{ key: string; preventDefault?: () => void }>
type Listener = (event: object) => void
const listeners: (readonly [string, Listener])[] = []

class Field {
  isConnected = true
  isContentEditable = false
  received: string[] = []
  readonly isField: boolean
  constructor({ isField }: { isField: boolean }) {
    this.isField = isField
  }
  matches = () => this.isField
  hasAttribute = () => !this.isField
  focus = () => void (page.activeElement = this)
  dispatchEvent({ key }: Key) {
    this.received.push(key)
    return true
  }
}
/** A text of several lines. */
class Area extends Field {}
const addListener = (type: string, listener: Listener) => listeners.push([type, listener])
function removeListener(type: string, listener: Listener): void {
  const at = listeners.findIndex((one) => one[0] === type && one[1] === listener)
  if (at !== -1) listeners.splice(at, 1)
}
const page: {
  activeElement: Field | null
  body: null
  addEventListener: typeof addListener
  removeEventListener: typeof removeListener
} = {
  activeElement: null,
  body: null,
  addEventListener: addListener,
  removeEventListener: removeListener,
}

vi.stubGlobal('document', page)
vi.stubGlobal('HTMLElement', Field)
vi.stubGlobal('HTMLTextAreaElement', Area)
vi.stubGlobal(
  'KeyboardEvent',
  class {
    readonly key: string
    constructor(_: string, { key }: Key) {
      this.key = key
    }
  },
)
vi.stubGlobal('addEventListener', addListener)
vi.stubGlobal('removeEventListener', removeListener)
vi.resetModules()
const { currentPress, guardLetters, readPlace, watchTyping, whenTypingPauses, yieldToTyping } =
  await import('./typing.ts')
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const NONE = { ctrlKey: false, metaKey: false, altKey: false, repeat: false, getModifierState: () => false }
function send(type: string, event: object): void {
  const given = { ...NONE, stopImmediatePropagation: () => {}, preventDefault: () => {}, ...event }
  for (const [, listener] of listeners.filter(([of]) => of === type)) listener(given)
}
const press = (key: string, more: object = {}) => send('keydown', { key, ...more })

const [field, dialog] = [new Field({ isField: true }), new Field({ isField: false })]
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  listeners.length = 0
  watchTyping()
  field.received = []
  page.activeElement = field
  send('pointerdown', {})
})

test('a dialog waits until no key was pressed in a field for a second', () => {
  const open = vi.fn<() => void>()
  press('a')
  whenTypingPauses(open)
  vi.advanceTimersByTime(900)
  press(' ')
  vi.advanceTimersByTime(900)
  expect(open).not.toHaveBeenCalled()
  vi.advanceTimersByTime(200)
  expect(open).toHaveBeenCalledOnce()
})

test('a dialog doesn’t wait for users who use the mouse or a button, or who left', () => {
  const open = vi.fn<() => void>()
  press('a')
  send('pointerdown', {})
  whenTypingPauses(open)
  expect(open).toHaveBeenCalledOnce()
  page.activeElement = dialog
  press('a')
  whenTypingPauses(open)
  expect(open).toHaveBeenCalledTimes(2)
  page.activeElement = field
  press('a')
  whenTypingPauses(open)()
  vi.advanceTimersByTime(5_000)
  expect(open).toHaveBeenCalledTimes(2)
})

test('a press is the user’s own only at that moment', () => {
  press('s', { ctrlKey: true })
  expect(currentPress()).toBe('typing')
  press('Escape')
  expect(currentPress()).toBe('other')
  vi.advanceTimersByTime(5)
  expect(currentPress()).toBeNull()
  send('click', {})
  expect(currentPress()).toBe('other')
})

test('letters of someone who types on after their field is gone do nothing, until they pause, press Tab or click', () => {
  const stop = guardLetters()
  const isTaken = (key: string, more: object = {}) => {
    const preventDefault = vi.fn<() => void>()
    press(key, { ...more, preventDefault })
    return preventDefault.mock.calls.length > 0
  }
  expect(isTaken('a')).toBe(false)
  page.activeElement = null
  vi.advanceTimersByTime(900)
  expect([isTaken('e'), isTaken(' '), isTaken('k', { ctrlKey: true }), isTaken('Enter')]).toEqual([
    true,
    true,
    false,
    false,
  ])
  vi.advanceTimersByTime(900)
  expect(isTaken('s')).toBe(true)
  vi.advanceTimersByTime(1_100)
  expect(isTaken('s')).toBe(false)
  for (const leave of [
    () => press('Tab'),
    () => press('Enter', { ctrlKey: true }),
    () => send('pointerdown', {}),
  ]) {
    page.activeElement = field
    press('a')
    page.activeElement = dialog
    leave()
    expect(isTaken(' ')).toBe(false)
  }
  stop()
})

/** A dialog over the field that has the focus on its text since a second. */
function openOver(over: Field) {
  page.activeElement = over
  const putOff = vi.fn<() => void>()
  yieldToTyping(readPlace(), putOff)
  page.activeElement = dialog
  vi.advanceTimersByTime(1_000)
  return putOff
}

test.each([' ', 'é', 'Backspace'])(
  '“%s” reaches the field below a dialog that the user hasn’t turned to',
  (key) => {
    const putOff = openOver(field)
    press(key)
    expect(putOff).toHaveBeenCalledOnce()
    expect(field.received).toEqual([key])
    expect(page.activeElement).toBe(field)
    press(key)
    expect(putOff).toHaveBeenCalledOnce()
  },
)

test.each(['Tab', 'Escape', 'Enter', 'Shift', 'ArrowDown'])('“%s” is for the dialog', (key) => {
  const putOff = openOver(field)
  press(key)
  expect(putOff).not.toHaveBeenCalled()
  expect(page.activeElement).toBe(dialog)
})

test('a new line is typed only where the field has lines', () => {
  const putOff = openOver(new Area({ isField: true }))
  press('Enter', { repeat: true })
  expect(putOff).not.toHaveBeenCalled()
  press('Enter')
  expect(putOff).toHaveBeenCalledOnce()
})

test.each([
  ['clicked it', field, () => send('pointerdown', {})],
  ['focused something in it', field, () => (page.activeElement = new Field({ isField: true }))],
  ['was in no field', dialog, () => {}],
])('keys are for a dialog if the user %s', (_, over, turn) => {
  const putOff = openOver(over)
  turn()
  press('a')
  expect(putOff).not.toHaveBeenCalled()
})

/** What opens them is a button, a menu or a key. */
const OPENED_BY_PRESS = [
  'customers/customers/AdministratorBlock.tsx',
  'customers/customers/StatusDialog.tsx',
  'identity/second-factor/SecurityDialog.tsx',
  'participants/area/questionnaire/AreaDialog.tsx',
  'participants/area/questionnaire/SubmitDialog.tsx',
  'questionnaires/bank/BankDialog.tsx',
  'questions/builder/RuleField.tsx',
  'shell/ChangePassword.tsx',
  'shell/Shortcuts.tsx',
  'shell/palette/Palette.tsx',
  'ui/document/PublishDialog.tsx',
  'ui/files/picker/FilePicker.tsx',
  'ui/filter/rules/AdvancedDialog.tsx',
]

test('a dialog that an answer opens is an AnswerDialog', () => {
  const files = globSync('src/web/**/*.tsx').filter((file) => /<Modal\b/.test(readFileSync(file, 'utf8')))
  const names = files.map((file) => file.replace('src/web/', '')).toSorted()
  expect(names).toEqual([...OPENED_BY_PRESS, 'ui/overlay/AnswerDialog.tsx'].toSorted())
})
