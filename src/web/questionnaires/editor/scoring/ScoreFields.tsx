import { ActionIcon, Button, Textarea } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Question, QuestionOf } from '#contract/questions/definition.ts'
import type { QuestionResult } from '#contract/questions/scores/score-answers.ts'
import type { QuestionScore, ScoreOf } from '#contract/questions/scores/scoring.ts'
import { textIn } from '#contract/questions/texts.ts'
import { changeScore } from '#web/questions/builder/content-changes.ts'
import type { Builder, FieldsProps } from '#web/questions/builder/use-builder.ts'
import { withText } from '#web/questions/builder/with-text.ts'
import { PointsInput, PointsScope } from './PointsInput.tsx'
import { explainScore, firstScore, valuesOf } from './score-defaults.ts'

type Props<Score extends QuestionScore = QuestionScore> = FieldsProps &
  Readonly<{
    score: Score
    explained: QuestionResult | null
    onChange: (score: QuestionScore, what: string) => void
  }>

/** How the answer gets points, and what each answer adds to the score. */
export function ScoreFields({ builder, question }: FieldsProps) {
  const { content, edit, isReadOnly } = builder
  const { code } = question
  const score = content.scoring.questions.find((one) => one.question === code)
  const explained = useMemo(
    () => (score === undefined ? null : explainScore(content.draft, content.scoring, code)),
    [content.draft, content.scoring, code, score],
  )
  const first = firstScore(question)
  if (score === undefined) {
    if (first === null) return <p className="fc-small fc-soft">Answers of this type can't get points.</p>
    return (
      <>
        <p className="fc-small fc-soft">This question isn't part of the score.</p>
        {!isReadOnly && (
          <Button
            variant="default"
            className="fc-fit"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={() => edit(changeScore(content, code, first), `points of ${code}`)}
          >
            Give points
          </Button>
        )}
      </>
    )
  }
  const put = (next: QuestionScore, what: string) =>
    edit(changeScore(content, code, next), `${what} of ${code}`)
  const props = { builder, question, explained, onChange: put }
  return (
    <PointsScope value={code}>
      <PossiblePoints builder={builder} explained={explained} />
      <PointsInput
        label="Weight"
        description="Compared with the other questions of the section."
        value={score.weight}
        onChange={(weight) => put({ ...score, weight }, 'weight')}
      />
      {score.kind === 'choices' ? (
        <ChoicePoints {...props} score={score} />
      ) : (
        <RangePoints {...props} score={score} />
      )}
      <ActionField builder={builder} score={score} onChange={put} />
      {!isReadOnly && (
        <Button
          variant="subtle"
          size="compact-sm"
          className="fc-fit fc-quiet-danger"
          onClick={() => edit(changeScore(content, code, null), `points of ${code}`)}
        >
          Remove points
        </Button>
      )}
    </PointsScope>
  )
}

/** "Up to 6.3 of 100 points of the total". */
function PossiblePoints({ builder, explained }: { builder: Builder; explained: QuestionResult | null }) {
  if (explained === null) {
    return (
      <p className="fc-small fc-warning-text">
        Fix the rules to see how many points this question counts for.
      </p>
    )
  }
  const { possible } = explained
  const whole = builder.content.scoring.hasTotal ? 'the total' : 'its section'
  if (possible === null)
    return <p className="fc-small fc-warning-text">This question can't add to {whole}.</p>
  return (
    <p className="fc-small fc-soft">
      Worth up to <strong>{possible}</strong> of the 100 points of {whole} if every question is asked.
    </p>
  )
}

function ChoicePoints({ builder, question, score, explained, onChange }: Props<ScoreOf<'choices'>>) {
  const { language, content } = builder
  const values = valuesOf(question)
  const pointsOf = (value: string) => score.points.find((one) => one.value === value)?.points ?? '0'
  const put = (value: string, points: string) => {
    const known = new Map(values.map((one) => [one.value, pointsOf(one.value)]))
    known.set(value, points)
    onChange(
      { ...score, points: [...known].map(([key, of]) => ({ value: key, points: of })) },
      `points ${value}`,
    )
  }
  return (
    <>
      <fieldset className="fc-points" aria-label="Points">
        <legend>Points</legend>
        {values.map(({ value, title }) => {
          const name = textIn(title, language, content.draft.languages) || value
          return (
            <div key={value} className="fc-points-row">
              <span className="fc-grow">
                <bdi>{name}</bdi>
                <Adds explained={explained} value={value} />
              </span>
              <PointsInput
                aria-label={`Points of ${name}`}
                value={pointsOf(value)}
                onChange={(points) => put(value, points)}
              />
            </div>
          )
        })}
      </fieldset>
      {question.type === 'multiple' && (
        <PointsInput
          label="Maximum points"
          description="Points for the chosen answers add up to at most this. Leave blank for no limit."
          value={score.most ?? ''}
          isOptional
          onChange={(most) => {
            const { most: _, ...rest } = score
            onChange(most === '' ? rest : { ...rest, most }, 'most')
          }}
        />
      )}
      {question.type === 'matrix' && <RowWeights {...{ builder, question, score, onChange }} />}
    </>
  )
}

