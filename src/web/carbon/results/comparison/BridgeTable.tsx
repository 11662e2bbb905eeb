import { capitalize } from '#contract/capitalize.ts'
import { type BridgeLine, type Comparison, EFFECTS } from '#contract/carbon/results/comparison.ts'
import { tonnes } from '../../activity/insight-labels.ts'
import { changeOf, EFFECT_NAMES, isMinimum, matchedPart, shareOf, signedTonnes } from './bridge-labels.ts'

type Props = { title: string; lines: readonly BridgeLine[]; comparison: Comparison }

/** Both inventories and the effects that explain the change, line by line. The last line is the total. */
export function BridgeTable({ title, lines, comparison }: Props) {
  return (
    <section className="fc-insights-card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="fc-grow fc-small fc-faint">t CO2e</span>
      </header>
      {lines.length === 0 ? (
        <p>Neither inventory has data.</p>
      ) : (
        <section
          className="fc-insights-table fc-compare-table"
          aria-label={`${title}, table`}
          // Focusable, so that a table wider than the page can be scrolled with the keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          <table>
            <thead>
              <tr>
                <th scope="col">{firstColumn(title)}</th>
                <th scope="col">Before</th>
                {EFFECTS.map((effect) => (
                  <th key={effect} scope="col">
                    {EFFECT_NAMES[effect]}
                  </th>
                ))}
                <th scope="col">After</th>
                <th scope="col">Change, same data points</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <Line key={line.key} line={line} />
              ))}
            </tbody>
            <tfoot>
              <Line
                line={comparison.total}
                isMinimumBefore={isMinimum(comparison, 'before')}
                isMinimumAfter={isMinimum(comparison, 'after')}
              />
            </tfoot>
          </table>
        </section>
      )}
    </section>
  )
}

type LineProps = { line: BridgeLine; isMinimumBefore?: boolean; isMinimumAfter?: boolean }

function Line({
  line,
  isMinimumBefore = line.missingBefore > 0,
  isMinimumAfter = line.missingAfter > 0,
}: LineProps) {
  const matched = matchedPart(line)
  return (
    <tr>
      <th scope="row">
        <bdi>{line.title}</bdi>
      </th>
      <td>{sumOf(line.before, isMinimumBefore, line.importedBefore)}</td>
      {EFFECTS.map((effect) => (
        <td key={effect}>{signedTonnes(line[effect])}</td>
      ))}
      <td>{sumOf(line.after, isMinimumAfter, line.importedAfter)}</td>
      <td>
        {signedTonnes(changeOf(matched))}
        {shareOf(matched) !== null && <span className="fc-second">{shareOf(matched)}</span>}
      </td>
    </tr>
  )
}

/** A total, marked if results are missing, with the imported part. */
function sumOf(kg: string, isLeast: boolean, imported: string) {
  return (
    <>
      {isLeast ? `at least ${tonnes(kg)}` : tonnes(kg)}
      {Number(imported) !== 0 && <span className="fc-second">{`Imported: ${tonnes(imported)}`}</span>}
    </>
  )
}

/** The heading of the first column: "Scope" for the table "By scope". */
function firstColumn(title: string): string {
  const noun = title.replace('By ', '')
  return capitalize(noun)
}
