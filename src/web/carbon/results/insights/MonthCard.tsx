import type { LedgerTotal } from '#contract/carbon/results/ledger-filter.ts'
import { useState } from 'react'
import type { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { CHART_OR_TABLE, Toggle } from '#web/ui/controls/Toggle.tsx'
import { formatMonth } from '#web/carbon/activity/records/activity-labels.ts'
import { atLeast, type Method, tonnes } from '../../activity/insight-labels.ts'
import { type MonthStack, monthFinding, monthStacks, scopeSums } from './month-stacks.ts'
import styles from './MonthCard.module.css'

type Props = { totals: Totals; method: Method; onOpen: (line: LedgerTotal) => void }

/** Emissions by month, stacked by scope. A column or the total of a scope opens its rows. */
export function MonthCard({ totals, method, onOpen }: Props) {
  const [form, setForm] = useState<keyof typeof CHART_OR_TABLE>('chart')
  return (
    <section className="fc-insights-card" aria-labelledby="insights-months">
      <header>
        <h2 id="insights-months">By month and scope</h2>
        <span className="fc-grow fc-small fc-faint">t CO2e, {method}-based</span>
        <Toggle
          label="By month and scope: show as"
          choices={CHART_OR_TABLE}
          value={form}
          onChange={setForm}
        />
      </header>
      <p>
        <bdi>{monthFinding(totals.months, method, totals.coverage.incompleteMonths)}</bdi>
      </p>
      {form === 'table' ? (
        <MonthTable totals={totals} method={method} />
      ) : (
        <Chart totals={totals} method={method} onOpen={onOpen} />
      )}
    </section>
  )
}

function Chart({ totals, method, onOpen }: Props) {
  const { stacks, lines } = monthStacks(totals, method)
  const top = lines.at(-1) ?? 1
  return (
    <div className={styles.months} dir="ltr">
      <div className={styles.plot}>
        {lines.map((kg) => (
          <span
            key={kg}
            className={styles.line}
            style={{ insetBlockEnd: `${(kg / top) * 100}%` }}
            aria-hidden="true"
          >
            <span>{formatAxis(kg)}</span>
          </span>
        ))}
        <ul>
          {stacks.map((stack) => (
            <li key={stack.month}>
              <Column
                stack={stack}
                isIncomplete={totals.coverage.incompleteMonths.includes(stack.month)}
                onOpen={onOpen}
              />
            </li>
          ))}
        </ul>
      </div>
      <ul className={styles.legend} aria-label="By scope">
        {scopeSums(totals.monthScopes, method)
          .toReversed()
          .map(({ scope, kg }) => (
            <li key={scope} data-scope={scope}>
              <span>Scope {scope}</span>
              <button
                type="button"
                className="fc-text-button fc-number"
                aria-label={`${tonnes(kg)} t, rows of scope ${scope}`}
                onClick={() => onOpen({ by: 'scope', key: scope })}
              >
                {tonnes(kg)} t
              </button>
            </li>
          ))}
      </ul>
    </div>
  )
}

type ColumnProps = { stack: MonthStack; isIncomplete: boolean; onOpen: (line: LedgerTotal) => void }

function Column({ stack: { month, kg, slices }, isIncomplete, onOpen }: ColumnProps) {
  const name = formatMonth(month)
  const parts = slices.map((slice) => `scope ${slice.scope} ${tonnes(slice.kg)}`).join(', ')
  const label = `${name}: ${isIncomplete ? 'at least ' : ''}${tonnes(kg)} t${parts === '' ? '' : `, ${parts}`}${isIncomplete ? '; data missing' : ''}`
  return (
    <button
      type="button"
      title={label}
      data-incomplete={isIncomplete || undefined}
      aria-label={`${label}; show rows`}
      onClick={() => onOpen({ by: 'month', key: month })}
    >
      {slices.map(({ scope, from, share }) => (
        <span
          key={scope}
          data-scope={scope}
          style={{ insetBlockEnd: `${from * 100}%`, blockSize: `${share * 100}%` }}
        />
      ))}
      <i aria-hidden="true">{name.slice(0, 3)}</i>
    </button>
  )
}

/** Tonnes for an axis line, with up to three significant digits. */
const formatAxis = (kg: number): string =>
  (kg / 1000).toLocaleString(undefined, { maximumSignificantDigits: 3 })

function MonthTable({ totals: { months, monthScopes, coverage }, method }: Pick<Props, 'totals' | 'method'>) {
  const of = (month: string, scope: string) =>
    tonnes(monthScopes.find((one) => one.month === month && one.scope === scope)?.[method] ?? '0')
  return (
    // Focusable, so that a table wider than the page can be scrolled with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="fc-insights-table" aria-label="By month and scope, table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Scope 1</th>
            <th scope="col">Scope 2</th>
            <th scope="col">Scope 3</th>
            <th scope="col">Total</th>
            <th scope="col">Estimated</th>
          </tr>
        </thead>
        <tbody>
          {months.map((line) => (
            <tr key={line.key}>
              <th scope="row">{formatMonth(line.key)}</th>
              <td>{of(line.key, '1')}</td>
              <td>{of(line.key, '2')}</td>
              <td>{of(line.key, '3')}</td>
              <td>
                {atLeast({ ...line, points: coverage.incompleteMonths.includes(line.key) ? 1 : 0 }, method)}
              </td>
              <td>{line.estimated.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
