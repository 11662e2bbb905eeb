import { targetsWith, targetTitle } from '#contract/feeds/mappings/mapping.ts'
import type { SampleResult, TriedMapping } from '#contract/feeds/mappings/tried-mapping.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { resultOf, showValue } from './mapping-form.ts'

/** The result of the last check of the whole sample, and a live preview of its first rows as vehicles. */
export function MappingResults({
  results,
  sample,
}: {
  results: readonly SampleResult[]
  sample: TriedMapping
}) {
  const { rowCount, isWhole, accepted, leftOut, refused } = sample
  return (
    <section className="fc-mapping-results" aria-label="Results">
      <h2>Preview</h2>
      <p className="fc-small">
        <bdi>
          {accepted} of {isWhole ? '' : 'the first '}
          {rowCount} rows were valid vehicles in the last check.
          {leftOut > 0 && ` The feed leaves out ${leftOut}.`}
        </bdi>
      </p>
      {refused.length > 0 && (
        <ul className="fc-small" aria-label="Why rows were rejected">
          {refused.map(({ sentence, count }) => (
            <li key={sentence}>
              <bdi>
                {count} rejected: {sentence}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      <ol className="fc-mapping-vehicles">
        {results.map((result) => (
          <Vehicle key={result.line} result={result} own={sample.own} />
        ))}
      </ol>
    </section>
  )
}

function Vehicle({ result, own }: { result: SampleResult; own: TriedMapping['own'] }) {
  const { line, values, warnings, refusals, leftOut } = result
  const name = ['year', 'make', 'model', 'trim']
    .map((field) => values[field])
    .filter(Boolean)
    .join(' ')
  return (
    <li>
      <h3>
        <bdi>{name === '' ? 'Unnamed vehicle' : name}</bdi>
        <span className="fc-second">Line {line}</span>
      </h3>
      {leftOut !== null && (
        <Status tone="mute" mark="dash">
          <bdi>Left out: {leftOut}</bdi>
        </Status>
      )}
      {refusals.map((sentence) => (
        <Status key={sentence} tone="bad" mark="cross">
          <bdi>{sentence}</bdi>
        </Status>
      ))}
      {warnings.map(({ target, sentence }) => (
        <Status key={`${target}${sentence}`} tone="warn" mark="alert">
          <bdi>
            {target === null ? '' : `${targetTitle(target, own)}: `}
            {sentence}
          </bdi>
        </Status>
      ))}
      <dl>
        {targetsWith(own).flatMap((target) => {
          const text = showValue(target, resultOf(target, result))
          if (text === '') return []
          return [
            <div key={target}>
              <dt>{targetTitle(target, own)}</dt>
              <dd className="fc-cut" title={text}>
                <bdi>{text}</bdi>
              </dd>
            </div>,
          ]
        })}
      </dl>
    </li>
  )
}
