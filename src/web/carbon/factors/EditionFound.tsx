import type { EditionPreview } from '#contract/carbon/factors/factor-editions.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const FORM_NAMES: Record<EditionPreview['form'], string> = {
  own: 'a line for each factor',
  long: 'a line for each gas',
  desnz: "the UK's flat file",
  useeio: "the EPA's supply chain factors",
}

/** What a file would bring, and which of its lines cannot be kept. */
export function EditionFound({ found }: { found: EditionPreview }) {
  const { form, lines, factors, known, refused, refusedLines, sample } = found
  const reasons = [...Map.groupBy(refused, ({ sentence }) => sentence)]
  return (
    <>
      <p>
        <Status tone={refusedLines === 0 ? 'good' : 'warn'} mark={refusedLines === 0 ? 'check' : 'alert'}>
          <bdi>
            {count(factors, 'factor', 'factors')} in {count(lines, 'line', 'lines')}
            {refusedLines > 0 && `, ${count(refusedLines, 'line', 'lines')} refused`}
          </bdi>
        </Status>
      </p>
      <p className="fc-small fc-soft">
        <bdi>
          Read as {FORM_NAMES[form]}. {known.toLocaleString()} continue activities of the library; the others
          are found by their own names.
        </bdi>
      </p>
      {reasons.length > 0 && (
        <details>
          <summary>Refused lines</summary>
          <ul className="fc-edition-refused">
            {reasons.map(([sentence, those]) => (
              <li key={sentence}>
                <bdi>{sentence}</bdi>{' '}
                <bdi className="fc-small fc-faint">
                  {those.length === 1 ? 'Line' : 'Lines'}{' '}
                  {those
                    .slice(0, 12)
                    .map(({ line }) => line)
                    .join(', ')}
                  {those.length > 12 && ' and more'}
                </bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>The first factors</summary>
        <ul className="fc-edition-sample">
          {sample.map((factor) => (
            <li key={`${factor.activity} ${factor.unit} ${factor.category} ${factor.region}`}>
              <bdi>{factor.name}</bdi>
              <bdi className="fc-small fc-faint">
                {factor.category}, {factor.region}, scope {factor.scopes.join(', ')}
              </bdi>
              <bdi className="fc-small fc-number">
                {factor.gases.map(({ gas, kg }) => `${showFigure(kg)} kg ${gas}`).join(', ')} a {factor.unit}
              </bdi>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}
