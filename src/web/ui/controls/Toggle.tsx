import './toggle.css'

type Props<T extends string> = {
  /** Accessible name of the group. */
  label: string
  /** The label of each option, in button order. */
  choices: Readonly<Record<T, string>>
  value: T
  onChange: (value: T) => void
}

/** A group of buttons that switches between a few views of the same data. */
export function Toggle<T extends string>({ label, choices, value, onChange }: Props<T>) {
  const names = namesOf(choices)
  return (
    <fieldset className="fc-toggle" aria-label={label}>
      {names.map((name) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => onChange(name)}>
          {choices[name]}
        </button>
      ))}
    </fieldset>
  )
}

/** For cards that can be shown as a chart or a table. */
export const CHART_OR_TABLE = { chart: 'Chart', table: 'Table' } as const

function namesOf<T extends string>(choices: Readonly<Record<T, string>>): T[] {
  const names: T[] = []
  for (const name in choices) names.push(name)
  return names
}
