import { Button, Select } from '@mantine/core'
import type { ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import { count } from '#web/ui/layout/date-format.ts'

type Props = {
  title: string
  names: ImportPreview['unknownFacilities']
  choices: readonly { value: string; label: string }[]
  /** `text` in the form that is remembered: lower case, single spaces. */
  onName: (text: string, id: string) => void
}

/** Names in the file that match nothing, each with the closest matches. The choice is remembered for the next file. */
export function UnknownNames({ title, names, choices, onName }: Props) {
  if (names.length === 0) return null
  const titles = new Map(choices.map(({ value, label }) => [value, label]))
  const assign = (text: string, id: string) => onName(text.trim().toLowerCase().replaceAll(/\s+/g, ' '), id)
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
              <Button key={id} variant="default" size="compact-sm" onClick={() => assign(text, id)}>
                Use {titles.get(id) ?? id}
              </Button>
            ))}
            <Select
              aria-label={`Match for ${text}`}
              placeholder="Choose"
              data={[...choices]}
              value={null}
              searchable
              onChange={(id) => {
                if (id !== null) assign(text, id)
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
