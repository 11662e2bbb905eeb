import { afterAll, beforeEach, expect, test, vi } from 'vitest'

type ModalProps = { title: string; onConfirm?: () => void; onCancel?: () => void; onClose?: () => void }
const shown = vi.hoisted((): ModalProps[] => [])
vi.mock('@mantine/modals', () => {
  const show = (props: ModalProps) => {
    shown.push(props)
    return String(shown.length)
  }
  return { modals: { open: show, openConfirmModal: show, close: () => shown.at(-1)?.onClose?.() } }
})
vi.resetModules()
const { ask, askFor, markHostMounted } = await import('./dialogs.tsx')
let unmount = markHostMounted()

beforeEach(() => {
  unmount()
  unmount = markHostMounted()
  shown.length = 0
  vi.stubGlobal('document', { activeElement: null, body: null, querySelector: () => null })
  vi.stubGlobal('HTMLElement', Map)
})
// Files share their process.
afterAll(() => {
  vi.unstubAllGlobals()
})

const QUESTION = { title: 'Replace link?', text: 'The old one stops working.', confirm: 'Replace link' }

test('a question that is open is not asked again, and only one caller gets its answer', async () => {
  const [first, second] = [ask(QUESTION), ask(QUESTION)]
  expect(shown).toHaveLength(1)
  expect(await second).toBe(false)
  shown[0]?.onConfirm?.()
  expect(await first).toBe(true)
  const again = ask(QUESTION)
  expect(shown).toHaveLength(2)
  shown[1]?.onCancel?.()
  expect(await again).toBe(false)
})

test('another question is asked beside it', () => {
  void ask(QUESTION)
  void ask({ ...QUESTION, text: 'Another one.' })
  expect(shown).toHaveLength(2)
})

test('a form that is open is not opened again', async () => {
  const first = askFor<string>('Why?', () => null)
  expect(await askFor<string>('Why?', () => null)).toBeNull()
  expect(shown).toHaveLength(1)
  shown[0]?.onClose?.()
  expect(await first).toBeNull()
  void askFor('Why?', () => null)
  expect(shown).toHaveLength(2)
})

test('questions that were open when the pages were left can be asked again', () => {
  void ask(QUESTION)
  unmount()
  unmount = markHostMounted()
  void ask(QUESTION)
  expect(shown).toHaveLength(2)
})
