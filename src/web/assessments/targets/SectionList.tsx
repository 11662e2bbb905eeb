import { textIn } from '#contract/questions/texts.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import type { ShownSection } from './target-view.ts'
import type { TargetState } from './use-target.ts'

type Props = {
  sections: readonly ShownSection[]
  /** The ID of the section that is open. */
  current: string | undefined
  target: TargetState
  onOpen: (section: string) => void
}

/** The sections that are asked, with what is answered in each. */
export function SectionList({ sections, current, target, onOpen }: Props) {
  const { compiled, language, evaluation } = target
  const { answered, questions } = evaluation.progress
  const percent = questions === 0 ? 0 : Math.floor((answered * 100) / questions)
  return (
    <nav className="fc-target-sections" aria-label="Sections">
      <p className="fc-target-total">
        <strong>
          {answered} of {questions} answered
        </strong>
        <span className="fc-number">{percent}%</span>
      </p>
      <ul>
        {sections.map((section) => (
          <li key={section.section}>
            <button
              type="button"
              {...(section.section === current && { 'aria-current': 'true' as const })}
              onClick={() => onOpen(section.section)}
            >
              <Status {...markOf(section)}>
                <span className="fc-target-name">
                  <bdi>{textIn(section.title, language, compiled.definition.languages)}</bdi>
                </span>
              </Status>
              <span className="fc-number">
                {section.flagged > 0
                  ? `${section.flagged} to change`
                  : `${section.answered} of ${section.questions}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function markOf({ answered, questions, flagged }: ShownSection) {
  if (flagged > 0) return { tone: 'warn', mark: 'alert' } as const
  if (questions > 0 && answered === questions) return { tone: 'good', mark: 'check' } as const
  return answered > 0 ? ({ tone: 'info', mark: 'half' } as const) : ({ tone: 'mute', mark: 'wait' } as const)
}
