// A select can't have icons and second lines, or be filtered: the roles follow the combobox pattern.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Modal } from '@mantine/core'
import {
  IconSearch,
  IconX,
  IconBuilding,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconPalette,
  IconPlus,
  IconProgress,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useRef, useState, createElement } from 'react'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import type { PanelProps } from '../layout/panels.ts'
import { rememberRecent } from './recent.ts'
import type { Result } from './results.ts'
import { useResults } from './use-results.ts'
import styles from './Palette.module.css'
import { MenuIcon } from '../menu/MenuIcon.tsx'

const ICONS = new Map<string, TablerIcon>([
  ['building', IconBuilding],
  ['key', IconKey],
  ['keyboard', IconKeyboard],
  ['logout', IconLogout],
  ['palette', IconPalette],
  ['plus', IconPlus],
  ['progress', IconProgress],
  ['user', IconUser],
])

/** The icon of an action, a record or, as in the menu, a page. */
function ResultIcon({ name }: { name: string }) {
  const icon = ICONS.get(name)
  if (!icon) return <MenuIcon name={name} size={16} />
  return createElement(icon, { size: 16, stroke: 1.6, 'aria-hidden': true })
}

/** Keyboard access to pages, actions and records. A combobox, so that the focus stays in the text field. */
export function Palette({ isOpen, onClose }: PanelProps) {
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={600}
      yOffset="10dvh"
      classNames={{ content: styles.palette }}
      transitionProps={MODAL_TRANSITION}
    >
      <Modal.Overlay backgroundOpacity={0.2} />
      <Modal.Content aria-label="Search everything">
        <Search onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { groups, records } = useResults(typed)
  const all = groups.flatMap(({ results }) => results)
  // If there are fewer results than before, use the last one.
  const active = Math.min(at, all.length - 1)

  function open(result: Result) {
    onClose()
    if (!result.id.startsWith('found')) rememberRecent(result.id)
    if ('act' in result.leads) result.leads.act()
    else void router.navigate({ href: result.leads.to })
  }

  const steps = new Map([
    ['ArrowDown', active + 1],
    ['ArrowUp', active - 1],
  ])
  function move(event: KeyboardEvent) {
    const step = steps.get(event.key)
    const chosen = all[active]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      open(chosen)
    }
    if (step === undefined || all.length === 0) return
    event.preventDefault()
    const next = (step + all.length) % all.length
    setAt(next)
    list.current?.querySelector(`#${CSS.escape(`${id}-${next}`)}`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <>
      <div className={styles.search}>
        <IconSearch size={18} stroke={1.6} aria-hidden="true" />
        <input
          ref={focusAtStart}
          type="text"
          role="combobox"
          aria-label="Search everything"
          aria-expanded={all.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(all.length > 0 && { 'aria-activedescendant': `${id}-${active}` })}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          placeholder="Search everything"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={move}
        />
        <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
          <IconX size={16} stroke={1.6} aria-hidden="true" />
        </button>
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className={styles.list}>
        {groups.map(({ title, results }) => (
          <div key={title} role="group" aria-label={title}>
            <p className="fc-menu-group-name" aria-hidden="true">
              {title}
            </p>
            {results.map((result) => {
              const index = all.indexOf(result)
              return (
                <Option
                  key={result.id}
                  id={`${id}-${index}`}
                  result={result}
                  isActive={index === active}
                  onPoint={() => setAt(index)}
                  onOpen={() => open(result)}
                />
              )
            })}
          </div>
        ))}
      </div>
      <SearchState records={records} typed={typed} isEmpty={all.length === 0} />
    </>
  )
}

type SearchStateProps = {
  records: ReturnType<typeof useResults>['records']
  typed: string
  isEmpty: boolean
}

/** Whether the search for records is running, has failed, or found nothing. */
function SearchState({ records, typed, isEmpty }: SearchStateProps) {
  return (
    <>
      <output className={styles.state}>
        {records.isPending && <span>Searching…</span>}
        {records.failure && (
          <span className={styles.failed}>Couldn't search records: {records.failure.message}</span>
        )}
        {isEmpty && !records.isPending && !records.failure && (
          <span>
            No results for <bdi>“{typed.trim()}”</bdi>. Try part of the name.
          </span>
        )}
      </output>
      {records.failure && (
        <p className={styles.again}>
          <button type="button" className="fc-plain-button" onClick={records.retry}>
            Try again
          </button>
        </p>
      )}
    </>
  )
}

/** Earlier than the modal would do it, because users type immediately. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}

type OptionProps = { id: string; result: Result; isActive: boolean; onPoint: () => void; onOpen: () => void }

/** The focus stays in the field: the keyboard moves the active descendant, the mouse points. */
function Option({ id, result, isActive, onPoint, onOpen }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.option}
      onPointerMove={onPoint}
      onClick={onOpen}
    >
      <ResultIcon name={result.icon} />
      <span className="fc-grow fc-cut">
        <bdi>{result.title}</bdi>
      </span>
      <span className={`fc-cut ${styles.about}`}>
        <bdi>{result.about}</bdi>
      </span>
    </div>
  )
}
