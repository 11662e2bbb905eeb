import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowsSplit2, IconEyeOff, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { Question, Section } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import { capital, untitled } from './builder-labels.ts'
import {
  addSection,
  type Chosen,
  dropQuestion,
  moveQuestion,
  moveSection,
  placeOf,
  type SectionNoun,
} from './content-changes.ts'
import { QuestionIcon } from './QuestionIcon.tsx'
import { removeChosen } from './remove-chosen.ts'
import { TypeMenu } from './TypeMenu.tsx'
import type { Builder } from './use-builder.ts'

type Props = {
  builder: Builder
  /** An entry was opened with the pointer or with Enter. */
  onOpen: () => void
}

/** The steps with their questions. Reorders by drag, or with Alt and the arrow keys. */
export function Outline({ builder, onOpen }: Props) {
  const { content, apply, isReadOnly } = builder
  const { noun } = builder.kit
  const list = useRef<HTMLOListElement>(null)
  const [isAdding, setAdding] = useState(false)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    // A long press, so that the page still scrolls.
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 6 } }),
  )
  const { sections } = content.draft
  const ids = sections.flatMap(({ id, questions }) => [
    `s:${id}`,
    ...questions.map(({ code }) => `q:${code}`),
  ])

  function drop({ active, over }: DragEndEvent) {
    if (!over || over.id === active.id) return
    const code = String(active.id).slice(2)
    apply(dropQuestion(content, code, readId(String(over.id))), `${code} moved`)
  }
  return (
    <nav className="fc-outline" aria-label="Questions">
      {!isReadOnly && (
        <div className="fc-outline-tools">
          <TypeMenu builder={builder} isOpen={isAdding} onToggle={setAdding}>
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden="true" />}>
              Add question
            </Button>
          </TypeMenu>
          <Button
            variant="subtle"
            onClick={() => apply(addSection(content, builder.chosen, noun), `${capital(noun)} added`)}
          >
            Add {noun}
          </Button>
        </div>
      )}
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          {/* Each entry is a button with its own handler; the list only moves the focus. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <ol ref={list} onKeyDown={(event) => followKey(event, builder, () => setAdding(true))}>
            {sections.map((section, at) => (
              <SectionEntries key={section.id} {...{ builder, section, onOpen }} number={at + 1} />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <p className="fc-outline-keys" aria-hidden="true">
        <kbd className="fc-key">↑</kbd>
        <kbd className="fc-key">↓</kbd> select
        <kbd className="fc-key">Alt</kbd>
        <kbd className="fc-key">↑</kbd> move
        <kbd className="fc-key">n</kbd> add
      </p>
    </nav>
  )
}

const readId = (id: string): Chosen =>
  id.startsWith('s:') ? { section: id.slice(2), question: null } : { section: '', question: id.slice(2) }

/** Arrow keys choose, with Alt they move; n adds; Delete removes. */
function followKey(event: KeyboardEvent, builder: Builder, add: () => void) {
  const { content, chosen, isReadOnly } = builder
  if (event.ctrlKey || event.metaKey) return
  const by = BY[event.key]
  if (by !== undefined) {
    event.preventDefault()
    if (!event.altKey) return chooseNext(builder, by)
    if (isReadOnly) return
    const { section, question } = chosen
    const moved = question === null ? moveSection(content, section, by) : moveQuestion(content, question, by)
    builder.apply(moved, moved === null ? '' : sayPlace(moved.content, moved.chosen, builder.kit.noun))
    return focusChosen()
  }
  if (isReadOnly) return
  if (event.key === 'n') {
    event.preventDefault()
    add()
  }
  if (event.key === 'Delete') removeChosen(builder)
}

const BY: Readonly<Record<string, -1 | 1 | undefined>> = { ArrowUp: -1, ArrowDown: 1 }

function chooseNext({ content, chosen, choose }: Builder, by: -1 | 1) {
  const entries = content.draft.sections.flatMap(({ id, questions }): Chosen[] => [
    { section: id, question: null },
    ...questions.map(({ code }) => ({ section: id, question: code })),
  ])
  const at = entries.findIndex(
    ({ section, question }) => section === chosen.section && question === chosen.question,
  )
  const next = entries[at + by]
  if (next === undefined) return
  choose(next)
  focusChosen()
}

/** After React has rendered the change. */
function focusChosen() {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.fc-outline [aria-current]')?.focus())
}

/** "Email, question 2 of step 1". */
function sayPlace(content: Builder['content'], { section, question }: Chosen, noun: SectionNoun): string {
  if (question === null) {
    return `${capital(noun)} moved to position ${content.draft.sections.findIndex(({ id }) => id === section) + 1}`
  }
  const place = placeOf(content, question)
  return place === null ? '' : `${question} moved to question ${place.at + 1} of ${noun} ${place.section + 1}`
}

function SectionEntries({ builder, section, number, onOpen }: Props & { section: Section; number: number }) {
  const { chosen, language, content, isReadOnly } = builder
  const { setNodeRef, transform, transition } = useSortable({
    id: `s:${section.id}`,
    disabled: { draggable: true },
  })
  const title = textIn(section.title, language, content.draft.languages)
  return (
    <>
      <li ref={setNodeRef} style={{ transform: CSS.Translate.toString(transform), transition }}>
        <Entry
          builder={builder}
          to={{ section: section.id, question: null }}
          onOpen={onOpen}
          isSection
          isChosen={chosen.section === section.id && chosen.question === null}
        >
          <span className="fc-faint fc-number">{number}</span>
          <span className="fc-grow fc-cut">
            <bdi>{title || untitled(builder.kit.noun)}</bdi>
          </span>
          {section.visibleIf !== undefined && <RuleMark />}
          <span className="fc-faint fc-number">{section.questions.length}</span>
        </Entry>
      </li>
      {section.questions.map((question) => (
        <QuestionEntry
          key={question.code}
          {...{ builder, question, onOpen, isReadOnly }}
          section={section.id}
        />
      ))}
    </>
  )
}

type QuestionProps = Props & { question: Question; section: string; isReadOnly: boolean }

function QuestionEntry({ builder, question, section, isReadOnly, onOpen }: QuestionProps) {
  const { chosen, language, content, problems } = builder
  const { code, title, type, isHidden, visibleIf } = question
  const { listeners, setNodeRef, transform, transition, isDragging } = useSortable({
    id: `q:${code}`,
    disabled: isReadOnly,
  })
  const worst = problems.find((problem) => problem.question === code)
  return (
    <li
      ref={setNodeRef}
      data-dragged={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      {...listeners}
    >
      <Entry
        builder={builder}
        to={{ section, question: code }}
        onOpen={onOpen}
        isChosen={chosen.question === code}
      >
        <QuestionIcon type={type} />
        <span className="fc-grow fc-cut">
          <bdi>{textIn(title, language, content.draft.languages) || code}</bdi>
        </span>
        {isHidden === true && (
          <>
            <IconEyeOff size={14} aria-hidden="true" />
            <span className="fc-hidden">hidden</span>
          </>
        )}
        {visibleIf !== undefined && <RuleMark />}
        {worst !== undefined && (
          <>
            <IconAlertTriangle size={16} className={`fc-${worst.severity}-mark`} aria-hidden="true" />
            <span className="fc-hidden">{worst.severity === 'error' ? 'has a problem' : 'has a hint'}</span>
          </>
        )}
      </Entry>
    </li>
  )
}

function RuleMark() {
  return (
    <>
      <IconArrowsSplit2 size={14} aria-hidden="true" />
      <span className="fc-hidden">has a rule</span>
    </>
  )
}

function Entry(props: {
  builder: Builder
  to: Chosen
  isChosen: boolean
  isSection?: boolean
  onOpen: () => void
  children: ReactNode
}) {
  const { builder, to, isChosen, isSection = false, onOpen, children } = props
  return (
    <button
      type="button"
      className="fc-outline-entry"
      data-section={isSection || undefined}
      {...(isChosen && { 'aria-current': true })}
      tabIndex={isChosen ? 0 : -1}
      onClick={() => {
        builder.choose(to)
        onOpen()
      }}
    >
      {children}
    </button>
  )
}