/** "+6.3" for a choice, or "+0.6 to +1.2" if rows of a matrix weigh differently. */
function Adds({ explained, value }: { explained: QuestionResult | null; value: string }) {
  const adds = (explained?.reasons ?? []).flatMap((reason) =>
    reason.value === value && reason.adds !== null ? [Number(reason.adds)] : [],
  )
  if (adds.length === 0) return null
  const [least, most] = [Math.min(...adds).toFixed(1), Math.max(...adds).toFixed(1)]
  return <span className="fc-second">{least === most ? `+${most}` : `+${least} to +${most}`}</span>
}

function RowWeights({
  builder,
  question,
  score,
  onChange,
}: Pick<Props, 'builder' | 'onChange'> & { question: QuestionOf<'matrix'>; score: ScoreOf<'choices'> }) {
  const { language, content } = builder
  const weightOf = (code: string) => score.rows?.find(({ row }) => row === code)?.weight ?? '1'
  return (
    <fieldset className="fc-points" aria-label="Weights of the rows">
      <legend>Weights of the rows</legend>
      {question.rows.map(({ code, title }) => {
        const name = textIn(title, language, content.draft.languages) || code
        return (
          <div key={code} className="fc-points-row">
            <span className="fc-grow">
              <bdi>{name}</bdi>
            </span>
            <PointsInput
              aria-label={`Weight of ${name}`}
              value={weightOf(code)}
              onChange={(weight) => {
                const others = (score.rows ?? []).filter(({ row }) => row !== code)
                onChange({ ...score, rows: [...others, { row: code, weight }] }, `weight of ${code}`)
              }}
            />
          </div>
        )
      })}
    </fieldset>
  )
}

function RangePoints({ builder, question, score, explained, onChange }: Props<ScoreOf<'ranges'>>) {
  const { ranges } = score
  const unit = 'unit' in question && question.unit !== undefined ? ` (${question.unit})` : ''
  const put = (next: typeof ranges, what: string) => onChange({ ...score, ranges: next }, what)
  return (
    <fieldset className="fc-points" aria-label="Points">
      <legend>Points by value range{unit}</legend>
      {ranges.map(({ from, points }, at) => (
        <div key={at} className="fc-points-row">
          <PointsInput
            aria-label={`Range ${at + 1} from`}
            value={from}
            isLimit
            onChange={(next) => put(ranges.with(at, { from: next, points }), `from ${at}`)}
          />
          <PointsInput
            aria-label={`Points of range ${at + 1}`}
            value={points}
            onChange={(next) => put(ranges.with(at, { from, points: next }), `points ${at}`)}
          />
          <span className="fc-grow">
            <Adds explained={explained} value={from} />
          </span>
          {!builder.isReadOnly && (
            <ActionIcon
              variant="subtle"
              size={28}
              aria-label={`Delete range ${at + 1}`}
              onClick={() => put(ranges.toSpliced(at, 1), `remove ${at}`)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      {!builder.isReadOnly && (
        <Button
          variant="default"
          size="compact-sm"
          className="fc-fit"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => put([...ranges, nextRange(ranges)], 'add range')}
        >
          Add range
        </Button>
      )}
    </fieldset>
  )
}

function nextRange(ranges: ScoreOf<'ranges'>['ranges']) {
  const last = ranges.at(-1)
  return {
    from: String(Math.floor(Number(last?.from ?? '0')) + 1),
    points: String(Math.floor(Number(last?.points ?? '0')) + 1),
  }
}

function ActionField({
  builder: { language },
  score,
  onChange,
}: Pick<Props, 'builder' | 'score' | 'onChange'> & { question?: Question }) {
  return (
    <Textarea
      label="Suggested action"
      description="Suggested when the answer doesn't get full points."
      autosize
      minRows={1}
      maxLength={10_000}
      value={textIn(score.action, language, [])}
      onChange={({ currentTarget: { value } }) => {
        const { action, ...rest } = score
        const texts = withText(action, language, value)
        onChange(Object.keys(texts).length === 0 ? rest : { ...rest, action: texts }, 'action')
      }}
    />
  )
}
