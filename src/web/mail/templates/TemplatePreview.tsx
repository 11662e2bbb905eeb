import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { emailTemplates, type TemplateKey } from '#contract/mail/templates/templates.ts'
import { send } from '#web/api/query.ts'
import { checkTemplate, FIELD_NAMES, type TemplateValues } from './template-form.ts'

const preview = send(emailTemplates.preview)
const FACES = ['Desktop', 'Mobile', 'Dark', 'Text'] as const

/** How words look with sample data, a moment after they were typed, and what is wrong with them. */
export function TemplatePreview({ name, words }: { name: TemplateKey; words: TemplateValues }) {
  const [face, setFace] = useState<(typeof FACES)[number]>('Desktop')
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
        {FACES.map((one) => (
          <Button
            key={one}
            size="compact-sm"
            variant={one === face ? 'light' : 'default'}
            aria-pressed={one === face}
            onClick={() => setFace(one)}
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
      {data && face === 'Text' && (
        <pre className="fc-mail-text" dir="auto">
          {data.text}
        </pre>
      )}
      {data && face !== 'Text' && (
        // Without any right: no scripts, no forms, no cookies, no links that lead out of it.
        <iframe
          title="The mail as its reader sees it"
          sandbox=""
          srcDoc={data.html}
          className="fc-template-frame"
          data-face={face}
        />
      )}
    </section>
  )
}
