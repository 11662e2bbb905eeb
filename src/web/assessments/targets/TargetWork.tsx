import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { assessmentPresence } from '#contract/assessments/targets/presence.ts'
import { assessmentTargets, type TargetRecord } from '#contract/assessments/targets/targets.ts'
import { isReviewed } from '#contract/assessments/targets/target-states.ts'
import { textIn } from '#contract/questions/texts.ts'
import { call } from '#web/api/client.ts'
import { isRecord } from '#web/api/read-json.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Movable } from '#web/ui/layout/Movable.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { useKeptTyping } from '#web/ui/record/kept-typing.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import type { Device } from '../answering/device-store.ts'
import { usePresence } from '../answering/use-presence.ts'
import { useSameVersion } from '../answering/use-same-version.ts'
import type { TabClaim } from '../answering/use-tab-claim.ts'
import { QuestionPanel } from './panel/QuestionPanel.tsx'
import { ScoreDrawer } from './ScoreDrawer.tsx'
import { SectionList } from './SectionList.tsx'
import { SectionQuestions } from './SectionQuestions.tsx'
import { SendingState } from './SendingState.tsx'
import { TargetHeader } from './TargetHeader.tsx'
import { TargetReopeningNotice } from './TargetReopeningNotice.tsx'
import { type TargetState, useTarget } from './use-target.ts'

const CHOOSE = "Choose a question to see its comments, evidence, history and last year's answer."

const route = getRouteApi('/shell/assessments/$id/targets/$targetId')

type Props = {
  latest: TargetRecord
  device: Device
  claim: TabClaim
  /** Opens the page again, with the questions of another version. */
  reopen: () => void
}

/** Sections, the questions of one of them, and what belongs to the chosen question. */
export function TargetWork({ latest, device, claim, reopen }: Props) {
  const { record, isMoved } = useSameVersion(latest, ({ assessment }) => assessment.questionnaireNumber)
  const target = useTarget(record, device, claim)
  const search = route.useSearch()
  const isNarrow = useMediaQuery('(max-width: 1099px)', false, { getInitialValueInEffect: false })
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  /** On a narrow screen the details of a question are opened with its button. */
  const [isOpen, setOpen] = useState(false)
  const [hasScore, showScore] = useState(false)
  const { flags, setFlags, kept } = useFlags(record)
  const { sync } = target.answering
  useEffect(() => {
    if (isMoved) void sync.keepTyped().then(reopen)
  }, [sync, isMoved, reopen])
  // What this device can't keep would be lost with the page.
  useUnsavedGuard(flags.size > 0 || (!sync.state().isKept && sync.countWaiting() > 0))
  const main = useRef<HTMLDivElement>(null)
  const { sections, evaluation } = target
  const at = Math.max(
    0,
    sections.findIndex(({ section }) => section === search.section),
  )
  const current = sections[at]
  const chosen = current?.items.find(({ question }) => question.code === search.question)

  const present = usePresence(chosen?.question.code ?? null, (visit, options) =>
    call(assessmentPresence.report, { targetId: record.id, ...visit }, options),
  )
  const { open, goTo, turnTo } = useTurning(target, main, () =>
    setLeft((former) => new Set([...former, ...evaluation.visible])),
  )
  return (
    <div className="fc-list fc-target-page">
      <TargetHeader
        target={target}
        present={present}
        flags={flags}
        onFlagged={() => {
          kept.end()
          setFlags(new Map())
        }}
        onProblem={goTo}
        onScore={() => showScore(true)}
      />
      <TargetReopeningNotice record={record} />
      {isReviewed(record) && <KeptNotice kept={kept} labels={FLAG_LABELS} margin="8px 24px" />}
      <SendingState target={target} onProblem={goTo} />
      <div className="fc-target">
        <SectionList sections={sections} current={current?.section} target={target} onOpen={turnTo} />
        <SectionQuestions
          target={target}
          present={present}
          at={at}
          chosen={search.question}
          flags={flags}
          left={left}
          onLeave={(code) => setLeft((former) => new Set([...former, code]))}
          onChoose={(code) => open(current?.section, code)}
          onDetails={() => setOpen(true)}
          onTurn={turnTo}
          main={main}
        />
        <Details
          key={chosen?.question.code}
          target={target}
          chosen={chosen}
          isBeside={!isNarrow}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
        >
          {chosen !== undefined && (
            <QuestionPanel
              target={target}
              shown={chosen}
              flag={flags.get(chosen.question.code)}
              onFlag={(comment) => setFlags((former) => withFlag(former, chosen.question.code, comment))}
            />
          )}
        </Details>
      </div>
      {hasScore && <ScoreDrawer target={target} onClose={() => showScore(false)} />}
    </div>
  )
}

