import type { Form, FormVersion } from '#contract/marketing/forms/forms.ts'
import { compareDefinitions } from '#contract/questions/changes.ts'
import type { Definition } from '#contract/questions/definition.ts'
import type { ShownVersion } from '#web/ui/document/DocumentVersions.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { sumUp } from './form-values.ts'

type Options = {
  form: Form
  /** The questions as they are in the editor. */
  draft: Definition
  /** Puts the questions of a version into the editor; null if the user can't edit. */
  onRestore: ((version: FormVersion) => void) | null
}

/** The published versions as their list shows them, newest first. */
export const shownVersions = (
  versions: readonly FormVersion[],
  { form, draft, onRestore }: Options,
): ShownVersion[] =>
  versions.map((version, at) => {
    const { number, publishedAt, publishedBy, submissions, definition } = version
    const before = versions[at + 1]
    const isShown = form.publishedNumber === number && form.status === 'published'
    const isSame = compareDefinitions(definition, draft).length === 0
    return {
      number,
      publishedAt,
      publishedBy,
      summary: `${sumUp(definition)}.`,
      use: submissions === 0 ? 'No submissions.' : `${count(submissions, 'submission', 'submissions')}.`,
      note: isShown ? 'visitors see this one' : null,
      changes:
        before === undefined
          ? null
          : compareDefinitions(before.definition, definition).map(({ message }) => message),
      onRestore: onRestore === null || isSame ? null : () => onRestore(version),
    }
  })
