import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCircleCheck, IconFlask } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Seller } from '#contract/questions/evaluate.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { type Drafts, toAnswers } from '../draft-answers.ts'
import { QuestionForm } from '../QuestionForm.tsx'
import './trial.css'

const DEBOUNCE_MS = 400
const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone
const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** The answers to ask the server about. `isSettled`: nothing was typed since. */
export type Tried = Readonly<{ answers: Drafts; language: string; isSettled: boolean }>

type Props = {
  /** Null if the definition has errors. */
  compiled: CompiledDefinition | null
  /** What can't be tried while it has problems: "A form". */
  thing: string
  /** Who answers: "participants". */
  readers: string
  /** Shown when all answers are valid. */
  completed: string
  /** Whom texts name. */
  seller?: Seller
  /** What else can be chosen, beside the language. */
  controls?: ReactNode
  /** Beside the questions, what the server says. */
  renderVerdict: (tried: Tried) => ReactNode
}

/** Answers a draft as its readers would. Nothing is saved. */
export function Trial({ compiled, thing, ...props }: Props) {
  if (compiled !== null) return <OpenTrial compiled={compiled} {...props} />
  return (
    <EmptyState
      icon={<IconFlask size={18} />}
      title="Fix the errors first"
      text={`${thing} with errors can't be answered. The Questions tab lists them.`}
    />
  )
}

function OpenTrial({
  compiled,
  readers,
  completed,
  seller,
  controls,
  renderVerdict,
}: Omit<Props, 'compiled' | 'thing'> & { compiled: CompiledDefinition }) {
  const { languages } = compiled.definition
  const [now] = useState(() => new Date())
  const [wanted, setLanguage] = useState(languages[0] ?? 'en')
  const language = languages.includes(wanted) ? wanted : (languages[0] ?? 'en')
  const [drafts, setDrafts] = useState<Drafts>({})
  const [isComplete, setComplete] = useState(false)
  const answers = useMemo(() => toAnswers(compiled, drafts, language), [compiled, drafts, language])
  const [settled] = useDebouncedValue(answers, DEBOUNCE_MS)
  return (
    <div className="fc-trial">
      <div className="fc-trial-form">
        <div className="fc-trial-note">
          <IconFlask size={16} aria-hidden="true" />
          <span className="fc-grow">This is how {readers} see it. Nothing is saved.</span>
          {controls}
          {languages.length > 1 && (
            <Select
              aria-label="Language"
              data={languages.map((tag) => ({ value: tag, label: names.of(tag) ?? tag }))}
              value={language}
              allowDeselect={false}
              onChange={(tag) => setLanguage(tag ?? language)}
            />
          )}
        </div>
        <QuestionForm
          key={language}
          compiled={compiled}
          language={language}
          now={now}
          zone={ZONE}
          initial={drafts}
          {...(seller !== undefined && { seller })}
          isStepped
          submitLabel="Check answers"
          onDrafts={(next) => {
            setDrafts(next)
            setComplete(false)
          }}
          onSubmit={() => setComplete(true)}
        />
        {isComplete && (
          <output className="fc-trial-note">
            <IconCircleCheck size={16} aria-hidden="true" /> {completed}
          </output>
        )}
      </div>
      {renderVerdict({ answers: settled, language, isSettled: answers === settled })}
    </div>
  )
}
