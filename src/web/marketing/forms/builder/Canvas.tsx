import { ActionIcon, Button } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowsSplit2,
  IconArrowUp,
  IconCopy,
  IconForms,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import type { Question, Section } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { duplicateQuestion, moveQuestion } from './form-builder.ts'
import { QuestionPreview } from './QuestionPreview.tsx'
import { titleOfType } from './question-types.ts'
import { removeChosen } from './remove-chosen.ts'
import { TypeMenu } from './TypeMenu.tsx'
import type { Builder } from './use-builder.ts'

type Props = { builder: Builder; onOpen: () => void }

/** The questions as visitors see them. The chosen one has its tools. */
export function Canvas({ builder, onOpen }: Props) {
  const { sections } = builder.content.draft
  if (sections.every(({ questions }) => questions.length === 0)) {
    return (
      <EmptyState
        tone="brand"
        icon={<IconForms size={18} />}
        title="No questions yet"
        text="Add the first question. Visitors see the questions in this order."
      >
        {!builder.isReadOnly && (
          <TypeMenu builder={builder}>
            <Button leftSection={<IconPlus size={16} aria-hidden="true" />}>Add question</Button>
          </TypeMenu>
        )}
      </EmptyState>
    )
  }
  return sections.map((section, at) => (
    <SectionCards key={section.id} {...{ builder, section, onOpen }} number={at + 1} />
  ))
}

function SectionCards({ builder, section, number, onOpen }: Props & { section: Section; number: number }) {
  const { language, content } = builder
  const { languages, sections } = content.draft
  const title = textIn(section.title, language, languages)
  const description = textIn(section.description, language, languages)
  return (
    <section className="fc-canvas-step" aria-label={title || `Step ${number}`}>
      <div className="fc-canvas-head">
        <h2>
          <span className="fc-faint fc-number">{number}</span> <bdi>{title || 'Untitled step'}</bdi>
        </h2>
        <span className="fc-small fc-faint">
          {number === 1 ? 'as visitors see it' : `step ${number} of ${sections.length}`}
        </span>
      </div>
      {description !== '' && (
        <p className="fc-small fc-soft">
          <bdi>{description}</bdi>
        </p>
      )}
      {section.visibleIf !== undefined && <ShownIf rule={section.visibleIf} what="This step is shown if" />}
      {section.questions.map((question) => (
        <QuestionCard key={question.code} {...{ builder, question, onOpen }} section={section.id} />
      ))}
    </section>
  )
}

function QuestionCard({
  builder,
  question,
  section,
  onOpen,
}: Props & { question: Question; section: string }) {
  const { language, content, chosen, isReadOnly, problems } = builder
  const { code, type, obligation, isHidden, visibleIf } = question
  const isChosen = chosen.question === code
  const own = problems.filter((problem) => problem.question === code)
  const title = textIn(question.title, language, content.draft.languages)
  return (
    <>
      <article className="fc-question-card" data-chosen={isChosen || undefined} data-hidden={isHidden}>
        <div className="fc-question-head">
          <button
            type="button"
            className="fc-question-title"
            tabIndex={-1}
            onClick={() => {
              builder.choose({ section, question: code })
              onOpen()
            }}
          >
            <bdi>{title || 'Untitled question'}</bdi>
            {obligation === 'required' && (
              <span className="fc-required" title="Required">
                {' '}
                *
              </span>
            )}
          </button>
          {isChosen && !isReadOnly ? (
            <CardTools builder={builder} code={code} />
          ) : (
            <span className="fc-small fc-faint">
              {isHidden === true ? 'hidden field' : titleOfType(type).toLowerCase()}
            </span>
          )}
        </div>
        {isHidden === true ? (
          <p className="fc-small fc-faint">
            {question.prefill === undefined
              ? 'Visitors don’t see this field.'
              : `Visitors don’t see this field. The address fills it: ?${question.prefill}=`}
          </p>
        ) : (
          <QuestionPreview question={question} language={language} languages={content.draft.languages} />
        )}
        {visibleIf !== undefined && <ShownIf rule={visibleIf} what="Shown if" />}
        {own.map(({ message, severity }, at) => (
          <p key={at} className={`fc-small fc-question-fault fc-${severity}-text`}>
            <bdi>{message}</bdi>
          </p>
        ))}
      </article>
      {isChosen && !isReadOnly && (
        <TypeMenu builder={builder}>
          <button type="button" className="fc-add-here">
            <IconPlus size={14} aria-hidden="true" /> Add question here
          </button>
        </TypeMenu>
      )}
    </>
  )
}

function ShownIf({ rule, what }: { rule: string; what: string }) {
  return (
    <p className="fc-small fc-shown-if">
      <IconArrowsSplit2 size={14} aria-hidden="true" /> {what} <code>{rule}</code>
    </p>
  )
}

function CardTools({ builder, code }: { builder: Builder; code: string }) {
  const { content, apply } = builder
  const tools = [
    {
      label: 'Move up',
      icon: <IconArrowUp size={16} />,
      run: () => apply(moveQuestion(content, code, -1), `${code} moved up`),
    },
    {
      label: 'Move down',
      icon: <IconArrowDown size={16} />,
      run: () => apply(moveQuestion(content, code, 1), `${code} moved down`),
    },
    {
      label: 'Duplicate',
      icon: <IconCopy size={16} />,
      run: () => apply(duplicateQuestion(content, code), `${code} duplicated`),
    },
    { label: 'Delete', icon: <IconTrash size={16} />, run: () => removeChosen(builder) },
  ]
  return (
    <span className="fc-row fc-card-tools">
      {tools.map(({ label, icon, run }) => (
        <ActionIcon key={label} variant="subtle" size={28} aria-label={`${label}: ${code}`} onClick={run}>
          {icon}
        </ActionIcon>
      ))}
    </span>
  )
}
