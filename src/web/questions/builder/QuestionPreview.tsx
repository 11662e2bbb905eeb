import type { Question, QuestionChoice } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'

type Props = { question: Question; language: string; languages: readonly string[] }

/** A question's input as visitors see it. A picture: it takes no input and isn't read aloud. */
export function QuestionPreview({ question, language, languages }: Props) {
  const help = textIn(question.help, language, languages)
  return (
    <>
      {help !== '' && (
        <p className="fc-small fc-soft">
          <bdi>{help}</bdi>
        </p>
      )}
      <div className="fc-preview" aria-hidden="true">
        <Input question={question} language={language} languages={languages} />
      </div>
    </>
  )
}

function Input({ question, language, languages }: Props) {
  const textOf = (texts: QuestionChoice['title'] | undefined) => textIn(texts, language, languages)
  switch (question.type) {
    case 'longText':
      return <span className="fc-preview-box" data-tall />
    case 'number':
      return (
        <span className="fc-preview-box" data-short>
          {question.unit}
        </span>
      )
    case 'date':
      return (
        <span className="fc-preview-box" data-short>
          mm/dd/yyyy
        </span>
      )
    case 'boolean':
      return <Options names={['Yes', 'No']} />
    case 'single':
    case 'multiple': {
      const names = question.choices.map(({ title, value }) => textOf(title) || value)
      return (
        <Options
          names={question.allowOther === true ? [...names, 'Other'] : names}
          isSquare={question.type === 'multiple'}
        />
      )
    }
    case 'rating':
      return (
        <>
          <Options names={Array.from({ length: question.max }, (_, at) => String(at + 1))} />
          {(question.lowest ?? question.highest) && (
            <span className="fc-small fc-faint">
              <bdi>{[textOf(question.lowest), textOf(question.highest)].filter(Boolean).join(' to ')}</bdi>
            </span>
          )}
        </>
      )
    case 'note':
      return (
        <span className="fc-soft">
          <bdi>{textOf(question.text)}</bdi>
        </span>
      )
    case 'consent':
      return (
        <span className="fc-preview-consent">
          <span className="fc-preview-mark" data-square />
          <bdi>{textOf(question.text).replaceAll('{seller}', 'Your dealership')}</bdi>
        </span>
      )
    case 'matrix':
      return (
        <PreviewTable
          head={['', ...question.choices.map(({ title, value }) => textOf(title) || value)]}
          rows={question.rows.map(({ code, title }) => [
            textOf(title) || code,
            ...question.choices.map(() => MARK),
          ])}
        />
      )
    case 'table':
      return (
        <PreviewTable
          head={question.columns.map(
            ({ title, code, isRequired }) => `${textOf(title) || code}${isRequired === true ? ' *' : ''}`,
          )}
          rows={[question.columns.map((column) => (column.type === 'number' ? (column.unit ?? '') : ''))]}
        />
      )
    case 'computed':
      return <span className="fc-soft">Calculated: {question.calculate || 'no formula yet'}</span>
    default:
      return <span className="fc-preview-box" />
  }
}

const MARK = '○'

function PreviewTable({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <span className="fc-preview-scroll">
      <table className="fc-preview-table">
        <thead>
          <tr>
            {head.map((title, at) => (
              <th key={at}>
                <bdi>{title}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST).map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={at}>
                  <bdi>{cell}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </span>
  )
}

const MOST = 12

function Options({ names, isSquare = false }: { names: readonly string[]; isSquare?: boolean }) {
  return (
    <span className="fc-preview-options">
      {names.slice(0, MOST).map((name, at) => (
        <span key={at}>
          <span className="fc-preview-mark" data-square={isSquare || undefined} />
          <bdi>{name}</bdi>
        </span>
      ))}
      {names.length > MOST && <span>and {names.length - MOST} more</span>}
    </span>
  )
}
