import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { emailTemplates, type TemplateKey } from '#contract/mail/templates/templates.ts'
import { send } from '#web/api/query.ts'
import { checkTemplate, FIELD_NAMES, type TemplateValues } from './template-form.ts'

const preview = send(emailTemplates.preview)
const MODES = ['Desktop', 'Mobile', 'Dark', 'Text'] as const

/** A debounced preview with sample data, and the errors in the template. */
export function TemplatePreview({ name, words }: { name: TemplateKey; words: TemplateValues }) {
  const [mode, setMode] = useState<(typeof MODES)[number]>('Desktop')
  const [settled] = useDebouncedValue(words, 500)
  const { data, error, isFetching } = useQuery({
    queryKey: ['template preview', name, settled],
    queryFn: () => preview({ key: name, ...settled }),
    enabled: Object.keys(checkTemplate(settled)).length === 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <section className="fc-template-preview" aria-label="Preview" aria-busy={isFetching}>
      <div className="fc-row">
        {MODES.map((one) => (
          <Button
            key={one}
            size="compact-sm"
            variant={one === mode ? 'light' : 'default'}
            aria-pressed={one === mode}
            onClick={() => setMode(one)}
          >
            {one}
          </Button>
        ))}
      </div>
      {error && <p role="alert">{error.message}</p>}
      {data && data.problems.length > 0 && (
        <ul className="fc-template-problems" aria-label="Problems">
          {data.problems.map(({ part, line, sentence }, index) => (
            <li key={index}>
              <b>
                {FIELD_NAMES[part]}
                {line !== null && `, line ${line}`}:
              </b>{' '}
              <bdi>{sentence}</bdi>
            </li>
          ))}
        </ul>
      )}
      {data && (
        <p className="fc-template-subject">
          <bdi>{data.subject}</bdi>
        </p>
      )}
      {data && mode === 'Text' && (
        <pre className="fc-mail-text" dir="auto">
          {data.text}
        </pre>
      )}
      {data && mode !== 'Text' && (
        // Fully sandboxed: no scripts, forms, cookies or navigation.
        <iframe
          title="Email preview"
          sandbox=""
          srcDoc={data.html}
          className="fc-template-frame"
          data-face={mode}
        />
      )}
    </section>
  )
}
