import { Box, Stack, Text } from '@mantine/core'
import {
  dvpLayouts,
  type Layout,
  layoutRecord,
  LAYOUTS_MANAGED,
  type LayoutVersion,
  MAX_LAYOUT_VERSIONS,
} from '#contract/marketing/layouts/layouts.ts'
import { blockTitle } from '#contract/marketing/pages/blocks.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ChangeList } from '#web/ui/document/ChangeList.tsx'
import { DocumentVersions, type ShownVersion } from '#web/ui/document/DocumentVersions.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { overNewer } from '#web/ui/record/over-newer.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { describeBlocks, describeText, nameBlock } from '../pages/describe-page-changes.ts'

type Props<Values> = {
  record: RecordFormState<Values, Layout>
  /** As it is saved. */
  layout: Layout
  toValues: (layout: Layout) => Values
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

const restoreLayout = send(dvpLayouts.restore)

/** The former states of a layout with what changed in each, and a way back to them; loaded when it is opened. */
export function LayoutVersions<Values extends Record<string, unknown>>(props: Props<Values>) {
  const { record, layout, isOpen, onToggle } = props
  const restoring = useRestoring(props)
  const lock = layout.isReadOnly ? LAYOUTS_MANAGED : null
  const unsaved = record.changed.length > 0 ? 'Save or discard your changes first.' : null
  const shown = (version: LayoutVersion, before: LayoutVersion | undefined): ShownVersion => ({
    number: version.version,
    publishedAt: version.at,
    publishedBy: version.by,
    summary: `${count(version.top.length + version.bottom.length, 'locked block', 'locked blocks')}.`,
    note: version.version === layout.version ? 'the current one' : null,
    changes: before === undefined ? null : describeChanges(before, version),
    more: (
      <Stack gap={8} align="start">
        <Content version={version} />
        {describeChanges(layout, version).length > 0 && (
          <Action
            for={dvpLayouts.restore}
            lock={lock ?? unsaved}
            variant="default"
            size="xs"
            loading={restoring.isPending && restoring.variables.version === version.version}
            onClick={() => void restore(version)}
          >
            Restore<span className="fc-hidden"> version {version.version}</span>
          </Action>
        )}
      </Stack>
    ),
  })
  async function restore(version: LayoutVersion) {
    const changes = describeChanges(layout, version)
    const isSure = await ask({
      title: `Restore version ${version.version} of ${layout.name}?`,
      text: describeEffect(layout, version),
      more: <ChangeList changes={changes.map((message) => ({ message, effect: 'kept' }))} />,
      confirm: `Restore version ${version.version}`,
    })
    if (isSure) restoring.mutate(version)
  }
  return (
    <Box
      component="details"
      className="fc-wide fc-form-section"
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <Text component="summary" fz={14} fw={600} py={6} style={POINTER}>
        Versions
      </Text>
      {isOpen && (
        <Loaded query={query(dvpLayouts.versions, { id: layout.id })} what="the versions" shape="fields">
          {(versions) => (
            <Stack gap={16} pt={8}>
              <DocumentVersions
                versions={versions.map((version, at) => shown(version, versions[at + 1]))}
                empty="From now on, each save that changes the layout is kept as a version."
                texts={TEXTS}
                isInForm
              />
              {versions.length === MAX_LAYOUT_VERSIONS && (
                <Text size="sm" c="dimmed">
                  These are the newest {MAX_LAYOUT_VERSIONS} versions. Earlier changes are in the audit log.
                </Text>
              )}
            </Stack>
          )}
        </Loaded>
      )}
    </Box>
  )
}

const POINTER = { cursor: 'pointer' } as const
const TEXTS = { same: 'Nothing changed that can be seen.', done: 'Saved' }

/** Saves a version again. If another user was faster, it asks once more; what can't be saved can be edited. */
function useRestoring<Values extends Record<string, unknown>>({ record, layout, toValues }: Props<Values>) {
  const { id } = layout
  return useMutation({
    mutationFn: ({ version: to }: LayoutVersion) =>
      overNewer({
        thing: 'this layout',
        version: layout.version,
        run: (version) => restoreLayout({ id, version, to }),
        schema: layoutRecord.schema,
        show: record.keep,
        describe: (current) => `${describeChanges(layout, current).join('. ')}.`,
        confirm: `Restore version ${to}`,
      }),
    onSuccess: (restored, { version }) => {
      if (restored === null) return
      toast(`Version ${version} restored`, describePages(restored))
      record.keep(restored)
    },
    onError: (failure, version) => void explain(failure, version),
  })
  async function explain(failure: CallFailure, version: LayoutVersion) {
    const faults = Object.entries(failure.fields)
    if (faults.length === 0) return showError(failure)
    const labels: Readonly<Record<string, string>> = record.labels
    const mayEdit = await ask({
      title: `Version ${version.version} can’t be restored as it is`,
      text: 'Nothing was changed. You can put it into the form, correct it there and save it.',
      more: faults.map(([name, sentence]) => (
        <Text key={name} size="sm" pt={8}>
          <bdi>
            {labels[name] ?? name}: {sentence}
          </bdi>
        </Text>
      )),
      confirm: 'Edit this version',
    })
    if (mayEdit) record.change(toValues({ ...layout, ...version }))
  }
}

const describePages = ({ publishedPages }: Layout): string =>
  publishedPages === 0
    ? 'No published page uses this layout.'
    : `${count(publishedPages, 'published page shows', 'published pages show')} it now.`

/** What visitors notice when a version is restored. */
function describeEffect({ top, bottom, publishedPages }: Layout, version: LayoutVersion): string {
  if (publishedPages === 0) return 'No published page uses this layout.'
  const changes = [...describeBlocks(top, version.top), ...describeBlocks(bottom, version.bottom)]
  return changes.length === 0
    ? 'Its locked blocks stay as they are, so no published page changes.'
    : `As soon as you restore it, ${count(publishedPages, 'published page shows', 'published pages show')} its blocks.`
}

type Compared = Pick<Layout, 'name' | 'note' | 'allowed' | 'isOrdered' | 'top' | 'bottom'>

const listTypes = (allowed: readonly string[]): string => allowed.map(blockTitle).join(', ') || 'all'
const orderOf = (isOrdered: boolean): string => (isOrdered ? 'fixed' : 'free')

/** What changed from one state of a layout to another, as sentences. */
function describeChanges(before: Compared, after: Compared): string[] {
  return [
    ...describeText('Name', before.name, after.name),
    ...describeText('Note', before.note, after.note),
    ...describeText('Allowed blocks', listTypes(before.allowed), listTypes(after.allowed)),
    ...describeText('Order of blocks', orderOf(before.isOrdered), orderOf(after.isOrdered)),
    ...describeBlocks(before.top, after.top).map((words) => `At the top: ${words}`),
    ...describeBlocks(before.bottom, after.bottom).map((words) => `At the bottom: ${words}`),
  ]
}

/** What a version consists of. */
function Content({ version }: { version: LayoutVersion }) {
  const { name, note, allowed, isOrdered, top, bottom } = version
  const lines = [
    `Name: ${name}`,
    ...(note === null ? [] : [`Note: ${note}`]),
    `Allowed blocks: ${listTypes(allowed)}`,
    `Order of blocks: ${orderOf(isOrdered)}`,
    ...top.map((block) => `At the top: ${nameBlock(block)}`),
    ...bottom.map((block) => `At the bottom: ${nameBlock(block)}`),
  ]
  return (
    <details>
      <Text component="summary" size="sm" style={POINTER}>
        Open<span className="fc-hidden"> version {version.version}</span>
      </Text>
      <ul>
        {lines.map((line, at) => (
          <li key={at}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}
