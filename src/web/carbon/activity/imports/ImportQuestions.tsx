import { Button, Group, Paper, Radio, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ImportPreview, ImportQuestion } from '#contract/carbon/activity/activity-imports.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { Status } from '#web/ui/controls/Status.tsx'

type Props = {
  questions: ImportPreview['questions']
  isReading: boolean
  onAnswer: (id: string, answer: string) => void
}

/** With more choices than this, they are in a list. */
const MOST_RADIOS = 5

/** What the file leaves open, each asked once for all of its lines. Suggested answers are marked as such. */
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
  const { id, text, choices, inputs, answer, isProposed, lines } = question
  const about = `${count(lines, 'line', 'lines')}${isProposed && answer !== null ? '. Suggested. Change it if it is wrong.' : ''}`
  const label = <bdi>{text}</bdi>
  if (inputs.length > 0)
    return <Entered key={answer} question={question} isReading={isReading} onAnswer={onAnswer} />
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
              <Radio key={choice.value} value={choice.value} label={<bdi>{choice.label}</bdi>} />
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

/** Numbers that only the user knows, such as the readings of a meter that was replaced. */
function Entered({
  question: { id, text, inputs, answer },
  isReading,
  onAnswer,
}: Omit<Props, 'questions'> & { question: ImportQuestion }) {
  const [values, setValues] = useState(() => inputs.map((_, at) => answer?.split('/')[at] ?? ''))
  return (
    <>
      <Text size="sm">
        <bdi>{text}</bdi>
      </Text>
      <Group align="end" gap={8}>
        {inputs.map((name, at) => (
          <NumberField
            key={name}
            label={name}
            decimals={12}
            min={0}
            isText
            value={values[at]}
            onChange={(value) => setValues(values.map((one, place) => (place === at ? String(value) : one)))}
          />
        ))}
        <Button
          variant="default"
          disabled={isReading || values.includes('')}
          onClick={() => onAnswer(id, values.join('/'))}
        >
          Use these readings
        </Button>
      </Group>
      {answer === null && (
        <Status tone="warn" mark="wait">
          The line waits for your answer.
        </Status>
      )}
    </>
  )
}
