import { expect, test } from 'vitest'
import { mergeSteps, NO_MEMORY, recordSteps, type useRecordHistory } from './use-record-history.ts'

type Values = { title: string; blocks: string[] }
type Memory = ReturnType<typeof useRecordHistory<Values>>['memory']
const START: Values = { title: 'Trucks', blocks: ['one'] }

/** A form whose record is saved as `START`, with its steps. */
class Editor {
  values = START
  memory: Memory = NO_MEMORY
  isReadOnly: boolean
  constructor({ isReadOnly = false } = {}) {
    this.isReadOnly = isReadOnly
  }
  set(changes: object) {
    this.values = { ...this.values, ...changes }
  }
  get steps() {
    const { values, isReadOnly } = this
    return recordSteps(
      { form: { values }, change: (changes) => this.set(changes), isReadOnly },
      { memory: this.memory, keep: (memory) => (this.memory = memory) },
    )
  }
  change(changes: Partial<Values>, says: string, what: string | null = null) {
    this.steps.change(changes, { says, what })
  }
}
const undo = ({ steps }: Editor) => steps.undo?.()
const redo = ({ steps }: Editor) => steps.redo?.()

test('steps are undone and redone one by one, and named', () => {
  const form = new Editor()
  form.change({ blocks: ['one', 'two'] }, 'Two added')
  form.change({ blocks: ['two'] }, 'One removed')
  undo(form)
  expect(form.values.blocks).toEqual(['one', 'two'])
  expect(form.steps.announcement).toBe('Undone: One removed.')
  undo(form)
  expect(form.values).toEqual(START)
  expect(form.steps.undo).toBeNull()
  redo(form)
  expect(form.steps.announcement).toBe('Redone: Two added.')
  form.change({ blocks: [] }, 'All removed')
  expect(form.steps.redo).toBeNull()
})

test('typing in one field is one step, and none if it ends as it began', () => {
  const form = new Editor()
  form.change({ title: 'Trucks!' }, 'Title changed', 'title')
  form.change({ title: 'Trucks!!' }, 'Title changed', 'title')
  undo(form)
  expect(form.values.title).toBe('Trucks')
  form.change({ title: 'Trucks!' }, 'Title changed', 'title')
  form.change({ title: 'Trucks' }, 'Title changed', 'title')
  expect(form.steps.undo).toBeNull()
})

test('what changed the form otherwise is not lost by an undo', () => {
  const form = new Editor()
  form.change({ blocks: [] }, 'One removed')
  form.set({ title: 'Vans' })
  undo(form)
  expect(form.values).toEqual({ title: 'Trucks', blocks: [] })
  redo(form)
  expect(form.values).toEqual({ title: 'Vans', blocks: [] })
  // A save trims texts: that is no step.
  form.change({ title: 'Cars ' }, 'Title changed', 'title')
  form.set({ title: 'Cars' })
  undo(form)
  expect(form.values.title).toBe('Vans')
})

test('an undo keeps what another user saved meanwhile', () => {
  const form = new Editor()
  form.change({ blocks: ['one', 'two'] }, 'Two added')
  const theirs = { ...START, title: 'Vans' }
  form.memory = mergeSteps(form.memory, START, theirs)
  form.set({ title: 'Vans' })
  undo(form)
  expect(form.values).toEqual(theirs)
})

test('nothing is undone in a form that can only be read', () => {
  const { steps } = new Editor({ isReadOnly: true })
  expect([steps.undo, steps.redo]).toEqual([null, null])
})
