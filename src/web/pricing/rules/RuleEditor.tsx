import { CloseButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  type PricingRule,
  pricingRuleRecord,
  pricingRules,
  type RuleVersion,
} from '#contract/pricing/rules/pricing-rules.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Movable } from '#web/ui/layout/Movable.tsx'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { RuleActions, useRuleActions } from './RuleActions.tsx'
import { ApprovalRequested, saveConfirming } from '#web/ui/prices/save-confirming.tsx'
import { WaitingApproval } from '#web/ui/prices/WaitingApproval.tsx'
import { ruleForm, type RuleValues, showField } from './rule-form.ts'
import { RuleFields } from './RuleFields.tsx'
import { PreviewLine, RulePreviewCard, useRulePreview } from './RulePreviewCard.tsx'
import { Timeline } from '#web/ui/record/Timeline.tsx'

type Props = {
  /** A rule's ID, or `new`. */
  id: string
  /** Beside the list, where the screen is wide enough; otherwise in a drawer. */
  isBeside: boolean
  /** `isSaved`: closes without asking about unsaved changes. */
  onClose: (isSaved?: boolean) => void
  onCreated: (id: string) => void
}

/** One price rule with its effect on the stock, or a blank form for a new one. */
export function RuleEditor({ id, isBeside, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const settings = useLoad(query(vehicles.settings, {}))
  const rule = useLoad({ ...query(pricingRules.get, { id }), enabled: !isNew, gcTime: 0 })
  const data = rule.data
  const Frame = isBeside ? RulePane : FormDrawer
  return (
    <Movable
      renderFrame={(content) => (
        <Frame
          title={isNew ? 'New rule' : (data?.name ?? 'Rule')}
          about={isNew ? 'Changes the price of the vehicles it matches' : data && describe(data)}
          size={720}
          onClose={() => onClose()}
        >
          {content}
        </Frame>
      )}
    >
      {isNew ? (
        <Loaded query={settings} what="this rule" shape="fields">
          {({ currency }) => <RuleForm rule={null} {...{ currency, onClose, onCreated }} />}
        </Loaded>
      ) : (
        <Loaded query={both(settings, rule)} what="this rule" shape="fields">
          {([{ currency }, saved]) => (
            <LoadedRecord key={saved.id} record={saved}>
              {(loaded, keep) => (
                <RuleForm rule={loaded} onKept={keep} {...{ currency, onClose, onCreated }} />
              )}
            </LoadedRecord>
          )}
        </Loaded>
      )}
    </Movable>
  )
}

type FrameProps = { title: string; about: ReactNode; onClose: () => void; children: ReactNode }

/** The frame of the editor beside the list. */
function RulePane({ title, about, onClose, children }: FrameProps) {
  return (
    <section className="fc-list-beside fc-rule-pane" aria-labelledby="rule-title">
      <header className="fc-drawer-head">
        <div className="fc-grow">
          <h2 id="rule-title">
            <bdi>{title}</bdi>
          </h2>
          <p>
            <bdi>{about}</bdi>
          </p>
        </div>
        <CloseButton aria-label="Close" onClick={onClose} />
      </header>
      {children}
    </section>
  )
}

function describe({ updatedAt, updatedBy }: PricingRule): string {
  return `Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}

const HIDDEN =
  "This rule depends on vehicle costs. You don't have permission to see costs, so its amounts are hidden and you can't change it."

const addRule = send(pricingRules.add)
const updateRule = send(pricingRules.update)

type FormProps = {
  /** Null for a new one. */
  rule: PricingRule | null
  currency: string
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Called after saving or reloading. */
  onKept?: (rule: PricingRule) => void
}

/** The form of one rule: shows its effect before it is saved, saves, deletes, and resolves conflicting changes. */
function RuleForm({ rule: loaded, currency, onClose, onCreated, onKept }: FormProps) {
  const [isAgain, setAgain] = useState(false)
  const rule = isAgain ? null : loaded
  const model = ruleForm(currency)
  const endpoint = rule ? pricingRules.update : pricingRules.add
  const record = useRecordForm<RuleValues, PricingRule>({
    record: rule,
    blank: model.blank,
    toValues: model.toValues,
    labels: model.labels,
    schema: pricingRuleRecord.schema,
    endpoint,
    check: model.check,
    save: (values, version) => saveRule(model.toInput(values), version),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(pricingRules.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(rule ? 'Rule saved' : 'Rule added', saved.name)
      if (!rule) onCreated(saved.id)
    },
  })
  async function saveRule(input: ReturnType<typeof model.toInput>, version: number | undefined) {
    try {
      if (rule === null) {
        const change = { kind: 'add', rule: pricingRuleRecord.create.parse(input) } as const
        return await saveConfirming(change, (confirmed) => addRule({ ...input, ...confirmed }))
      }
      const changes = pricingRuleRecord.changes.parse({ ...input, id: rule.id, version })
      return await saveConfirming({ kind: 'update', changes }, (confirmed) =>
        updateRule({ ...input, ...confirmed, id: rule.id, version }),
      )
    } catch (failure) {
      if (failure instanceof ApprovalRequested) {
        record.release()
        onClose(true)
      }
      throw failure
    }
  }
  const actions = useRuleActions({ record, onClose, onCreated, onKept })
  const isHidden = rule?.hidesAmounts === true
  const isValid = Object.keys(model.check(record.form.values)).length === 0
  const preview = useRulePreview(
    rule?.id ?? null,
    isValid && !isHidden ? model.toInput(record.form.values) : null,
  )
  return (
    <RecordForm record={record} isBusy={actions.isPending}>
      {isHidden && <p className="fc-small fc-soft">{HIDDEN}</p>}
      {rule && <WaitingApproval kind="rule" id={rule.id} />}
      <RuleFields record={record} rule={rule} currency={currency} />
      {!isHidden && <RulePreviewCard preview={preview} />}
      {rule && (
        <RuleVersions
          id={rule.id}
          {...(!record.isReadOnly &&
            !isHidden && {
              onRestore: (settings) => record.change(model.toValues({ ...rule, ...settings })),
            })}
        />
      )}
      <FormFooter
        record={record}
        for={endpoint}
        save={rule ? 'Save rule' : 'Add rule'}
        lock={isHidden ? HIDDEN : null}
        onCancel={() => onClose(false)}
      >
        {rule && <RuleActions rule={rule} record={record} actions={actions} />}
        {!isHidden && <PreviewLine preview={preview} />}
      </FormFooter>
      <StaleDialog
        record={record}
        thing="this rule"
        show={showField}
        again={{ endpoint: pricingRules.add, start: () => setAgain(true) }}
      />
    </RecordForm>
  )
}

type RestorableSettings = NonNullable<RuleVersion['settings']>

/**
 * Who changed the rule, what and when; loaded when it is opened. Restoring puts a version into the form, which shows its effect and
 * saves it like any other change.
 */
function RuleVersions({ id, onRestore }: { id: string; onRestore?: (settings: RestorableSettings) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="fc-rule-versions" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Versions</summary>
      {isOpen && (
        <Timeline
          query={query(pricingRules.versions, { id })}
          what="the versions"
          title="Versions"
          entries={(versions) =>
            versions.map(({ at, by, isNew, changes, settings }, place) => ({
              what: isNew ? 'Added' : 'Changed',
              by,
              at,
              time: formatDay(at),
              changes: changes.map(({ field, before, after }) =>
                before === null ? { field, after } : { field, before, after },
              ),
              more: place > 0 && settings !== null && onRestore && (
                <button
                  type="button"
                  className="fc-link"
                  onClick={() => {
                    onRestore(settings)
                    toast('This version is in the form', 'Check its effect, then save the rule.')
                  }}
                >
                  Restore this version
                </button>
              ),
            }))
          }
          empty={<p className="fc-small fc-soft">There are no versions you can see.</p>}
        />
      )}
    </details>
  )
}
