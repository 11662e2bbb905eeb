import { MultiSelect, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  dvpLayouts,
  type Layout,
  layoutRecord,
  LAYOUTS_MANAGED,
} from '#contract/marketing/layouts/layouts.ts'
import { BLOCK_TYPE_NAMES, BLOCK_TYPES, isBlockType } from '#contract/marketing/pages/blocks.ts'
import { faultsOnPublish, faultsOnSave } from '#contract/marketing/pages/check-blocks.ts'
import { send } from '#web/api/query.ts'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { HistoryRow } from '#web/ui/history/HistoryRow.tsx'
import { type RecordSteps, recordSteps, useRecordHistory } from '#web/ui/history/use-record-history.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { BlockList } from '../pages/BlockList.tsx'
import { describeBlocks } from '../pages/describe-page-changes.ts'
import { sumUpBlock } from '../pages/sum-up-block.ts'
import { LayoutVersions } from './LayoutVersions.tsx'

const layoutForm = recordForm(layoutRecord)
type LayoutValues = typeof layoutForm.blank
const addLayout = send(dvpLayouts.add)
const updateLayout = send(dvpLayouts.update)
const removeLayouts = send(dvpLayouts.removeMany)
const TYPES = BLOCK_TYPE_NAMES.map((type) => ({ value: type, label: BLOCK_TYPES[type].title }))

/** One layout, or a blank form for a new one. */
export function LayoutDrawer(props: RecordDrawerProps) {
  const [hasVersions, setHasVersions] = useState(false)
  const [open, setOpen] = useState<Opened>({ top: null, bottom: null })
  const history = useRecordHistory<LayoutValues>(props.id)
  return (
    <RecordDrawer
      {...props}
      noun="layout"
      about="What promo pages may consist of"
      form={{ ...FORM, onMerged: history.onMerged }}
      endpoints={dvpLayouts}
      size={640}
      save={(input, change) => (change ? updateLayout({ ...input, ...change }) : addLayout(input))}
      remove={{
        endpoint: dvpLayouts.removeMany,
        start: ({ id, version }) => removeLayouts({ selection: { ids: [id] }, version }),
        text: 'You can undo this.',
        lock: ({ pages }) => (pages === 0 ? null : `${count(pages, 'page uses', 'pages use')} this layout.`),
      }}
      nameOf={({ name }) => ({ name })}
      lockOf={lockOf}
      show={showField}
      renderFooter={(record, saved) => <Effect record={record} saved={saved} />}
    >
      {(record, saved) => (
        <>
          {saved?.isReadOnly === true && <Notice>{LAYOUTS_MANAGED}</Notice>}
          <LayoutFields {...{ record, saved, open, setOpen }} steps={recordSteps(record, history)}>
            {saved && (
              <LayoutVersions
                record={record}
                layout={saved}
                toValues={layoutForm.toValues}
                isOpen={hasVersions}
                onToggle={setHasVersions}
              />
            )}
          </LayoutFields>
        </>
      )}
    </RecordDrawer>
  )
}

const lockOf = ({ isReadOnly }: Layout) => (isReadOnly ? LAYOUTS_MANAGED : null)

/** What happens to published pages, before it is saved. */
function Effect({ record, saved: { publishedPages } }: { record: LayoutForm; saved: Layout }) {
  const isSeen = publishedPages > 0 && record.changed.some((name) => name === 'top' || name === 'bottom')
  return (
    <Text component="output" size="sm" w="100%" mb={isSeen ? 0 : -8} style={FIRST}>
      {isSeen &&
        `As soon as you save, ${count(publishedPages, 'published page shows', 'published pages show')} this.`}
    </Text>
  )
}
const FIRST = { order: -1 } as const

const FORM = {
  ...layoutForm,
  toInput: (values: LayoutValues) => ({
    ...layoutForm.toInput(values),
    allowed: values.allowed.filter(isBlockType),
  }),
  describe: (name: string, base: LayoutValues, changed: LayoutValues) =>
    name === 'top' || name === 'bottom' ? describeBlocks(base[name], changed[name]) : null,
}

/** A field's display text, for comparisons. */
function showField(name: string, values: LayoutValues): string {
  if (name === 'top' || name === 'bottom')
    return values[name].map((block) => sumUpBlock(block)).join('; ') || 'None'
  return showValue({ ...values }[name])
}

type LayoutForm = RecordFormState<LayoutValues, Layout>
/** The block that is open in each list. */
type Opened = Readonly<Record<'top' | 'bottom', string | null>>
type Props = {
  record: LayoutForm
  saved: Layout | null
  steps: RecordSteps
  open: Opened
  setOpen: (open: Opened) => void
}

function LayoutFields({ children, ...props }: Props & { children: ReactNode }) {
  const { record, saved, steps } = props
  const { field, form, change, isReadOnly } = record
  const { values } = form
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('name')}
        {...(saved === null && { 'data-autofocus': true })}
        required
        maxLength={100}
        autoComplete="off"
      />
      <TextInput {...field('note')} maxLength={300} autoComplete="off" />
      <MultiSelect
        {...field('allowed')}
        className="fc-wide"
        data={TYPES}
        placeholder={values.allowed.length === 0 ? 'All' : ''}
        description={
          <bdi>
            A page may have these. Pages that already have others keep them, but their next version can’t be
            published with them.
          </bdi>
        }
      />
      <Switch
        label="Blocks follow the order of the list above"
        className="fc-wide"
        checked={values.isOrdered}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => change({ isOrdered: currentTarget.checked })}
      />
      {!isReadOnly && (
        <div className="fc-wide">
          <HistoryRow steps={steps} />
        </div>
      )}
      <LockedBlocks {...props} name="top" />
      <LockedBlocks {...props} name="bottom" />
      {children}
    </div>
  )
}

const HEADINGS = { top: 'Locked at the top', bottom: 'Locked at the bottom' } as const

/** Blocks that are on each page of the layout, before or after its own. */
function LockedBlocks({ record, saved, steps, open, setOpen, name }: Props & { name: 'top' | 'bottom' }) {
  const { form, isReadOnly, labels } = record
  const blocks = form.values[name]
  return (
    <Stack gap={8} className="fc-wide">
      <Title order={3} fz={14} fw={600}>
        {HEADINGS[name]}
      </Title>
      <Text size="sm" c="dimmed">
        {name === 'top' ? 'Before the blocks of each page.' : 'After the blocks of each page, such as terms.'}{' '}
        A change shows on all of them at once.
      </Text>
      <BlockList
        label={labels[name]}
        blocks={blocks}
        onChange={(next, step) => steps.change({ [name]: next }, step)}
        isReadOnly={isReadOnly}
        faults={[
          ...faultsOnSave(blocks, { layout: null, before: saved?.[name] ?? [] }),
          ...faultsOnPublish(blocks, null),
        ]}
        error={form.errors[name]}
        open={open[name]}
        onOpen={(id) => setOpen({ ...open, [name]: id })}
      />
    </Stack>
  )
}
