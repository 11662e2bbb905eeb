import './toggle.css'

type Props<T extends string> = {
  /** What is chosen here, for whoever hears the page. */
  label: string
  /** The words on each choice, in the order of its buttons. */
  choices: Readonly<Record<T, string>>
  value: T
  onChange: (value: T) => void
}

/** One of few ways to look at the same thing, as buttons of which one is pressed. */
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

/** Of every card that is drawn or written out. */
export const CHART_OR_TABLE = { chart: 'Chart', table: 'Table' } as const

function namesOf<T extends string>(choices: Readonly<Record<T, string>>): T[] {
  const names: T[] = []
  for (const name in choices) names.push(name)
  return names
}
