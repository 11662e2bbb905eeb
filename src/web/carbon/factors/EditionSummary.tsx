import type { EditionPreview } from '#contract/carbon/factors/factor-editions.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const FORM_NAMES: Record<EditionPreview['form'], string> = {
  own: 'one line per factor',
  long: 'one line per gas',
  desnz: 'the UK flat file',
  useeio: 'the EPA supply chain factors',
}

/** What a file would import, and which of its lines are rejected. */
export function EditionSummary({ preview }: { preview: EditionPreview }) {
  const { form, lines, factors, known, refused, refusedLines, sample } = preview
  const reasons = [...Map.groupBy(refused, ({ sentence }) => sentence)]
  return (
    <>
      <p>
        <Status tone={refusedLines === 0 ? 'good' : 'warn'} mark={refusedLines === 0 ? 'check' : 'alert'}>
          <bdi>
            {count(factors, 'factor', 'factors')} in {count(lines, 'line', 'lines')}
            {refusedLines > 0 && `, ${count(refusedLines, 'line', 'lines')} rejected`}
          </bdi>
        </Status>
      </p>
      <p className="fc-small fc-soft">
        <bdi>
          Read as {FORM_NAMES[form]}. {known.toLocaleString()} use activities of the library; the others add
          new activities.
        </bdi>
      </p>
      {reasons.length > 0 && (
        <details>
          <summary>Rejected lines</summary>
          <ul className="fc-edition-refused">
            {reasons.map(([sentence, rejected]) => (
              <li key={sentence}>
                <bdi>{sentence}</bdi>{' '}
                <bdi className="fc-small fc-faint">
                  {rejected.length === 1 ? 'Line' : 'Lines'}{' '}
                  {rejected
                    .slice(0, 12)
                    .map(({ line }) => line)
                    .join(', ')}
                  {rejected.length > 12 && ' and more'}
                </bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>First factors</summary>
        <ul className="fc-edition-sample">
          {sample.map((factor) => (
            <li key={`${factor.activity} ${factor.unit} ${factor.category} ${factor.region}`}>
              <bdi>{factor.name}</bdi>
              <bdi className="fc-small fc-faint">
                {factor.category}, {factor.region}, scope {factor.scopes.join(', ')}
              </bdi>
              <bdi className="fc-small fc-number">
                {factor.gases.map(({ gas, kg }) => `${showFigure(kg)} kg ${gas}`).join(', ')} per{' '}
                {factor.unit}
              </bdi>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}
