import { Button } from '@mantine/core'
import { textIn } from '#contract/questions/texts.ts'
import { useArea } from '../area.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = {
  codes: readonly string[]
  open: Pick<
    OpenQuestionnaire,
    'compiled' | 'tag' | 'record' | 'evaluation' | 'answering' | 'stored' | 'view'
  >
  goTo: (code: string) => void
}

/** Questions by their title, as links to them. What was answered to one that the questionnaire doesn't have anymore can be discarded. */
export function QuestionLinks({ codes, open, goTo }: Props) {
  const { text } = useArea()
  const { compiled, tag, record, evaluation, answering, stored, view } = open
  const titleOf = (code: string) =>
    textIn(compiled.byCode.get(code)?.question.title, tag, record.definition.languages) || code
  /** Where one of several questions is enough, all of them. */
  const nameOf = (code: string) => {
    const group = evaluation.oneOf.find(({ questions, isAnswered }) => !isAnswered && questions[0] === code)
    const titles = (group?.questions ?? [code]).map(titleOf)
    return new Intl.ListFormat(tag, { type: 'disjunction' }).format(titles)
  }
  if (codes.length === 0) return null
  return (
    <ul className="fc-area-missing">
      {codes.map((code) => {
        if (!compiled.byCode.has(code))
          return (
            <li key={code}>
              {code}: <bdi>{typedFor(code, view.sync)}</bdi>{' '}
              <Button variant="subtle" size="compact-sm" onClick={() => void answering.drop(code, stored)}>
                {text('giveUp')}
              </Button>
            </li>
          )
        return (
          <li key={code}>
            <button type="button" className="fc-area-link" lang={tag} onClick={() => goTo(code)}>
              {nameOf(code)}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** What was typed, so that it can be read or copied before it is discarded: the texts and numbers of it. */
function typedFor(code: string, { queue }: OpenQuestionnaire['view']['sync']): string {
  return queue.changes.flatMap(({ question, value }) => (question === code ? textsIn(value) : [])).join(', ')
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
