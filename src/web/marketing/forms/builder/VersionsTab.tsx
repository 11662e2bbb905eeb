import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { Form, FormVersion } from '#contract/marketing/forms/forms.ts'
import { compareDefinitions } from '#contract/questions/changes.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { sumUp } from './form-values.ts'

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const MOST = 12

type Props = {
  form: Form
  versions: readonly FormVersion[]
  /** The questions as they are in the editor. */
  draft: Definition
  /** Puts the questions of a version into the editor; null if the user can't edit. */
  onRestore: ((version: FormVersion) => void) | null
}

/** The published versions, newest first, with what changed in each. */
export function VersionsTab({ form, versions, draft, onRestore }: Props) {
  if (versions.length === 0) {
    return (
      <EmptyState
        icon={<IconHistory size={18} />}
        title="No versions yet"
        text="Each time you publish, the questions are kept as a version. Submissions always show the questions that their sender saw."
      />
    )
  }
  return (
    <ol className="fc-versions">
      {versions.map((version, at) => (
        <Version
          key={version.number}
          form={form}
          version={version}
          before={versions[at + 1]}
          onRestore={compareDefinitions(version.definition, draft).length === 0 ? null : onRestore}
        />
      ))}
    </ol>
  )
}

type VersionProps = Pick<Props, 'form' | 'onRestore'> & {
  version: FormVersion
  before: FormVersion | undefined
}

function Version({ form, version, before, onRestore }: VersionProps) {
  const { number, publishedAt, publishedBy, submissions, definition } = version
  const changes = before === undefined ? [] : compareDefinitions(before.definition, definition)
  return (
    <li>
      <h2>
        Version {number}
        {form.publishedNumber === number && form.status === 'published' && (
          <span className="fc-small fc-faint"> visitors see this one</span>
        )}
      </h2>
      <p className="fc-small fc-soft">
        <bdi>
          Published {format.format(new Date(publishedAt))}
          {publishedBy !== null && ` by ${publishedBy}`}. {sumUp(definition)}.
        </bdi>{' '}
        {submissions === 0 ? 'No submissions.' : `${count(submissions, 'submission', 'submissions')}.`}
      </p>
      {before !== undefined && (
        <ul>
          {changes.slice(0, MOST).map(({ message }, index) => (
            <li key={index}>
              <bdi>{message}</bdi>
            </li>
          ))}
          {changes.length > MOST && (
            <li>And {count(changes.length - MOST, 'other change', 'other changes')}.</li>
          )}
          {changes.length === 0 && <li>Only contact details changed.</li>}
        </ul>
      )}
      {onRestore !== null && (
        <Button variant="default" size="xs" onClick={() => onRestore(version)}>
          Edit these questions<span className="fc-hidden"> of version {number}</span>
        </Button>
      )}
    </li>
  )
}
