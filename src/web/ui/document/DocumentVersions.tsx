import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import './document.css'

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const MOST = 12
const RESTORE = 'Edit this version'
const NO_TEXTS = { same: 'Nothing changed.' }

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
  /** Below the changes: its content, and what else can be done with it. */
  more?: ReactNode
}>

type Props = {
  /** Newest first. */
  versions: readonly ShownVersion[]
  /** Before the first one: what versions are for. */
  empty: string
  /** Compares two versions. With it, the list is short. */
  comparison?: ReactNode
  /** What changed if nothing did that can be seen (in the long list), and the button that restores. */
  texts?: Texts
  /** In a form, which has margins of its own. */
  isInForm?: boolean
}
/** `done`: what makes a version, instead of "Published". */
type Texts = Readonly<{ same: string; restore?: string; done?: string }>

/** The published versions: a short list below a comparison, or with the changes of each and a way back to it. */
export function DocumentVersions({ versions, empty, comparison, texts = NO_TEXTS, isInForm = false }: Props) {
  if (versions.length === 0) {
    return <EmptyState icon={<IconHistory size={18} />} title="No versions yet" text={empty} />
  }
  if (comparison === undefined) {
    return (
      <ol className="fc-versions" {...(isInForm && { style: IN_FORM })}>
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
              <Publication version={version} texts={texts} />
            </span>
            <Restore version={version} texts={texts} />
          </li>
        ))}
      </ol>
    </div>
  )
}

const IN_FORM = { padding: 0 } as const
type VersionProps = { version: ShownVersion; texts: Texts }

function Publication({ version: { publishedAt, publishedBy, summary }, texts }: VersionProps) {
  return (
    <bdi>
      {texts.done ?? 'Published'} {format.format(new Date(publishedAt))}
      {publishedBy !== null && ` by ${publishedBy}`}. {summary}
    </bdi>
  )
}

function Version({ version, texts }: VersionProps) {
  const { number, use, note = null, changes = null, more } = version
  return (
    <li>
      <h2>
        Version {number}
        {note !== null && <span className="fc-small fc-faint"> {note}</span>}
      </h2>
      <p className="fc-small fc-soft">
        <Publication version={version} texts={texts} /> {use}
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
      <Restore version={version} texts={texts} />
      {more}
    </li>
  )
}

function Restore({ version: { number, onRestore = null }, texts }: VersionProps) {
  if (onRestore === null) return null
  return (
    <Button variant="default" size="xs" onClick={onRestore}>
      {texts.restore ?? RESTORE}
      <span className="fc-hidden"> of version {number}</span>
    </Button>
  )
}
