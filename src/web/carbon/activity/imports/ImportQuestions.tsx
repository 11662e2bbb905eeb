import { Paper, Radio, Select, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/Stack.layer.css'
import type { ImportPreview, ImportQuestion } from '#contract/carbon/activity/activity-imports.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'

type Props = {
  questions: ImportPreview['questions']
  isReading: boolean
  onAnswer: (id: string, answer: string) => void
}

/** With more choices than this, they are in a list. */
const MOST_RADIOS = 5

/** What the file leaves open, each asked once for all of its lines. Answers that the file suggests are marked as such. */
export function ImportQuestions({ questions, isReading, onAnswer }: Props) {
  if (questions.length === 0) return null
  const open = questions.filter(({ answer }) => answer === null).length
  return (
    <Stack component="section" gap={12} aria-label="Questions about the file">
      <Text component="h3" fw={600}>
        {open > 0 ? `${count(open, 'question', 'questions')} about the file` : 'How the file is read'}
      </Text>
      {questions.map((question) => (
        <Paper key={question.id} withBorder p={12}>
          <Stack gap={8}>
            <Question question={question} isReading={isReading} onAnswer={onAnswer} />
          </Stack>
        </Paper>
      ))}
    </Stack>
  )
}

function Question({
  question,
  isReading,
  onAnswer,
}: Omit<Props, 'questions'> & { question: ImportQuestion }) {
  const { id, text, choices, answer, isProposed, lines } = question
  const about = `${count(lines, 'line', 'lines')}${isProposed && answer !== null ? '. Suggested by the file. Change it if it is wrong.' : ''}`
  const label = <bdi>{text}</bdi>
  return (
    <>
      {choices.length <= MOST_RADIOS ? (
        <Radio.Group
          label={label}
          description={about}
          value={answer ?? ''}
          onChange={(value) => onAnswer(id, value)}
        >
          <Stack gap={8} pt={8} pb={4}>
            {choices.map((choice) => (
              <Radio
                key={choice.value}
                value={choice.value}
                label={<bdi>{choice.label}</bdi>}
                disabled={isReading}
              />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <Select
          label={label}
          description={about}
          placeholder="Choose"
          data={[...choices]}
          value={answer}
          searchable
          allowDeselect={false}
          disabled={isReading}
          onChange={(value) => {
            if (value !== null) onAnswer(id, value)
          }}
        />
      )}
      {answer === null && (
        <Status tone="warn" mark="wait">
          {lines === 1 ? 'The line waits for your answer.' : 'These lines wait for your answer.'}
        </Status>
      )}
    </>
  )
}
