import { type BridgeLine, EFFECTS } from '#contract/carbon/results/comparison.ts'
import { tonnes } from '../insights/insight-labels.ts'
import { changeOf, EFFECT_NAMES, shareOf } from './bridge-labels.ts'

type Props = { title: string; lines: readonly BridgeLine[]; total: BridgeLine }

/** Both inventories and the effects that explain the change, line by line. The last line is the total. */
export function BridgeTable({ title, lines, total }: Props) {
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
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <Line key={line.key} line={line} />
              ))}
            </tbody>
            <tfoot>
              <Line line={total} />
            </tfoot>
          </table>
        </section>
      )}
    </section>
  )
}

function Line({ line }: { line: BridgeLine }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{line.title}</bdi>
      </th>
      <td>{sumOf(line.before, line.missingBefore, line.importedBefore)}</td>
      {EFFECTS.map((effect) => (
        <td key={effect}>{tonnes(line[effect])}</td>
      ))}
      <td>{sumOf(line.after, line.missingAfter, line.importedAfter)}</td>
      <td>
        {tonnes(changeOf(line))}
        {shareOf(line) !== null && <span className="fc-second">{shareOf(line)}</span>}
      </td>
    </tr>
  )
}

/** A total, marked if results are missing, with the imported part. */
function sumOf(kg: string, missing: number, imported: string) {
  return (
    <>
      {missing > 0 ? `at least ${tonnes(kg)}` : tonnes(kg)}
      {Number(imported) !== 0 && <span className="fc-second">{`Imported: ${tonnes(imported)}`}</span>}
    </>
  )
}

/** The heading of the first column: "Scope" for the table "By scope". */
function firstColumn(title: string): string {
  const noun = title.replace('By ', '')
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}
