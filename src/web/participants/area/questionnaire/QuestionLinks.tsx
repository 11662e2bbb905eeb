import { textIn } from '#contract/questions/texts.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = {
  codes: readonly string[]
  open: Pick<OpenQuestionnaire, 'compiled' | 'tag' | 'record'>
  goTo: (code: string) => void
}

/** Questions by their title, as links to them. */
export function QuestionLinks({ codes, open: { compiled, tag, record }, goTo }: Props) {
  if (codes.length === 0) return null
  return (
    <ul className="fc-area-missing">
      {codes.map((code) => {
        const title = compiled.byCode.get(code)?.question.title
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
