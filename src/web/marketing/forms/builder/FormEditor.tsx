import { Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { type Form, type FormVersion, forms } from '#contract/marketing/forms/forms.ts'
import { send } from '#web/api/query.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ConflictNotice } from '#web/ui/form/ConflictNotice.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { type RecordFormState, useRecordForm } from '#web/ui/record/use-record-form.ts'
import { publishForm } from '../form-actions.ts'
import { mergeMemory } from '#web/questions/builder/merge-content.ts'
import { BuilderPanes } from '#web/questions/builder/BuilderPanes.tsx'
import { type Memory, NO_MEMORY, type Problem } from '#web/questions/builder/use-builder.ts'
import { FormHeader } from './FormHeader.tsx'
import { CONTACT } from './form-problems.ts'
import {
  describeField,
  formForm,
  type FormValues,
  isOnSettings,
  mergeFormValues,
  showField,
  sumUp,
  toContent,
} from './form-values.ts'
import { useFormBuilder } from './use-form-builder.ts'
import { compareDefinitions } from '#contract/questions/changes.ts'
import type { Definition } from '#contract/questions/definition.ts'
import type { ShownVersion } from '#web/ui/document/DocumentVersions.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { mayLeaveUnread } from '#web/ui/form/unread-numbers.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Options = {
  form: Form
  /** The questions as they are in the editor. */
  draft: Definition
  /** Puts the questions of a version into the editor; null if the user can't edit. */
  onRestore: ((version: FormVersion) => void) | null
}

/** The published versions as their list shows them, newest first. */
const shownVersions = (
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

const SettingsTab = lazy(async () => ({ default: (await import('./SettingsTab.tsx')).SettingsTab }))
const TryItTab = lazy(async () => ({ default: (await import('./TryItTab.tsx')).TryItTab }))
const DocumentVersions = lazy(async () => ({
  default: (await import('#web/ui/document/DocumentVersions.tsx')).DocumentVersions,
}))

const route = getRouteApi('/shell/dvp/forms/$id')
const updateForm = send(forms.update)

type Props = {
  form: Form
  /** The published versions, newest first. */
  versions: readonly FormVersion[]
  onKept: (form: Form) => void
}

/** The editor of a loaded form. Its three tabs are one form with one Save. */
export function FormEditor({ form, versions, onKept }: Props) {
  const [memory, keepMemory] = useState<Memory>(NO_MEMORY)
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const isPublishing = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const record = useRecordForm<FormValues, Form>({
    ...formForm,
    record: form,
    endpoint: forms.update,
    save: (values, version) => updateForm({ id: form.id, version, ...formForm.toInput(values) }),
    keep: onKept,
    merge: mergeFormValues,
    onMerged: (base, theirs) => keepMemory(mergeMemory(memory, toContent(base), toContent(theirs))),
    onSaved: async (saved) => {
      if (isPublishing.current) await publish(saved)
      else toast('Draft saved', saved.name)
      refocus()
    },
  })
  const published = versions.map(({ definition }) => definition)
  const builder = useFormBuilder(record, { memory, keep: keepMemory }, published)

  async function publish(saved: Form) {
    setBusy(true)
    const after = await publishForm(saved)
    setBusy(false)
    if (after !== null) record.keep(after)
  }
  const show = (next: typeof tab) =>
    void navigate({ search: next === undefined ? {} : { tab: next }, replace: true, ignoreBlocker: true })
  const submit = (publishes: boolean) => {
    isPublishing.current = publishes
    if (publishes && record.changed.length === 0)
      return void mayLeaveUnread().then((isSure) => (isSure ? publish(form) : undefined))
    const wrong = Object.keys(formForm.check(record.form.values))
    if (wrong.some(isOnSettings)) show('settings')
    return record.submit()
  }
  const restore = ({ number, definition }: FormVersion) => {
    builder.edit({ ...builder.content, draft: definition }, `version ${number}`)
    show(undefined)
    toast(
      `Questions of version ${number}`,
      'Visitors see them when you publish. Undo restores your questions.',
    )
  }
  const goTo = ({ section, question, about }: Problem) => {
    show(about === CONTACT ? 'settings' : undefined)
    if (about === CONTACT) return
    builder.choose({ section: section ?? builder.chosen.section, question })
    refocus()
  }
  return (
    <RecordForm record={{ ...record, submit: () => submit(false) }} className="fc-list fc-builder-page">
      <FormHeader
        form={form}
        record={record}
        builder={builder}
        isBusy={isBusy}
        onSave={() => submit(false)}
        onPublish={() => submit(true)}
        onProblem={goTo}
        onChanged={record.keep}
      />
      <Problems record={record} />
      <Tabs tab={tab} versions={versions.length} />
      {tab === undefined && <BuilderPanes builder={builder} onProblem={goTo} />}
      <Suspense fallback={<Spinner label="Loading" />}>
        {tab === 'settings' && <SettingsTab record={record} builder={builder} form={form} />}
        {tab === 'try' && (
          <TryItTab draft={record.form.values.draft} lotId={record.form.values.lotId || null} />
        )}
        {tab === 'versions' && (
          <DocumentVersions
            versions={shownVersions(versions, {
              form,
              draft: builder.content.draft,
              onRestore: builder.isReadOnly ? null : restore,
            })}
            empty="Each time you publish, the questions are kept as a version. Submissions always show the questions that their sender saw."
            texts={{ same: 'Only contact details changed.', restore: 'Edit these questions' }}
          />
        )}
      </Suspense>
      <StaleDialog record={record} thing="this form" show={showField} describe={describeField} />
    </RecordForm>
  )
}

/** After a save or a jump, the focus is on the chosen entry of the outline, unless the user moved it. */
function refocus() {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body && document.activeElement?.tagName !== 'BUTTON') return
    document.querySelector<HTMLElement>('.fc-outline [aria-current]')?.focus()
  })
}

/** A conflict that isn't decided, or what is rejected in the questions and has no field of its own. */
function Problems({ record: { form, conflict } }: { record: RecordFormState<FormValues, Form> }) {
  if (conflict)
    return (
      <Group px="md" py="xs" gap="sm" bg="var(--fc-bad-tint)">
        <ConflictNotice conflict={conflict} />
      </Group>
    )
  const [, error] =
    Object.entries(form.errors).find(([path, text]) => !isOnSettings(path) && text !== undefined) ?? []
  return error === undefined || error === null ? null : (
    <p className="fc-form-alert" role="alert">
      {error}
    </p>
  )
}

const TABS = [
  { tab: undefined, title: 'Questions' },
  { tab: 'settings', title: 'Settings' },
  { tab: 'try', title: 'Try it' },
  { tab: 'versions', title: 'Versions' },
] as const

/** The tabs don't lose anything, so they never ask about unsaved changes. */
function Tabs({ tab, versions }: { tab: 'settings' | 'try' | 'versions' | undefined; versions: number }) {
  const { id } = route.useParams()
  return (
    <nav className="fc-tabs" aria-label="Parts of this form">
      {TABS.map((one) => (
        <Link
          key={one.title}
          to="/dvp/forms/$id"
          params={{ id }}
          search={one.tab ? { tab: one.tab } : {}}
          replace
          ignoreBlocker
          activeOptions={{ exact: true, includeSearch: true }}
          {...(one.tab === tab && { 'aria-current': 'page' as const })}
        >
          {one.title}
          {one.tab === 'versions' && versions > 0 && (
            <span className="fc-small fc-faint fc-number">{versions}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}
