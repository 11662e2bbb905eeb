import { Button, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BankQuestion, questionBank } from '#contract/questionnaires/bank/question-bank.ts'
import { textIn } from '#contract/questions/texts.ts'
import { query } from '#web/api/query.ts'
import { typeInSentence } from '#web/questions/builder/builder-labels.ts'
import { adoptQuestion } from '#web/questions/builder/content-changes.ts'
import type { Builder } from '#web/questions/builder/use-builder.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { closeOnOwnEscape } from '#web/ui/overlay/stacking.ts'

const DEBOUNCE_MS = 250

type Props = { builder: Builder; onClose: () => void }

/** The questions of all questionnaires and templates. A chosen one is added below the current question. */
export function BankDialog({ builder, onClose }: Props) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), DEBOUNCE_MS)
  const { data, error, refetch } = useQuery({
    ...query(questionBank.find, settled === '' ? {} : { search: settled }),
    placeholderData: keepPreviousData,
  })
  const add = (found: BankQuestion) => {
    const { change, without } = adoptQuestion(builder.content, builder.chosen, found)
    builder.apply(change, `${change.chosen.question ?? ''} added`)
    const title = titleOf(found)
    toast(
      'Question added',
      without.length === 0
        ? title
        : `${title}. Without the rule ${without.join(', ')}: it uses other questions.`,
    )
    onClose()
  }
  return (
    <Modal
      opened
      size={720}
      onClose={onClose}
      onKeyDown={closeOnOwnEscape(onClose)}
      closeOnEscape={false}
      title="Question bank"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: MODAL_TRANSITION.duration, exitDuration: 0 }}
    >
      <TextInput
        data-autofocus
        label="Search questions"
        description="By text, code or concept, in all questionnaires and templates."
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        maxLength={100}
        value={search}
        onChange={({ currentTarget: { value } }) => setSearch(value)}
      />
      {error !== null && (
        <FailureState
          failure={error}
          endpoint={questionBank.find}
          what="the question bank"
          onRetry={() => void refetch()}
        />
      )}
      {error === null && data === undefined && <Spinner label="Loading the question bank" />}
      {error === null && data?.questions.length === 0 && (
        <p className="fc-small fc-soft fc-bank-none">No question matches “{settled}”.</p>
      )}
      {error === null && data !== undefined && data.questions.length > 0 && (
        <ul className="fc-bank">
          {data.questions.map((found, at) => (
            <Found key={at} found={found} onAdd={() => add(found)} />
          ))}
        </ul>
      )}
      {data?.hasMore === true && (
        <p className="fc-small fc-soft">There are more. Search to narrow them down.</p>
      )}
    </Modal>
  )
}

const titleOf = ({ question, languages }: BankQuestion): string =>
  textIn(question.title, languages[0] ?? 'en', languages) || question.code

function Found({ found, onAdd }: { found: BankQuestion; onAdd: () => void }) {
  const { question, source, section, questionnaireId, score } = found
  const title = titleOf(found)
  const facts = [
    typeInSentence(question.type),
    ...(score === null ? [] : ['with points']),
    ...(question.conceptId === undefined ? [] : [`concept ${question.conceptId}`]),
  ]
  return (
    <li>
      <span className="fc-grow">
        <bdi>{title}</bdi>
        <span className="fc-second">
          <bdi>
            {questionnaireId === null ? `Template ${source}` : source}, {section}: {facts.join(', ')}
          </bdi>
        </span>
      </span>
      <Button variant="default" size="compact-sm" aria-label={`Add: ${title}`} onClick={onAdd}>
        Add
      </Button>
    </li>
  )
}
