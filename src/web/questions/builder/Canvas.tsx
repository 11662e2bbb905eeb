import { capitalize } from '#contract/capitalize.ts'
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
import { useEffect, useMemo, useRef } from 'react'
import type { Question, Section } from '#contract/questions/definition.ts'
import { ruleVariables } from '#contract/questions/rule-names.ts'
import { textIn } from '#contract/questions/texts.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { alternativesTo } from './alternatives.ts'
import { duplicateQuestion, moveQuestion } from './content-changes.ts'
import { QuestionPreview } from './QuestionPreview.tsx'
import { capital, typeInSentence, untitled } from './builder-labels.ts'
import { removeChosen } from './remove-chosen.ts'
import { TypeMenu } from './TypeMenu.tsx'
import type { Builder } from './use-builder.ts'
import { describeLeaf } from '#contract/expressions/describe.ts'
import { readRule } from '#contract/expressions/read.ts'
import { type RuleGroup, toRules } from '#contract/expressions/rules.ts'
import type { Variables } from '#contract/expressions/variables.ts'

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
        text={`Add the first question. ${capitalize(builder.kit.readers)} see the questions in this order.`}
      >
        {!builder.isReadOnly && (
          <TypeMenu builder={builder}>
            <Button leftSection={<IconPlus size={16} aria-hidden="true" />}>Add question</Button>
          </TypeMenu>
        )}
      </EmptyState>
    )
  }
  const isShown = ({ id }: Section) => builder.kit.showsOneSection !== true || id === builder.chosen.section
  return sections.map(
    (section, at) =>
      isShown(section) && <SectionCards key={section.id} {...{ builder, section, onOpen }} number={at + 1} />,
  )
}

function SectionCards({ builder, section, number, onOpen }: Props & { section: Section; number: number }) {
  const { language, content } = builder
  const { noun, readers } = builder.kit
  const { languages, sections } = content.draft
  const title = textIn(section.title, language, languages)
  const description = textIn(section.description, language, languages)
  return (
    <section className="fc-canvas-step" aria-label={title || `${capital(noun)} ${number}`}>
      <div className="fc-canvas-head">
        <h2>
          <span className="fc-faint fc-number">{number}</span> <bdi>{title || untitled(noun)}</bdi>
        </h2>
        <span className="fc-small fc-faint">
          {number === 1 || builder.kit.showsOneSection === true
            ? `as ${readers} see it`
            : `${noun} ${number} of ${sections.length}`}
        </span>
      </div>
      {description !== '' && (
        <p className="fc-small fc-soft">
          <bdi>{description}</bdi>
        </p>
      )}
      {section.visibleIf !== undefined && (
        <ShownIf rule={section.visibleIf} builder={builder} what={`This ${noun} is shown if`} />
      )}
      {section.questions.map((question) => (
        <QuestionCard key={question.code} {...{ builder, question, onOpen }} section={section.id} />
      ))}
      {section.questions.length === 0 && !builder.isReadOnly && (
        <TypeMenu builder={builder}>
          <button type="button" className="fc-add-here">
            <IconPlus size={14} aria-hidden="true" /> Add question here
          </button>
        </TypeMenu>
      )}
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
  const { chosen: alternatives } = alternativesTo(content, question)
  const title = textIn(question.title, language, content.draft.languages)
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <>
      <article
        ref={card}
        className="fc-question-card"
        data-chosen={isChosen || undefined}
        data-hidden={isHidden}
      >
        <div className="fc-question-head">
          <button
            type="button"
            className="fc-canvas-title"
            tabIndex={-1}
            onClick={() => {
              builder.choose({ section, question: code })
              onOpen()
            }}
          >
            <bdi>{title || 'Untitled question'}</bdi>
            {obligation !== undefined && obligation !== 'voluntary' && (
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
              {isHidden === true ? 'hidden field' : typeInSentence(type)}
            </span>
          )}
        </div>
        {isHidden === true ? (
          <p className="fc-small fc-faint">
            {question.prefill === undefined
              ? `${capitalize(builder.kit.readers)} don't see this field.`
              : `${capitalize(builder.kit.readers)} don't see this field. It is filled in from the URL: ?${question.prefill}=`}
          </p>
        ) : (
          <QuestionPreview question={question} language={language} languages={content.draft.languages} />
        )}
        {visibleIf !== undefined && <ShownIf rule={visibleIf} builder={builder} what="Shown if" />}
        {question.requiredIf !== undefined && (
          <ShownIf rule={question.requiredIf} builder={builder} what="Required if" />
        )}
        {alternatives.length > 0 && (
          <p className="fc-small fc-shown-if">
            <IconArrowsSplit2 size={14} aria-hidden="true" /> Or instead:{' '}
            <bdi>
              {alternatives
                .map((one) => textIn(one.title, language, content.draft.languages) || one.code)
                .join(', ')}
            </bdi>
          </p>
        )}
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

/** A rule in words, or as its text if there are none for it. */
function ShownIf({ rule, what, builder }: { rule: string; what: string; builder: Builder }) {
  const { draft } = builder.content
  const words = useMemo(() => ruleSentence(rule, ruleVariables(draft)), [rule, draft])
  return (
    <p className="fc-small fc-shown-if">
      <IconArrowsSplit2 size={14} aria-hidden="true" /> {what}{' '}
      {words === null ? <code>{rule}</code> : <bdi>{words}</bdi>}
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

/** A rule in words: "Refrigerants refilled includes R-134a or Solar panels is yes". Null if only its text can say it. */
function ruleSentence(rule: string, variables: Variables): string | null {
  const read = readRule(rule, variables)
  const group = read.ok ? toRules(read.rule) : null
  return group === null ? null : groupWords(group, variables)
}

function groupWords({ all, not, rules }: RuleGroup, variables: Variables): string {
  const parts = rules.map((one) => {
    if ('rules' in one) return `(${groupWords(one, variables)})`
    const { field, operator, value } = describeLeaf(one, variables, () => null)
    return [`“${field}”`, operator, value].filter((word) => word !== '').join(' ')
  })
  const words = parts.join(all ? ' and ' : ' or ')
  return not ? `not (${words})` : words
}
