import type { TriedMapping } from '#contract/feeds/mappings/tried-mapping.ts'
import { DELIMITER_NAMES } from './format-labels.ts'

/** The detected format of a sample. */
export function SampleSummary({ sample }: { sample: TriedMapping }) {
  const { format, encoding, delimiter, path, columns, preset, unused, refusal } = sample
  const names: Readonly<Record<string, string>> = DELIMITER_NAMES
  const about = [
    format.toUpperCase(),
    delimiter === null ? null : `${names[delimiter]?.toLowerCase() ?? delimiter} as separators`,
    path === null || path === '' ? null : `rows at ${path}`,
    encoding,
  ]
  return (
    <>
      <p className="fc-small">
        <bdi>{about.filter((one) => one !== null).join(', ')}.</bdi>{' '}
        <bdi>
          {preset === null
            ? 'Matched by column names and values.'
            : `Recognized as ${preset.title} (${Math.round(preset.fit * 100)}% match).`}
        </bdi>{' '}
        <bdi>
          {columns.length - unused.length} of {columns.length} columns matched.
        </bdi>
      </p>
      {refusal !== null && (
        <p className="fc-form-alert" role="alert">
          <bdi>{refusal}</bdi>
        </p>
      )}
    </>
  )
}

/** The columns of a sample with their rule names and sample values. */
export function SampleColumns({ sample: { columns, unused } }: { sample: TriedMapping }) {
  const isUnused = new Set(unused)
  return (
    <table className="fc-mapping-columns">
      <caption className="fc-hidden">Columns of the sample</caption>
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Values</th>
          <th scope="col">Filled</th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ name, ruleName, samples, filled }) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{name}</bdi>
              <span className="fc-second">
                <code>{ruleName}</code>
                {isUnused.has(name) && ', not used'}
              </span>
            </th>
            <td>
              <bdi>
                {samples.map((one) => (one.length > 60 ? `${one.slice(0, 57)}...` : one)).join(' / ')}
              </bdi>
            </td>
            <td>{Math.round(filled * 100)}%</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
