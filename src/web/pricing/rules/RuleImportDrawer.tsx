import { Button, Checkbox, MultiSelect, Radio, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ruleFiles, type RuleImport } from '#contract/pricing/rules/rule-files.ts'
import type { RequestedChange } from '#contract/pricing/rules/rule-requests.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { PricesDeclined } from '#web/ui/prices/confirm-prices.ts'
import { Effect } from './RulePreviewCard.tsx'
import { ApprovalRequested, saveConfirming } from '#web/ui/prices/save-confirming.tsx'

const importRules = send(ruleFiles.import)
const importLowest = send(ruleFiles.importLowest)
const MAX_TABLE = 40
const DEBOUNCE_MS = 300

type DateOrder = 'mdy' | 'dmy'
const DATE_ORDERS = [
  { value: 'mdy', label: 'The month is first' },
  { value: 'dmy', label: 'The day is first' },
] as const
type ImportFile = { file: File; text: string; isTable: boolean }
type Options = { isTrial: boolean; confirmPrices: boolean; confirmEvery: boolean }

/** A file with its settings, what it would do, and saving it. */
function useRuleImport(onClose: () => void) {
  const [chosen, setChosen] = useState<ImportFile | null>(null)
  const [table, setTable] = useState('')
  const [isNewOnly, setIsNewOnly] = useState(true)
  const [lotIds, setLotIds] = useState<string[]>([])
  const [dateOrder, setDateOrder] = useState<DateOrder | null>(null)
  const [settled] = useDebouncedValue(table.trim(), DEBOUNCE_MS)
  const isReady = chosen !== null && (!chosen.isTable || (settled !== '' && settled === table.trim()))
  const settings = { table: settled, isNewOnly, lotIds, ...(dateOrder !== null && { dateOrder }) }
  const run = (options: Options): Promise<RuleImport> => {
    const text = chosen?.text ?? ''
    return chosen?.isTable === true
      ? importLowest({ text, ...settings, ...options })
      : importRules({ text, ...options })
  }
  const changeOf = (): RequestedChange => {
    const text = chosen?.text ?? ''
    return chosen?.isTable === true ? { kind: 'importLowest', text, ...settings } : { kind: 'import', text }
  }
  const trial = useQuery({
    queryKey: ['trial of a rule import', chosen?.text, settings],
    queryFn: () => run({ isTrial: true, confirmPrices: false, confirmEvery: false }),
    enabled: isReady,
    gcTime: 0,
    retry: false,
  })
  const saving = useMutation({
    mutationFn: () => saveConfirming(changeOf(), (confirmed) => run({ isTrial: false, ...confirmed })),
    onSuccess: ({ rules }) => {
      toast('Rules imported', sumUp(rules) || 'No rules changed.')
      onClose()
    },
    onError: (failure: CallFailure) => {
      if (failure instanceof ApprovalRequested) onClose()
      else if (!(failure instanceof PricesDeclined)) showError(failure)
    },
  })
  async function take(file: File) {
    const isTable = !file.name.toLowerCase().endsWith('.json')
    if (isTable && table === '') setTable(file.name.replace(/\.[^.]*$/, '').slice(0, MAX_TABLE))
    setDateOrder(null)
    setChosen({ file, isTable, text: await file.text() })
  }
  return {
    chosen,
    table,
    setTable,
    isNewOnly,
    setIsNewOnly,
    lotIds,
    setLotIds,
    dateOrder,
    setDateOrder,
    isReady,
    trial,
    saving,
    take,
  }
}

