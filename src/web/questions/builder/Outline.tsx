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
import { Button, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconArrowsSplit2, IconEyeOff, IconPlus, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { Question, Section } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import { capital, untitled } from './builder-labels.ts'
import {
  addSection,
  type ChosenQuestion,
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
  const { noun, Tools } = builder.kit
  const list = useRef<HTMLOListElement>(null)
  const [isAdding, setAdding] = useState(false)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    // A long press, so that the page still scrolls.
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 6 } }),
  )
  const [search, setSearch] = useState('')
  const { sections } = content.draft
  const shown = sections.flatMap((section, at) => {
    const questions = shownQuestions(section, builder, search)
    return questions === null ? [] : [{ section, questions, number: at + 1 }]
  })
  const ids = shown.flatMap(({ section, questions }) => [
    `s:${section.id}`,
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
          {Tools !== undefined && <Tools builder={builder} />}
        </div>
      )}
      {builder.kit.showsOneSection === true && (
        <TextInput
          className="fc-outline-search"
          aria-label="Find a question"
          placeholder="Question or code"
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
      )}
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          {/* Each entry is a button with its own handler; the list only moves the focus. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <ol ref={list} onKeyDown={(event) => followKey(event, builder, () => setAdding(true))}>
            {shown.map(({ section, questions, number }) => (
              <SectionEntries key={section.id} {...{ builder, section, questions, number, onOpen }} />
            ))}
            {shown.length === 0 && <li className="fc-outline-none">No question matches.</li>}
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

/** The entries below a section: those that match a search, otherwise all or those of the chosen one. Null hides it. */
function shownQuestions(section: Section, builder: Builder, search: string): readonly Question[] | null {
  const { kit, chosen, language, content } = builder
  if (kit.showsOneSection !== true) return section.questions
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return section.id === chosen.section ? section.questions : []
  const found = section.questions.filter(({ code, title }) =>
    `${code} ${textIn(title, language, content.draft.languages)}`.toLowerCase().includes(wanted),
  )
  return found.length === 0 ? null : found
}

const readId = (id: string): ChosenQuestion =>
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
  const entries = content.draft.sections.flatMap(({ id, questions }): ChosenQuestion[] => [
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
function sayPlace(
  content: Builder['content'],
  { section, question }: ChosenQuestion,
  noun: SectionNoun,
): string {
  if (question === null) {
    return `${capital(noun)} moved to position ${content.draft.sections.findIndex(({ id }) => id === section) + 1}`
  }
  const place = placeOf(content, question)
  return place === null ? '' : `${question} moved to question ${place.at + 1} of ${noun} ${place.section + 1}`
}

type SectionProps = Props & { section: Section; questions: readonly Question[]; number: number }

function SectionEntries({ builder, section, questions, number, onOpen }: SectionProps) {
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
          {questions.length === 0 && <SectionMark builder={builder} section={section} />}
          <span className="fc-faint fc-number">{section.questions.length}</span>
        </Entry>
      </li>
      {questions.map((question) => (
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

/** The worst problem of the questions of a closed section. */
function SectionMark({ builder: { problems }, section }: { builder: Builder; section: Section }) {
  const own = problems.filter((problem) => problem.section === section.id)
  const worst = own.find(({ severity }) => severity === 'error') ?? own[0]
  if (worst === undefined) return null
  return (
    <>
      <IconAlertTriangle size={16} className={`fc-${worst.severity}-mark`} aria-hidden="true" />
      <span className="fc-hidden">{worst.severity === 'error' ? 'has a problem' : 'has a hint'}</span>
    </>
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
  to: ChosenQuestion
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
