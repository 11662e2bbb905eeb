import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core'
import { IconListNumbers, IconPlus, IconTrash } from '@tabler/icons-react'
import type { Band, Scoring } from '#contract/questions/scores/scoring.ts'
import { textIn } from '#contract/questions/texts.ts'
import { untitled } from '#web/questions/builder/builder-labels.ts'
import { SCORING } from '../questionnaire-problems.ts'
import type { Builder } from '#web/questions/builder/use-builder.ts'
import { withText } from '#web/questions/builder/with-text.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { PointsInput, PointsScope } from './PointsInput.tsx'
import { addBand, scoredSections, weightOf, withBand, withNeed, withWeight } from './scoring-changes.ts'

type Props = { builder: Builder }

/** How the points of the questions become scores: weights of sections, bands and maturity levels. */
export function ScoringTab({ builder }: Props) {
  const problems = builder.problems.filter(({ about }) => about === SCORING)
  return (
    <div className="fc-form-settings">
      {problems.length > 0 && (
        <ul className="fc-scoring-problems" role="alert">
          {problems.map(({ message, severity }, at) => (
            <li key={at} className={`fc-${severity}-text`}>
              <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
      <SectionWeights builder={builder} />
      <Bands builder={builder} />
      <Levels builder={builder} />
    </div>
  )
}

/** Changes the scoring. `what` names the field, for undo. */
const editScoring = ({ content, edit }: Builder, scoring: Scoring, what: string) =>
  edit({ ...content, scoring }, what)

const UNANSWERED = [
  { value: 'zero', label: 'Counts as no points' },
  { value: 'exclude', label: "Doesn't count until it is answered" },
] as const

function SectionWeights({ builder }: Props) {
  const { content, language, isReadOnly } = builder
  const { draft, scoring } = content
  const scored = scoredSections(draft, scoring)
  return (
    <FormSection
      title="Score"
      text="A section's score is the weighted average of its questions, from 0 to 100. Answers that don't apply are left out."
    >
      {scored.length === 0 && (
        <p className="fc-wide fc-small fc-soft">
          <IconListNumbers size={16} aria-hidden="true" /> No questions are scored yet. Choose a question and
          open its Score tab.
        </p>
      )}
      <Checkbox
        className="fc-wide"
        size="sm"
        label="Calculate a total from the sections"
        checked={scoring.hasTotal}
        disabled={isReadOnly}
        onChange={({ currentTarget: { checked } }) =>
          editScoring(builder, { ...scoring, hasTotal: checked }, 'total')
        }
      />
      <Select
        label="A question without an answer"
        data={UNANSWERED}
        value={scoring.unanswered}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(value) => {
          const unanswered = UNANSWERED.find((one) => one.value === value)?.value
          if (unanswered !== undefined) editScoring(builder, { ...scoring, unanswered }, 'unanswered')
        }}
      />
      {scored.length > 0 && (
        <table className="fc-scoring-table fc-wide">
          <thead>
            <tr>
              <th scope="col">Section</th>
              <th scope="col">Questions with points</th>
              <th scope="col">Weight in the total</th>
            </tr>
          </thead>
          <tbody>
            {scored.map(({ section, scored: number }) => {
              const name = textIn(section.title, language, draft.languages) || untitled('section')
              return (
                <tr key={section.id}>
                  <th scope="row">
                    <bdi>{name}</bdi>
                  </th>
                  <td>{count(number, 'question', 'questions')}</td>
                  <td>
                    {scoring.hasTotal ? (
                      <PointsInput
                        aria-label={`Weight of ${name}`}
                        isReadOnly={isReadOnly}
                        value={weightOf(scoring, section.id)}
                        onChange={(weight) =>
                          editScoring(
                            builder,
                            withWeight(scoring, section.id, weight),
                            `weight of ${section.id}`,
                          )
                        }
                      />
                    ) : (
                      <span className="fc-faint">No total</span>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </FormSection>
  )
}

function Bands({ builder }: Props) {
  const { content, language, isReadOnly } = builder
  const { scoring } = content
  const { bands } = scoring
  return (
    <FormSection
      title="Bands"
      text="Names for score ranges, such as Bronze from 25. A band of the total can also require minimum scores in sections."
    >
      <ol className="fc-bands fc-wide">
        {bands.map((band, at) => (
          <li key={at}>
            <PointsScope value={`band ${at}`}>
              <BandFields
                builder={builder}
                band={band}
                at={at}
                onChange={(next, what) =>
                  editScoring(builder, withBand(scoring, at, next), `${what} of band ${at}`)
                }
              />
            </PointsScope>
          </li>
        ))}
      </ol>
      {!isReadOnly && (
        <Button
          variant="default"
          className="fc-fit"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => editScoring(builder, addBand(scoring, language), 'add band')}
        >
          Add band
        </Button>
      )}
    </FormSection>
  )
}

type BandProps = Props & { band: Band; at: number; onChange: (band: Band, what: string) => void }

function BandFields({ builder, band, at, onChange }: BandProps) {
  const { content, language, isReadOnly } = builder
  const { draft, scoring } = content
  const sections = scoredSections(draft, scoring).map(({ section }) => section)
  const needs = band.needs ?? []
  const titleOf = (id: string) => {
    const found = draft.sections.find((section) => section.id === id)
    return found === undefined ? id : textIn(found.title, language, draft.languages) || id
  }
  const free = sections.filter(({ id }) => !needs.some(({ section }) => section === id))
  return (
    <fieldset className="fc-band" aria-label={`Band ${at + 1}`}>
      <div className="fc-band-row">
        <TextInput
          label="Name"
          className="fc-grow"
          maxLength={500}
          readOnly={isReadOnly}
          value={textIn(band.title, language, [])}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...band, title: withText(band.title, language, value) }, 'title')
          }
        />
        <PointsInput
          label="From"
          value={band.from}
          isReadOnly={isReadOnly}
          onChange={(from) => onChange({ ...band, from }, 'from')}
        />
        {!isReadOnly && (
          <ActionIcon
            variant="subtle"
            size={36}
            aria-label={`Delete band ${at + 1}`}
            onClick={() =>
              editScoring(builder, { ...scoring, bands: scoring.bands.toSpliced(at, 1) }, 'remove band')
            }
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </div>
      {needs.map(({ section, from }) => (
        <PointsInput
          key={section}
          label={`At least in ${titleOf(section)}`}
          description="Empty: not required."
          value={from}
          isOptional
          isReadOnly={isReadOnly}
          onChange={(next) => onChange(withNeed(band, section, next), `need ${section}`)}
        />
      ))}
      {at > 0 && scoring.hasTotal && free.length > 0 && !isReadOnly && (
        <Select
          aria-label={`Require a section for band ${at + 1}`}
          placeholder="Require a score in a section"
          data={free.map(({ id }) => ({ value: id, label: titleOf(id) }))}
          value={null}
          onChange={(section) => {
            if (section !== null) onChange(withNeed(band, section, '50'), `need ${section}`)
          }}
        />
      )}
    </fieldset>
  )
}

function Levels({ builder }: Props) {
  const { content, language, isReadOnly } = builder
  const { scoring } = content
  const { levels } = scoring
  const put = (next: Scoring['levels'], what: string) =>
    editScoring(builder, { ...scoring, levels: next }, what)
  return (
    <FormSection
      title="Maturity levels"
      text="Names for 0, 1, 2 and more points if the points are maturity levels. Otherwise leave this blank."
    >
      {levels.map((title, at) => (
        <div key={at} className="fc-band-row fc-wide">
          <TextInput
            label={`Level ${at}`}
            className="fc-grow"
            maxLength={500}
            readOnly={isReadOnly}
            value={textIn(title, language, [])}
            onChange={({ currentTarget: { value } }) =>
              put(levels.with(at, withText(title, language, value)), `level ${at}`)
            }
          />
          {!isReadOnly && at === levels.length - 1 && (
            <ActionIcon
              variant="subtle"
              size={36}
              aria-label={`Delete level ${at}`}
              onClick={() => put(levels.slice(0, -1), 'remove level')}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <Button
          variant="default"
          className="fc-fit"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => put([...levels, { [language]: `Level ${levels.length}` }], 'add level')}
        >
          Add level
        </Button>
      )}
    </FormSection>
  )
}
