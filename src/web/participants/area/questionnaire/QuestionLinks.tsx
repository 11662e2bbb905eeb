import { Button } from '@mantine/core'
import { textIn } from '#contract/questions/texts.ts'
import { useArea } from '../area.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = {
  codes: readonly string[]
  open: Pick<OpenQuestionnaire, 'compiled' | 'tag' | 'record' | 'answering' | 'stored'>
  goTo: (code: string) => void
}

/** Questions by their title, as links to them. What was answered to one that the questionnaire doesn't have anymore can be discarded. */
export function QuestionLinks({ codes, open, goTo }: Props) {
  const { text } = useArea()
  const { compiled, tag, record, answering, stored } = open
  if (codes.length === 0) return null
  return (
    <ul className="fc-area-missing">
      {codes.map((code) => {
        const title = compiled.byCode.get(code)?.question.title
        if (title === undefined)
          return (
            <li key={code}>
              {code}{' '}
              <Button variant="subtle" size="compact-sm" onClick={() => void answering.drop(code, stored)}>
                {text('giveUp')}
              </Button>
            </li>
          )
        return (
          <li key={code}>
            <button type="button" className="fc-area-link" lang={tag} onClick={() => goTo(code)}>
              {textIn(title, tag, record.definition.languages) || code}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