/** Imports a file of rules (JSON) or a table of minimum prices (CSV), after showing what it would do. */
export function RuleImportDrawer({ onClose }: { onClose: () => void }) {
  const { choices } = useLotNames()
  const importing = useRuleImport(onClose)
  const { chosen, table, setTable, isNewOnly, setIsNewOnly, isReady, trial, saving, take } = importing
  const isOrderAsked = isReady && trial.error?.fields?.['dateOrder'] !== undefined
  return (
    <FormDrawer
      title="Import pricing rules"
      about="Rules exported from Forecourt (JSON), or a table of minimum prices (CSV)"
      onClose={onClose}
    >
      <Locked isBusy={saving.isPending}>
        <div className="fc-rule-import">
          <FileDrop
            text="Drop a JSON or CSV file here"
            file={chosen?.file ?? null}
            accept=".json,.csv,.txt"
            isBusy={trial.isFetching}
            onTake={(file) => void take(file)}
          />
          {chosen === null && (
            <p className="fc-small fc-soft">
              A table of minimum prices needs the columns Make, Model and Minimum price (or MAP); Year, Trim,
              From and Until are optional. Every line becomes a rule. Importing a newer version of the table
              pauses the rules whose lines are gone.
            </p>
          )}
          {chosen?.isTable === true && (
            <>
              <TextInput
                label="Name of the table"
                description="The names of its rules start with this."
                value={table}
                maxLength={MAX_TABLE}
                required
                onChange={(event) => setTable(event.currentTarget.value)}
              />
              <MultiSelect
                label="Lots"
                data={choices}
                value={importing.lotIds}
                onChange={importing.setLotIds}
                placeholder={importing.lotIds.length === 0 ? 'All lots' : ''}
                searchable
              />
              <Checkbox
                size="sm"
                label="Only for new vehicles"
                checked={isNewOnly}
                onChange={(event) => setIsNewOnly(event.currentTarget.checked)}
              />
            </>
          )}
          {(isOrderAsked || importing.dateOrder !== null) && (
            <Radio.Group
              label="Dates of the table"
              description={isOrderAsked ? trial.error?.fields?.['dateOrder'] : undefined}
              value={importing.dateOrder ?? ''}
              onChange={(value) =>
                importing.setDateOrder(DATE_ORDERS.find((one) => one.value === value)?.value ?? null)
              }
            >
              <Stack gap={8} pt={8}>
                {DATE_ORDERS.map((one) => (
                  <Radio key={one.value} {...one} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          {isReady && trial.error && !isOrderAsked && <Refusal failure={trial.error} />}
          {isReady && trial.data && <Report report={trial.data} />}
        </div>
        <div className="fc-form-footer">
          <span className="fc-grow" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Action
            for={ruleFiles.import}
            disabled={!isReady || trial.data === undefined || trial.data.rules.length === 0}
            loading={saving.isPending}
            onClick={() => saving.mutate()}
          >
            Import
          </Action>
        </div>
      </Locked>
    </FormDrawer>
  )
}

/** What is wrong with the file, in full. */
function Refusal({ failure }: { failure: Error & { fields?: Record<string, string> } }) {
  const [why = failure.message] = Object.values(failure.fields ?? {})
  return (
    <section className="fc-rule-preview" role="alert">
      <h3>Nothing can be imported</h3>
      <p className="fc-small">{why}</p>
    </section>
  )
}

function Report({ report: { rules, same, effect } }: { report: RuleImport }) {
  return (
    <section className="fc-rule-preview" aria-labelledby="rule-import">
      <h3 id="rule-import">
        {rules.length === 0 ? 'Nothing to import: all rules are up to date' : sumUp(rules)}
      </h3>
      {rules.length > 0 && same > 0 && (
        <p className="fc-small fc-soft">{count(same, 'rule stays', 'rules stay')} as they are.</p>
      )}
      {rules.length > 0 && (
        <>
          <Effect effect={effect} isSimulated={false} />
          <details>
            <summary>All changes</summary>
            <ul>
              {rules.map(({ name, change }) => (
                <li key={name} className="fc-small">
                  <bdi>{name}</bdi>: {change}
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </section>
  )
}

/** "3 added, 1 changed". */
function sumUp(rules: RuleImport['rules']): string {
  return (['added', 'changed', 'paused'] as const)
    .map((change) => [rules.filter((rule) => rule.change === change).length, change] as const)
    .filter(([number]) => number > 0)
    .map(([number, change]) => `${number} ${change}`)
    .join(', ')
}
