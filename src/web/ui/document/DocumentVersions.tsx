import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import './document.css'

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const MOST = 12
const NO_TEXTS = { same: 'Nothing changed.', restore: 'Edit this version' }

/** A published version as its list shows it. */
export type ShownVersion = Readonly<{
  number: number
  publishedAt: string
  publishedBy: string | null
  /** What it consists of: "5 questions." */
  summary: string
  /** How it is used: "No submissions." */
  use?: string
  /** Beside its number: "visitors see this one". */
  note?: string | null
  /** What changed since the version before; null for the first. */
  changes?: readonly string[] | null
  /** Puts its content into the draft; null if the user can't, or the draft is equal. */
  onRestore?: (() => void) | null
}>

type Props = {
  /** Newest first. */
  versions: readonly ShownVersion[]
  /** Before the first one: what versions are for. */
  empty: string
  /** Compares two versions. With it, the list is short. */
  comparison?: ReactNode
  /** What changed if nothing did that can be seen (in the long list), and the button that restores. */
  texts?: Readonly<{ same: string; restore: string }>
}

/** The published versions: a short list below a comparison, or with the changes of each and a way back to it. */
export function DocumentVersions({ versions, empty, comparison, texts = NO_TEXTS }: Props) {
  if (versions.length === 0) {
    return <EmptyState icon={<IconHistory size={18} />} title="No versions yet" text={empty} />
  }
  if (comparison === undefined) {
    return (
      <ol className="fc-versions">
        {versions.map((version) => (
          <Version key={version.number} version={version} texts={texts} />
        ))}
      </ol>
    )
  }
  return (
    <div className="fc-versions">
      {comparison}
      <ol className="fc-version-list">
        {versions.map((version) => (
          <li key={version.number}>
            <strong>Version {version.number}</strong>
            <span className="fc-small fc-soft">
              <Publication version={version} />
            </span>
            <Restore version={version} text={texts.restore} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Publication({ version: { publishedAt, publishedBy, summary } }: { version: ShownVersion }) {
  return (
    <bdi>
      Published {format.format(new Date(publishedAt))}
      {publishedBy !== null && ` by ${publishedBy}`}. {summary}
    </bdi>
  )
}

function Version({ version, texts }: { version: ShownVersion } & Required<Pick<Props, 'texts'>>) {
  const { number, use, note = null, changes = null } = version
  return (
    <li>
      <h2>
        Version {number}
        {note !== null && <span className="fc-small fc-faint"> {note}</span>}
      </h2>
      <p className="fc-small fc-soft">
        <Publication version={version} /> {use}
      </p>
      {changes !== null && (
        <ul>
          {changes.slice(0, MOST).map((message, at) => (
            <li key={at}>
              <bdi>{message}</bdi>
            </li>
          ))}
          {changes.length > MOST && (
            <li>And {count(changes.length - MOST, 'other change', 'other changes')}.</li>
          )}
          {changes.length === 0 && <li>{texts.same}</li>}
        </ul>
      )}
      <Restore version={version} text={texts.restore} />
    </li>
  )
}

function Restore({ version: { number, onRestore = null }, text }: { version: ShownVersion; text: string }) {
  if (onRestore === null) return null
  return (
    <Button variant="default" size="xs" onClick={onRestore}>
      {text}
      <span className="fc-hidden"> of version {number}</span>
    </Button>
  )
}
