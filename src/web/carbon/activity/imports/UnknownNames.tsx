import { Button, Select } from '@mantine/core'
import type { ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import { count } from '#web/ui/layout/date-format.ts'

type Props = {
  title: string
  names: ImportPreview['unknownFacilities']
  choices: readonly { value: string; label: string }[]
  /** `text` as it is remembered, without capitals and double blanks. */
  onName: (text: string, id: string) => void
}

/** Names of the file that nothing has, each with the nearest that there are; what is said once is remembered. */
export function UnknownNames({ title, names, choices, onName }: Props) {
  if (names.length === 0) return null
  const titles = new Map(choices.map(({ value, label }) => [value, label]))
  const say = (text: string, id: string) => onName(text.trim().toLowerCase().replaceAll(/\s+/g, ' '), id)
  return (
    <section className="fc-import-unknown" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {names.map(({ text, lines, near }) => (
          <li key={text}>
            <span>
              <bdi className="fc-name">{text}</bdi>{' '}
              <span className="fc-small fc-soft">{count(lines, 'line', 'lines')}</span>
            </span>
            {near.map((id) => (
              <Button key={id} variant="default" size="compact-sm" onClick={() => say(text, id)}>
                It is {titles.get(id) ?? id}
              </Button>
            ))}
            <Select
              aria-label={`What ${text} is`}
              placeholder="Choose"
              data={[...choices]}
              value={null}
              searchable
              onChange={(id) => {
                if (id !== null) say(text, id)
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
