import { Modal } from '@mantine/core'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { showKeys } from './keys.ts'
import type { PanelProps } from './layout/panels.ts'
import './layout/panel-sheets.css'

/** Every keyboard shortcut of the product. Add new ones here. */
const GROUPS = [
  {
    title: 'Anywhere',
    shortcuts: [
      { keys: ['Mod K'], what: 'Search for a page, an action or a record' },
      { keys: ['?'], what: 'Show shortcuts' },
      { keys: ['Escape'], what: 'Close the open dialog or drawer' },
      { keys: ['Mod Z'], what: 'Undo the last change, if the page offers it' },
    ],
  },
  {
    title: 'In a list',
    shortcuts: [
      { keys: ['/'], what: 'Search the list' },
      { keys: ['j', 'k'], what: 'Open the next or the previous row while one is open next to the list' },
    ],
  },
  { title: 'In pricing rules', shortcuts: [{ keys: ['n'], what: 'Add a rule' }] },
  {
    title: 'In the leads inbox',
    shortcuts: [
      { keys: ['j', 'k'], what: 'Open the next or the previous lead' },
      { keys: ['x'], what: 'Select the lead; with Shift, all since the last one' },
      { keys: ['Enter'], what: 'Go to the conversation' },
      { keys: ['a'], what: 'Accept the lead' },
      { keys: ['r'], what: 'Reply by email' },
      { keys: ['t'], what: 'Reply with a template' },
      { keys: ['c'], what: 'Record a call' },
      { keys: ['n'], what: 'Write a note' },
      { keys: ['Mod Enter'], what: 'Send or save the answer' },
      { keys: ['s'], what: 'Snooze' },
      { keys: ['e'], what: 'Set the outcome' },
      { keys: ['o'], what: 'Assign to another user' },
      { keys: ['g'], what: 'Give the lead back' },
    ],
  },
  {
    title: 'On the board of an assessment',
    shortcuts: [
      { keys: ['j', 'k'], what: 'Next and previous target' },
      { keys: ['x'], what: 'Select the target' },
      { keys: ['Enter'], what: 'Open the target' },
      { keys: ['m'], what: 'Remind the people of the selected targets' },
    ],
  },
  { title: 'In a form', shortcuts: [{ keys: ['Mod S'], what: 'Save' }] },
  {
    title: 'In menus and results',
    shortcuts: [
      { keys: ['↑', '↓'], what: 'Move' },
      { keys: ['Enter'], what: 'Open' },
    ],
  },
] as const

/** The sheet that `?` opens. */
export function Shortcuts({ isOpen, onClose }: PanelProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Shortcuts"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      {GROUPS.map(({ title, shortcuts }) => (
        <section key={title} className="fc-shortcuts">
          <h3>{title}</h3>
          <dl>
            {shortcuts.map(({ keys, what }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key} className="fc-key">
                      {showKeys(key)}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  )
}
