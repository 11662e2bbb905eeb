import { Button, Switch } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle, IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ParticipantQuestionnaire } from '#contract/participants/area/participant-area.ts'
import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import { showCalendarDay, showTime, useArea } from '../area.ts'
import { AreaLayout, nameOfLanguage } from '../AreaLayout.tsx'
import { AskDialog } from './AskDialog.tsx'
import { DelegateDialog, type Part } from './DelegateDialog.tsx'
import { Notices } from '../Notices.tsx'
import { DownloadAnswers, ReceiptCard } from './ReceiptCard.tsx'
import { QuestionLinks } from './QuestionLinks.tsx'
import { QuestionSection } from './QuestionSection.tsx'
import { SectionNav } from './SectionNav.tsx'
import { sectionsToShow, type ShownSection } from './shown-sections.ts'
import { SubmitDialog } from './SubmitDialog.tsx'
import { type OpenQuestionnaire, useQuestionnaire } from './use-questionnaire.ts'

type Props = Parameters<typeof useQuestionnaire>[0]

/** `question`: null for the whole questionnaire. */
type Dialog = { kind: 'submit' } | { kind: 'ask'; question: string | null } | { kind: 'delegate'; part: Part }

/** A questionnaire: one section at a time on a phone, whole on a wide screen. */
export function Questionnaire(props: Props) {
  const { text } = useArea()
  const open = useQuestionnaire(props)
  const { record, evaluation, compiled, tag, inNeed } = open
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [onlyMine, setOnlyMine] = useState(false)
  const [showsProblems, setShowsProblems] = useState(false)
  const isWide = useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false })
  const main = useRef<HTMLDivElement>(null)
  const sections = sectionsToShow(record, evaluation, { onlyMine, tag, inNeed })
  const { current, goTo } = useSection(sections, record, main)
  const goToQuestion = (code: string) => {
    setOnlyMine(false)
    const all = sectionsToShow(record, evaluation, { onlyMine: false, tag, inNeed })
    goTo(
      all.findIndex(({ codes }) => codes.includes(code)),
      code,
    )
  }
  const shown = isWide ? sections : sections.slice(current, current + 1)
  const { questions, answered } = evaluation.progress
  const maySubmit =
    record.role !== 'reader' &&
    record.receipt === null &&
    record.phase === 'open' &&
    isAnswerable(record.state)
  const submit = maySubmit && (
    <Button className="fc-area-submit" onClick={() => setDialog({ kind: 'submit' })}>
      {text(record.role === 'owner' ? 'submit' : 'finish')}
    </Button>
  )
  const ask = (question: string | null) => setDialog({ kind: 'ask', question })

  return (
    <AreaLayout
      title={record.assessmentName}
      about={<About record={record} />}
      languages={record.definition.languages}
      progress={questions === 0 ? 0 : (answered / questions) * 100}
      actions={<MenuEntries record={record} onAsk={() => ask(null)} />}
      banners={
        <>
          <Notices record={record} sync={open.view.sync} isKept={open.isKept} />
          <NeedsYou open={open} goTo={goToQuestion} />
        </>
      }
      bar={
        <>
          <SendingState open={open} />
          {!isWide && <Steps {...{ sections, current, goTo, submit }} />}
          {isWide && submit}
        </>
      }
    >
      <div className="fc-area-columns">
        <SectionNav sections={sections} open={open} current={isWide ? null : current} goTo={(at) => goTo(at)}>
          {record.mine.length < compiled.byCode.size && (
            <Switch
              label={text('onlyMine')}
              checked={onlyMine}
              onChange={(event) => setOnlyMine(event.currentTarget.checked)}
            />
          )}
        </SectionNav>
        <div ref={main} className="fc-area-questions" lang={tag}>
          {record.receipt !== null && <ReceiptCard receipt={record.receipt} />}
          <Remarks record={record} tag={tag} />
          {shown.map((section) => (
            <QuestionSection
              key={section.id}
              section={section}
              open={open}
              showsProblems={showsProblems}
              onAsk={ask}
              onDelegate={(part) => setDialog({ kind: 'delegate', part })}
            />
          ))}
        </div>
      </div>
      {dialog !== null && (
        <OpenDialog
          {...{ dialog, open }}
          onClose={() => setDialog(null)}
          onProblems={() => setShowsProblems(true)}
          goTo={goToQuestion}
        />
      )}
    </AreaLayout>
  )
}

type OpenDialogProps = {
  dialog: Dialog
  open: OpenQuestionnaire
  onClose: () => void
  onProblems: () => void
  goTo: (code: string) => void
}

function OpenDialog({ dialog, open, onClose, onProblems, goTo }: OpenDialogProps) {
  if (dialog.kind === 'ask')
    return <AskDialog record={open.record} question={dialog.question} onClose={onClose} />
  if (dialog.kind === 'delegate') return <DelegateDialog open={open} part={dialog.part} onClose={onClose} />
  return (
    <SubmitDialog
      open={open}
      onClose={onClose}
      onProblems={onProblems}
      goToQuestion={(code) => {
        onClose()
        goTo(code)
      }}
    />
  )
}

/** For whom, and until when. */
function About({ record: { targetName, isOverdue, dueOn } }: { record: ParticipantQuestionnaire }) {
  const { text, language } = useArea()
  return (
    <>
      <bdi>{targetName}</bdi>
      {' · '}
      {text(isOverdue ? 'overdue' : 'due', { date: showCalendarDay(dueOn, language) })}
    </>
  )
}

