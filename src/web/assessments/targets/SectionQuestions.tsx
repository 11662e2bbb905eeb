import { Button } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import type { RefObject } from 'react'
import type { PresentPerson } from '#contract/assessments/targets/presence.ts'
import { textIn } from '#contract/questions/texts.ts'
import { problemsAfterLeaving } from '#web/questions/field-props.ts'
import { GroupedQuestions } from '#web/questions/GroupedQuestions.tsx'
import { QuestionItem } from './QuestionItem.tsx'
import type { TargetState } from './use-target.ts'

type Props = {
  target: TargetState
  /** Others who have this target open. */
  present: readonly PresentPerson[]
  /** The index of the section among those that are asked. */
  at: number
  /** The code of the chosen question. */
  chosen: string | undefined
  flags: ReadonlyMap<string, string>
  /** Questions that were left: their problems are shown. */
  left: ReadonlySet<string>
  onLeave: (code: string) => void
  onChoose: (code: string) => void
  onDetails: () => void
  onTurn: (section: string) => void
  main: RefObject<HTMLDivElement | null>
}

/** The questions of one section, and the way to the next. */
export function SectionQuestions({ target, present, at, chosen, flags, left, main, ...on }: Props) {
  const { sections, language, compiled } = target
  const { languages } = compiled.definition
  const [current, next, before] = [sections[at], sections[at + 1], sections[at - 1]]
  const items = new Map(current?.items.map((shown) => [shown.question.code, shown]))
  const problemsOf = (code: string) => problemsAfterLeaving(target.evaluation.problems, code, left)
  return (
    <div ref={main} className="fc-target-main">
      {current !== undefined && (
        <section aria-labelledby="fc-target-section" className="fc-questions" lang={language}>
          <h2 id="fc-target-section" data-heading tabIndex={-1}>
            <bdi>{textIn(current.title, language, languages)}</bdi>
          </h2>
          <GroupedQuestions
            codes={[...items.keys()]}
            compiled={compiled}
            evaluation={target.evaluation}
            language={language}
            problemsOf={problemsOf}
          >
            {(code) => {
              const shown = items.get(code)
              return (
                shown !== undefined && (
                  <QuestionItem
                    key={code}
                    target={target}
                    shown={shown}
                    present={present.filter(({ questionCode }) => questionCode === code)}
                    isChosen={code === chosen}
                    isFlagging={flags.has(code)}
                    problems={problemsOf(code)}
                    onLeave={() => on.onLeave(code)}
                    onChoose={() => on.onChoose(code)}
                    onDetails={on.onDetails}
                  />
                )
              )
            }}
          </GroupedQuestions>
        </section>
      )}
      <div className="fc-target-turn">
        {before !== undefined && (
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} className="fc-flip" aria-hidden="true" />}
            onClick={() => on.onTurn(before.section)}
          >
            Back
          </Button>
        )}
        {next !== undefined && (
          <Button
            variant="default"
            rightSection={<IconArrowRight size={16} className="fc-flip" aria-hidden="true" />}
            onClick={() => on.onTurn(next.section)}
          >
            Next: {textIn(next.title, language, languages)}
          </Button>
        )}
      </div>
    </div>
  )
}
