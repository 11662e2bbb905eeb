import { TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  savedBlocks,
  SAVED_BLOCKS_MANAGED,
  type SavedBlocks,
  savedBlocksRecord,
} from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { faultsOnSave } from '#contract/marketing/pages/check-blocks.ts'
import { send } from '#web/api/query.ts'
import { HistoryRow } from '#web/ui/history/HistoryRow.tsx'
import { recordSteps, useRecordHistory } from '#web/ui/history/use-record-history.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { BlockList } from '../pages/BlockList.tsx'
import { describeBlocks } from '../pages/describe-page-changes.ts'
import { nameBlock } from '../pages/describe-page-changes.ts'

const savedForm = recordForm(savedBlocksRecord)
type SavedValues = typeof savedForm.blank
const add = send(savedBlocks.add)
const update = send(savedBlocks.update)
const removeMany = send(savedBlocks.removeMany)

const describe = (name: string, base: SavedValues, changed: SavedValues) =>
  name === 'blocks' ? describeBlocks(base.blocks, changed.blocks) : null

/** Blocks that are saved for reuse, or a blank form for new ones. */
export function SavedBlocksDrawer(props: RecordDrawerProps) {
  const history = useRecordHistory<SavedValues>(props.id)
  const [open, setOpen] = useState<string | null>(null)
  return (
    <RecordDrawer
      {...props}
      noun="saved block"
      about="Copied into promo pages and layouts"
      form={{ ...savedForm, describe, onMerged: history.onMerged }}
      endpoints={savedBlocks}
      lockOf={({ isReadOnly }) => (isReadOnly ? SAVED_BLOCKS_MANAGED : null)}
      size={640}
      save={(input, change) => (change ? update({ ...input, ...change }) : add(input))}
      remove={{
        endpoint: savedBlocks.removeMany,
        start: ({ id, version }: SavedBlocks) => removeMany({ selection: { ids: [id] }, version }),
        text: 'Pages and layouts keep the copies they have. You can undo this.',
      }}
      nameOf={({ name }) => ({ name })}
      show={showField}
    >
      {(record, saved) => {
        const { blocks } = record.form.values
        const steps = recordSteps(record, history)
        return (
          <div className="fc-form-fields">
            <TextInput
              {...record.field('name')}
              {...(saved === null && { 'data-autofocus': true })}
              className="fc-wide"
              required
              maxLength={100}
              autoComplete="off"
            />
            <div className="fc-wide">
              {!record.isReadOnly && <HistoryRow steps={steps} />}
              <BlockList
                label={record.labels.blocks}
                blocks={blocks}
                onChange={(next, step) => steps.change({ blocks: next }, step)}
                isReadOnly={record.isReadOnly}
                faults={faultsOnSave(blocks, { layout: null, before: saved?.blocks ?? [] })}
                error={record.form.errors['blocks']}
                open={open}
                onOpen={setOpen}
              />
            </div>
          </div>
        )
      }}
    </RecordDrawer>
  )
}

/** A field's display text, for comparisons. */
function showField(name: string, values: SavedValues): string {
  if (name === 'blocks') return values.blocks.map(nameBlock).join('; ') || 'None'
  return showValue({ ...values }[name])
}