/** The language of the questions if it isn't the reader's, and why a delegate has none. */
function Remarks({
  record: { isDelegate, definition },
  tag,
}: {
  record: ParticipantQuestionnaire
  tag: string
}) {
  const { text, language } = useArea()
  const isForeign = tag.split('-')[0] !== language.split('-')[0]
  return (
    <>
      {isForeign && (
        <p className="fc-area-note fc-small fc-soft" lang={language}>
          {text('questionsIn', { language: nameOfLanguage(tag, language) })}
        </p>
      )}
      {isDelegate && definition.sections.length === 0 && <p lang={language}>{text('takenBack')}</p>}
    </>
  )
}

type MenuEntriesProps = { record: ParticipantQuestionnaire; onAsk: () => void }

function MenuEntries({ record: { targetId, sender }, onAsk }: MenuEntriesProps) {
  const { text } = useArea()
  return (
    <>
      <Link to="/participants" search={{}} role="menuitem" className="fc-drop-item">
        {text('work')}
      </Link>
      <button type="button" role="menuitem" className="fc-drop-item" onClick={onAsk}>
        {sender === null ? text('askAny') : text('ask', { name: sender })}
      </button>
      <DownloadAnswers targetId={targetId} />
    </>
  )
}

/** The section in the URL, so that "back" returns to the one before; at first the one with requested changes. */
function useSection(
  sections: readonly ShownSection[],
  { flags }: ParticipantQuestionnaire,
  main: { current: HTMLDivElement | null },
) {
  const { task, section } = useLocation({ select: ({ search }) => search })
  const navigate = useNavigate()
  const flagged = sections.findIndex(({ codes }) =>
    flags.some(({ questionCode }) => codes.includes(questionCode)),
  )
  const found = sections.findIndex(({ id }) => id === section)
  const current = Math.max(0, found === -1 ? flagged : found)
  /** Shows a section, and moves to one of its questions or to its heading. */
  const goTo = (at: number, code?: string) => {
    const next = sections[at] ?? sections[0]
    if (next === undefined) return
    void navigate({ to: '/participants', search: { ...(task !== undefined && { task }), section: next.id } })
    // After React has rendered the section.
    setTimeout(() => {
      const place =
        code === undefined
          ? main.current?.querySelector(`[data-section="${CSS.escape(next.id)}"]`)
          : main.current?.querySelector(`[data-question="${CSS.escape(code)}"]`)
      place?.scrollIntoView({ block: 'start' })
      place?.querySelector<HTMLElement>(code === undefined ? 'h2' : 'input, textarea, button')?.focus({
        preventScroll: true,
      })
    })
  }
  // A wide page shows all sections, and begins at what was asked for.
  const start = useRef(section === undefined ? flags[0]?.questionCode : undefined)
  useEffect(() => {
    if (start.current !== undefined) goTo(flagged, start.current)
    start.current = undefined
  })
  return { current, goTo }
}

/** Answers that a person must decide about, in whichever section they are. */
function NeedsYou({ open, goTo }: { open: OpenQuestionnaire; goTo: (code: string) => void }) {
  const { text } = useArea()
  if (open.inNeed.length === 0) return null
  return (
    <div className="fc-area-banner" role="alert">
      <IconAlertTriangle size={16} aria-hidden="true" />
      <div>
        <strong>{text('needsYou', { n: open.inNeed.length })}</strong>
        <QuestionLinks codes={open.inNeed} open={open} goTo={goTo} />
      </div>
    </div>
  )
}

/** What needs the reader, "3 waiting to send", and when answers were last sent. */
function SendingState({ open: { inNeed, waiting, view } }: { open: OpenQuestionnaire }) {
  const { text, language } = useArea()
  const { lastSentAt } = view.sync
  const isDone = inNeed.length + waiting === 0
  return (
    <output className="fc-area-sending fc-small">
      {inNeed.length > 0 && <span className="fc-area-warn">{text('needsYou', { n: inNeed.length })}</span>}
      {waiting > 0 && <span className="fc-area-warn">{text('waiting', { n: waiting })}</span>}
      {isDone && lastSentAt !== null && <span className="fc-area-good">{text('allSent')}</span>}
      <span className="fc-soft">
        {lastSentAt !== null && text('lastSent', { time: showTime(lastSentAt, language) })}
      </span>
    </output>
  )
}

type StepsProps = {
  sections: readonly ShownSection[]
  current: number
  goTo: (at: number) => void
  /** The button at the end. */
  submit: ReactNode
}

/** From section to section on a phone. */
function Steps({ sections, current, goTo, submit }: StepsProps) {
  const { text } = useArea()
  const next = sections[current + 1]
  return (
    <div className="fc-area-steps">
      {current > 0 && (
        <Button
          variant="default"
          leftSection={<IconArrowLeft size={16} className="fc-flip" aria-hidden="true" />}
          onClick={() => goTo(current - 1)}
        >
          {text('back')}
        </Button>
      )}
      {next !== undefined && (
        <Button
          className="fc-grow"
          rightSection={<IconArrowRight size={16} className="fc-flip" aria-hidden="true" />}
          onClick={() => goTo(current + 1)}
        >
          {text('next', { section: next.title })}
        </Button>
      )}
      {next === undefined && submit}
    </div>
  )
}