const FLAG_LABELS = { flags: 'Changes to request' }

/** Comments of changes that are requested together, by question. They stay on this device until then. */
function useFlags({ id }: TargetRecord) {
  const [flags, setFlags] = useState<ReadonlyMap<string, string>>(new Map())
  const kept = useKeptTyping({
    endpoint: assessmentTargets.requestChanges,
    record: { id },
    values: { flags: Object.fromEntries(flags) },
    changed: flags.size > 0 ? ['flags'] : [],
    putBack: ({ flags: typed }) => {
      const before = isRecord(typed) ? Object.entries(typed) : []
      setFlags((now) => new Map([...before.map(([code, text]) => [code, String(text)] as const), ...now]))
    },
  })
  return { flags, setFlags, kept }
}

type DetailsProps = {
  target: TargetState
  chosen: ComponentProps<typeof QuestionPanel>['shown'] | undefined
  /** Beside the questions; otherwise in a drawer. */
  isBeside: boolean
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}

/** What belongs to the chosen question. What is typed there survives a change of the width. */
function Details({ target, chosen, isBeside, isOpen, onClose, children }: DetailsProps) {
  const { language, compiled } = target
  const renderFrame = (content: ReactNode) => {
    if (isBeside) {
      return (
        <aside className="fc-target-side" aria-label="Question details">
          {chosen === undefined ? <p className="fc-small fc-soft">{CHOOSE}</p> : content}
        </aside>
      )
    }
    if (!isOpen || chosen === undefined) return null
    return (
      <FormDrawer
        title={`Question ${chosen.number}`}
        about={textIn(chosen.question.title, language, compiled.definition.languages)}
        onClose={onClose}
      >
        <div className="fc-target-drawer">{content}</div>
      </FormDrawer>
    )
  }
  return <Movable renderFrame={renderFrame}>{children}</Movable>
}

/** How the page goes to sections and questions. The one that is open is in the URL. */
function useTurning(
  { compiled }: TargetState,
  main: RefObject<HTMLDivElement | null>,
  showProblems: () => void,
) {
  const navigate = route.useNavigate()
  const open = (section: string | undefined, question?: string) =>
    void navigate({
      search: { ...(section !== undefined && { section }), ...(question !== undefined && { question }) },
      replace: true,
      resetScroll: false,
      ignoreBlocker: true,
    })
  return {
    open,
    /** Shows what is wrong at a question, and puts the focus into it after React has rendered its section. */
    goTo: (code: string) => {
      showProblems()
      open(compiled.byCode.get(code)?.section.id, code)
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const field = main.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(code)}"]`)
          field?.scrollIntoView({ block: 'center' })
          field?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, button')?.focus()
        }),
      )
    },
    turnTo: (section: string) => {
      open(section)
      requestAnimationFrame(() => main.current?.querySelector<HTMLElement>('[data-heading]')?.focus())
      main.current?.scrollTo({ top: 0 })
    },
  }
}

function withFlag(flags: ReadonlyMap<string, string>, code: string, comment: string | null) {
  const next = new Map(flags)
  if (comment === null) next.delete(code)
  else next.set(code, comment)
  return next
}
