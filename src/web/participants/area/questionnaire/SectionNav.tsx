import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconProgress } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useArea } from '../area.ts'
import type { ShownSection } from './shown-sections.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = {
  sections: readonly ShownSection[]
  open: OpenQuestionnaire
  /** The section shown on a phone; null if all are shown. */
  current: number | null
  goTo: (at: number) => void
  children: ReactNode
}

/** The sections with their progress: a list at the side, or the place in it on a phone. */
export function SectionNav({ sections, open, current, goTo, children }: Props) {
  const { text } = useArea()
  const { questions, answered, required, requiredAnswered } = open.evaluation.progress
  const missing = required - requiredAnswered
  const progress = text('answered', { n: answered, m: questions })
  if (current !== null) {
    return (
      <div className="fc-area-place fc-small">
        <strong>{text('of', { n: current + 1, m: sections.length })}</strong>
        <span className="fc-grow fc-cut">{sections[current]?.title}</span>
        <FlagMark section={sections[current]} open={open} />
        <span className="fc-soft">{progress}</span>
        {missing > 0 && (
          <span className="fc-area-place-more fc-soft">{text('requiredOpen', { n: missing })}</span>
        )}
        <div className="fc-area-place-more">{children}</div>
      </div>
    )
  }
  return (
    <nav className="fc-area-nav" aria-label={text('sections')}>
      <p className="fc-small">
        <strong>{progress}</strong>
      </p>
      {missing > 0 && <p className="fc-small fc-soft">{text('requiredOpen', { n: missing })}</p>}
      <ul>
        {sections.map((section, at) => {
          const { asked, done } = countOf(section, open)
          return (
            <li key={section.id}>
              <button
                type="button"
                aria-current={section.codes.includes(open.focused ?? '') ? 'location' : undefined}
                onClick={() => goTo(at)}
              >
                <ProgressIcon asked={asked} done={done} />
                <span className="fc-grow">{section.title}</span>
                <FlagMark section={section} open={open} />
                <span className="fc-number fc-soft">{text('of', { n: done, m: asked })}</span>
              </button>
            </li>
          )
        })}
      </ul>
      {children}
    </nav>
  )
}

/** How many changes were requested in a section. */
function FlagMark({ section, open }: { section: ShownSection | undefined; open: OpenQuestionnaire }) {
  const { text } = useArea()
  const flags = open.record.flags.filter(({ questionCode }) => section?.codes.includes(questionCode) === true)
  if (flags.length === 0) return null
  const label = text('flagged', { n: flags.length })
  return (
    <span className="fc-area-warn fc-number" title={label}>
      <IconAlertTriangle size={14} aria-hidden="true" /> {flags.length}
      <span className="fc-hidden">{label}</span>
    </span>
  )
}

function ProgressIcon({ asked, done }: { asked: number; done: number }) {
  if (done === asked) return <IconCircleCheck size={16} aria-hidden="true" className="fc-area-good" />
  if (done === 0) return <IconCircleDashed size={16} aria-hidden="true" className="fc-soft" />
  return <IconProgress size={16} aria-hidden="true" className="fc-area-info" />
}

/** Questions of a section that expect an answer, and those that have a valid one. */
function countOf({ codes }: ShownSection, { compiled, evaluation: { answers } }: OpenQuestionnaire) {
  const asked = codes.filter((code) => {
    const type = compiled.byCode.get(code)?.question.type
    return type !== 'note' && type !== 'computed'
  })
  return { asked: asked.length, done: asked.filter((code) => Object.hasOwn(answers, code)).length }
}
