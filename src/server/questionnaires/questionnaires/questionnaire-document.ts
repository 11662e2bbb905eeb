import type { Definition, Question } from '#contract/questions/definition.ts'
import { groupAround } from '#contract/questions/one-of.ts'
import { pickLanguage, textIn, type Texts } from '#contract/questions/texts.ts'
import type { PrintedDocument } from '#server/printed-document.ts'

/** The questions of a questionnaire to print and fill in by hand, in one language. */
export function questionnaireDocument(
  name: string,
  definition: Definition,
  wanted: string | undefined,
): PrintedDocument {
  const { languages, sections } = definition
  const language = pickLanguage(languages, wanted ?? languages[0] ?? 'en')
  const text = (texts: Texts | undefined) => textIn(texts, language, languages)
  const questions = sections.reduce((sum, section) => sum + section.questions.length, 0)
  return {
    title: name,
    facts: [
      { title: 'Organization or facility', value: '' },
      { title: 'Name', value: '' },
      { title: 'Date', value: '' },
    ],
    figures: [
      { title: 'Questions', value: String(questions) },
      { title: 'Sections', value: String(sections.length) },
    ],
    columns: [
      { title: 'No.', kind: 'text', share: 8 },
      { title: 'Question', kind: 'text', share: 47 },
      { title: 'Answer', kind: 'text', share: 45 },
    ],
    groups: sections.map(({ title, questions: all }, at) => {
      const asked = all.filter(({ isHidden, type }) => isHidden !== true && type !== 'computed')
      const numberOf = (question: Question) => `${at + 1}.${asked.indexOf(question) + 1}`
      return {
        title: `${at + 1} ${text(title)}`,
        rows: asked.map((question) => [
          numberOf(question),
          describe(question, text, groupAround(asked, question).map(numberOf)),
          answerSpace(question, text),
        ]),
      }
    }),
    signature: 'Signature',
    language,
  }
}

/** Title and help, with a mark if it must be answered, and a hint if it isn't always asked. */
function describe(
  question: Question,
  text: (texts: Texts | undefined) => string,
  alternatives: readonly string[],
): string {
  const isRequired = question.obligation !== undefined && question.obligation !== 'voluntary'
  const lines = [
    `${text(question.title)}${isRequired ? ' *' : ''}`,
    text(question.help),
    question.type === 'note' || question.type === 'consent' ? text(question.text) : '',
    question.visibleIf === undefined ? '' : '(Only if it applies.)',
    alternatives.length < 2 ? '' : `(Answer at least one of ${alternatives.join(', ')}.)`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

const LINE = '____________________________'

/** What there is to mark or to write on. */
function answerSpace(question: Question, text: (texts: Texts | undefined) => string): string {
  const way = question.obligation === 'ifApplicable' ? ['[  ] Not applicable'] : []
  const boxes = (titles: readonly string[], mark = '(  )') =>
    [...titles.map((title) => `${mark} ${title}`), ...way].join('\n')
  switch (question.type) {
    case 'boolean':
      return boxes(['Yes', 'No'])
    case 'single':
    case 'multiple': {
      const mark = question.type === 'multiple' ? '[  ]' : '(  )'
      const titles = question.choices.map(({ title, value }) => text(title) || value)
      return boxes(question.allowOther === true ? [...titles, `Other: ${LINE}`] : titles, mark)
    }
    case 'rating':
      return boxes(Array.from({ length: question.max }, (_, at) => String(at + 1)))
    case 'matrix':
      return question.rows
        .map(({ title, code }) => {
          const choices = question.choices.map((choice) => `(  ) ${text(choice.title) || choice.value}`)
          return `${text(title) || code}\n${choices.join('   ')}`
        })
        .join('\n')
    case 'table':
      return [
        question.columns.map((column) => `${text(column.title) || column.code}${unitOf(column)}`).join(' | '),
        LINE,
        LINE,
        LINE,
      ].join('\n')
    case 'note':
      return ''
    case 'consent':
      return boxes(['I agree'], '[  ]')
    case 'file':
      return 'Attach a copy.'
    case 'longText':
    case 'address':
      return [LINE, LINE, LINE, ...way].join('\n')
    default:
      return [`${LINE}${unitOf(question)}`, ...way].join('\n')
  }
}

const unitOf = (of: Question | Readonly<{ type: string; unit?: string | undefined }>): string =>
  'unit' in of && of.unit !== undefined ? ` ${of.unit}` : ''
